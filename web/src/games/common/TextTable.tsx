import type { ComponentChildren } from "preact";

interface Props {
  head: ComponentChildren[];
  /** Each row begins with its heading. */
  rows: ComponentChildren[][];
}

/** A table of the text board. */
export function TextTable({ head, rows }: Props) {
  return (
    <table>
      <thead>
        <tr>
          {head.map((cell, index) =>
            cell ? (
              <th key={index} scope="col">
                {cell}
              </th>
            ) : (
              <td key={index} />
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map(([first, ...cells], row) => (
          <tr key={row}>
            <th scope="row">{first}</th>
            {cells.map((cell, index) => (
              <td key={index}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface ListProps {
  title: string;
  items: string[];
}

/** A list under a heading; nothing if it is empty. */
export function TextList({ title, items }: ListProps) {
  if (items.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ol>
        {items.map((item, index) => (
          <li key={index}>{item}</li>
        ))}
      </ol>
    </>
  );
}
