import type { ComponentChildren, JSX } from "preact";
import { t } from "../i18n";
import { base } from "../local/here";

/**
 * The small Markdown of our rule texts: headings, paragraphs of one line, lists without nesting,
 * tables with a header row, **strong**, *stressed*, `code`, and `{{example NAME}}` for a picture.
 */
export function Markdown({ text, game }: { text: string; game: string }) {
  return <>{blocks(text, game)}</>;
}

const lineId = (line: number) => `line-${line}`;

/** The headings of the second level, each with the id that it has on the page. */
export function chaptersOf(text: string): { id: string; title: string }[] {
  return text
    .split("\n")
    .flatMap((line, at) =>
      line.startsWith("## ") ? { id: lineId(at), title: line.slice(3) } : [],
    );
}

function blocks(text: string, game: string): JSX.Element[] {
  const lines = text.split("\n");
  const made: JSX.Element[] = [];
  let at = 0;
  const take = (test: RegExp) => {
    const found: string[] = [];
    while (at < lines.length && test.test(lines[at] ?? "")) found.push(lines[at++] ?? "");
    return found;
  };
  while (at < lines.length) {
    const line = lines[at] ?? "";
    const key = at;
    const heading = /^(#{1,3}) (.*)$/.exec(line);
    const example = /^\{\{example ([a-z0-9-]+)\}\}$/.exec(line.trim());
    if (line.trim() === "") {
      at++;
    } else if (heading) {
      const Tag = `h${heading[1]?.length ?? 1}` as "h1" | "h2" | "h3";
      made.push(
        <Tag key={key} id={lineId(key)}>
          {spans(heading[2] ?? "")}
        </Tag>,
      );
      at++;
    } else if (example) {
      made.push(
        <figure key={key} class="example">
          <img
            src={`${base}examples/${example[1]}.svg`}
            alt={t("example")}
            data-game={game}
            loading="lazy"
          />
        </figure>,
      );
      at++;
    } else if (line.startsWith("|")) {
      made.push(<Table key={key} rows={take(/^\|/)} />);
    } else if (line.startsWith("- ")) {
      const items = take(/^- /);
      made.push(
        <ul key={key}>
          {items.map((item, i) => (
            <li key={i}>{spans(item.slice(2))}</li>
          ))}
        </ul>,
      );
    } else if (/^\d+\. /.test(line)) {
      const items = take(/^\d+\. /);
      made.push(
        <ol key={key}>
          {items.map((item, i) => (
            <li key={i}>{spans(item.replace(/^\d+\. /, ""))}</li>
          ))}
        </ol>,
      );
    } else {
      made.push(<p key={key}>{spans(line)}</p>);
      at++;
    }
  }
  return made;
}

function Table({ rows }: { rows: string[] }) {
  const cells = (row: string) =>
    row
      .replace(/^\||\|$/g, "")
      .split("|")
      .map((cell) => cell.trim());
  const [head, , ...body] = rows;
  return (
    <div class="table-scroll" tabindex={0}>
      <table>
        <thead>
          <tr>
            {cells(head ?? "").map((cell, i) => (
              <th key={i} scope="col">
                {spans(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((row, r) => (
            <tr key={r}>
              {cells(row).map((cell, i) => (
                <td key={i}>{spans(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function spans(text: string): ComponentChildren[] {
  return text
    .split(/(\*\*[^*]+\*\*|\*[^*]+\*|`[^`]+`)/)
    .filter(Boolean)
    .map((part, i) => {
      if (part.startsWith("**")) return <strong key={i}>{spans(part.slice(2, -2))}</strong>;
      if (part.startsWith("*") && part.length > 1) return <em key={i}>{part.slice(1, -1)}</em>;
      if (part.startsWith("`")) return <code key={i}>{part.slice(1, -1)}</code>;
      return part;
    });
}
