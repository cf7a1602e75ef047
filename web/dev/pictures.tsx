/**
 * Draws the pictures of the first page and the worked examples of the rules as files, with the boards
 * that one plays on. fixtures/pictures.py writes the positions, tests/pictures.test.ts the files.
 */
import { signal } from "@preact/signals";
import { type ComponentChildren, render } from "preact";
import { stillDesk } from "../src/app/desk";
import { Avatar, type Look } from "../src/art/Avatar";
import avatarCss from "../src/art/Avatar.css?raw";
import { Board as BlockersBoard } from "../src/games/blockers/Board";
import blockersBoardCss from "../src/games/blockers/Board.css?raw";
import { SPAN } from "../src/games/blockers/grid";
import marksCss from "../src/games/blockers/Marks.css?raw";
import { Model as BlockersModel } from "../src/games/blockers/model";
import { Defs as BlockersDefs, BlockTile, LOOK } from "../src/games/blockers/Sign";
import blockersSignCss from "../src/games/blockers/Sign.css?raw";
import boardCss from "../src/games/common/BoardSvg.css?raw";
import scoresCss from "../src/games/common/Scores.css?raw";
import genialBoardCss from "../src/games/genial/Board.css?raw";
import { Domino, Defs as GenialDefs, HalfTile, MARK } from "../src/games/genial/Domino";
import dominoCss from "../src/games/genial/Domino.css?raw";
import { pointOf, wayTo } from "../src/games/genial/hex";
import { type Half, Points, Rays } from "../src/games/genial/Rays";
import genialSignCss from "../src/games/genial/Sign.css?raw";
import { boardBox, PRINTED, Tray } from "../src/games/genial/Tray";
import trayCss from "../src/games/genial/Tray.css?raw";
import { COLOURS } from "../src/games/genial/view";
import { Defs as KaosmosDefs } from "../src/games/kaosmos/Defs";
import { layout } from "../src/games/kaosmos/frame";
import { Overlay } from "../src/games/kaosmos/Marks";
import kaosmosMarksCss from "../src/games/kaosmos/Marks.css?raw";
import { Face, Sign } from "../src/games/kaosmos/Tile";
import kaosmosTileCss from "../src/games/kaosmos/Tile.css?raw";
import { MARKERS } from "../src/games/kaosmos/view";
import type { BlockersView } from "../src/protocol";
import tokensCss from "../src/tokens.css?raw";

// biome-ignore lint/suspicious/noExplicitAny: the positions are written by fixtures/pictures.py
type Data = any;

interface Picture {
  box: [x: number, y: number, width: number, height: number];
  inside: ComponentChildren;
}

// --- Génial! --------------------------------------------------------------------------------------

const RADII: Record<number, number> = { 2: 5, 3: 6, 4: 7 };

function genialTiles(symbols: Data, pairs: [string, string][]) {
  const known = new Set(pairs.flat());
  const alone = Object.keys(symbols).filter((cell) => !known.has(cell) && !PRINTED[cell]);
  return (
    <>
      {pairs.map(([first, second]) => {
        const { x, y } = pointOf(first);
        return (
          <g key={first} transform={`translate(${x} ${y})`}>
            <Domino tile={symbols[first] + symbols[second]} way={wayTo(first, second)} />
          </g>
        );
      })}
      {alone.map((cell) => {
        const { x, y } = pointOf(cell);
        return (
          <g key={cell} transform={`translate(${x} ${y})`}>
            <HalfTile colour={symbols[cell]} />
          </g>
        );
      })}
    </>
  );
}

function genialFirst({ symbols, placed }: Data): Picture {
  const pairs = placed.map((each: Data) => [each.first, each.second]);
  return {
    box: [-98, -54, 128, 80],
    inside: (
      <>
        <Tray radius={5} coordinates={false} symbols={symbols} targets={new Set()} />
        {genialTiles(symbols, pairs)}
      </>
    ),
  };
}

function genialBoard({ players }: Data): Picture {
  const radius = RADII[players] ?? 5;
  const box = boardBox(radius, true).split(" ").map(Number) as Picture["box"];
  return {
    box,
    inside: <Tray radius={radius} coordinates symbols={PRINTED} targets={new Set()} />,
  };
}

/** A tile that is counted, with its lines; only the part of the board around it. */
function genialTile({ players, symbols, laid, move, halves }: Data): Picture {
  const [tile, first, second] = move.split(" ");
  const pairs = laid.map((each: string) => each.split(" ").slice(1) as [string, string]);
  const lines = halves.flatMap((half: Half) => half.lines.flatMap(({ cells }) => cells));
  const used = [first, second, ...pairs.flat(), ...lines].map(pointOf);
  const [xs, ys] = [used.map(({ x }) => x), used.map(({ y }) => y)];
  const [left, top] = [Math.min(...xs) - 30, Math.min(...ys) - 28];
  const at = pointOf(first);
  return {
    box: [left, top, Math.max(...xs) + 30 - left, Math.max(...ys) + 26 - top],
    inside: (
      <>
        <Tray
          radius={RADII[players] ?? 5}
          coordinates={false}
          symbols={symbols}
          targets={new Set()}
        />
        {genialTiles(symbols, pairs)}
        <Rays halves={halves} links={false} />
        <g transform={`translate(${at.x} ${at.y})`}>
          <Domino tile={tile} way={wayTo(first, second)} />
          <path class="genial-hover" d={MARK[wayTo(first, second)]} />
        </g>
        <Rays halves={halves} rings={false} />
        {halves.map((half: Half) => (
          <Points key={half.cell} at={pointOf(half.cell)} points={half.points} />
        ))}
      </>
    ),
  };
}

function Word({ x, y, size = 10, children }: Data) {
  return (
    <text class="picture-word" x={x} y={y + size * 0.36} font-size={size}>
      {children}
    </text>
  );
}

function Medal({ x, y, place }: Data) {
  return (
    <>
      <circle class={`picture-medal picture-medal-${place}`} cx={x} cy={y} r="8" />
      <text class="picture-place" x={x} y={y + 3.6}>
        {place}
      </text>
    </>
  );
}

function genialRanking({ tracks, places }: Data): Picture {
  return {
    box: [0, 0, 216, 112],
    inside: (
      <>
        {COLOURS.map((colour, index) => (
          <g key={colour} transform={`translate(${46 + 24 * index} 14)`}>
            <HalfTile colour={colour} />
          </g>
        ))}
        {tracks.map((track: Data, seat: number) => {
          const low = Math.min(...COLOURS.map((colour) => track[colour]));
          const y = 38 + 20 * seat;
          return (
            <g key={seat}>
              <Word x={16} y={y}>
                {"ABCD"[seat]}
              </Word>
              {COLOURS.map((colour, index) => {
                const x = 46 + 24 * index;
                const decides = track[colour] === low;
                return (
                  <g key={colour} class={decides ? "picture-decides" : ""}>
                    {decides && <rect x={x - 9} y={y - 8} width="18" height="16" rx="5" />}
                    <Word x={x} y={y}>
                      {track[colour]}
                    </Word>
                  </g>
                );
              })}
              <Medal x={198} y={y} place={places[seat]} />
            </g>
          );
        })}
      </>
    ),
  };
}

// --- Blockers! ------------------------------------------------------------------------------------

/** The board as at a table. */
function blockersGrid(board: Data) {
  const view: Partial<BlockersView> = {
    viewer: null,
    board,
    legal: [],
    actors: [],
    number: 0,
    last: null,
    rack: null,
    options: { colours: [], scoring: "blockers", first: 0 } as unknown as BlockersView["options"],
  };
  const told = { view: signal(view), fresh: signal([]), names: signal([]) } as Data;
  const desk = stillDesk({ canMove: () => false }, told) as Data;
  const host = document.createElement("div");
  render(<BlockersBoard desk={desk} model={new BlockersModel(desk)} />, host);
  const drawn = host.querySelector("svg")?.innerHTML ?? "";
  return <g class="board" dangerouslySetInnerHTML={{ __html: drawn }} />;
}

const GRID: Picture["box"] = [-15, -15, SPAN + 22, SPAN + 24];

function cellPoint(cell: string) {
  const middle = (index: number) => (index + 0.5) * 20 + Math.floor(index / 3) * 2.4;
  return { x: middle(Number(cell[1]) - 1), y: middle("ABCDEFGHI".indexOf(cell[0] ?? "A")) };
}

/** What may be captured has white corners, what may not a cross. */
function blockersCapture({ board, rack, captures, refused }: Data): Picture {
  const target = (move: string) => move.split("x")[1] ?? "";
  const good: string[] = captures.map(target);
  const bad = Object.keys(refused)
    .map(target)
    .filter((cell) => !good.includes(cell));
  return {
    box: [GRID[0], GRID[1], GRID[2], GRID[3] + 32],
    inside: (
      <>
        {blockersGrid(board)}
        {[...new Set(good)].map((cell) => {
          const { x, y } = cellPoint(cell);
          const d = "M-9-5V-9H-5M5-9H9V-5M9 5V9H5M-5 9H-9V5";
          return (
            <g key={cell} transform={`translate(${x} ${y})`}>
              <path class="blockers-corner-edge" d={d} />
              <path class="blockers-corner" d={d} />
            </g>
          );
        })}
        {bad.map((cell) => {
          const { x, y } = cellPoint(cell);
          return (
            <g key={cell} transform={`translate(${x} ${y})`}>
              <path class="picture-no-edge" d="M-7-7 7 7M7-7-7 7" />
              <path class="picture-no" d="M-7-7 7 7M7-7-7 7" />
            </g>
          );
        })}
        {rack.map((tile: string, index: number) => (
          <g
            key={tile}
            transform={`translate(${SPAN / 2 + (index - (rack.length - 1) / 2) * 24} ${SPAN + 24})`}
          >
            <BlockTile tile={tile} />
          </g>
        ))}
      </>
    ),
  };
}

function blockersScore({ board, colours, captured, groups, scores, places }: Data): Picture {
  return {
    box: [GRID[0], GRID[1], GRID[2], GRID[3] + 16 + 22 * colours.length],
    inside: (
      <>
        {blockersGrid(board)}
        {colours.map((colour: keyof typeof LOOK, seat: number) => {
          const y = SPAN + 28 + 22 * seat;
          return (
            <g key={colour}>
              <Shape look={LOOK[colour]} x={10} y={y} />
              <Word x={34} y={y}>
                {groups[seat]}
              </Word>
              {captured[seat].map((tile: string, index: number) => (
                <g key={tile} transform={`translate(${62 + 22 * index} ${y}) scale(.9)`}>
                  <BlockTile tile={tile} />
                </g>
              ))}
              <Word x={144} y={y}>
                = {scores[seat]}
              </Word>
              <Medal x={174} y={y} place={places[seat]} />
            </g>
          );
        })}
      </>
    ),
  };
}

function Shape({ look, x, y }: { look: Look; x: number; y: number }) {
  return (
    <svg x={x - 9} y={y - 9} width="18" height="18" viewBox="0 0 38 38">
      <g>
        <Avatar look={look} />
      </g>
    </svg>
  );
}

// --- Kaosmos --------------------------------------------------------------------------------------

const SQUARE = layout("square", null);

function galaxyOf(puts: string[]): Record<string, [string, number]> {
  return Object.fromEntries(
    puts.map((put) => {
      const [tile = "", slot = "", turns] = put.split(" ");
      return [slot, [tile, Number(turns)]];
    }),
  );
}

function drawnGalaxy(galaxy: Record<string, [string, number]>) {
  return SQUARE.places.map(({ slot, x, y }) => {
    const laid = galaxy[slot];
    return (
      laid && (
        <g key={slot} transform={`translate(${x} ${y})`}>
          <Face tile={laid[0]} turns={laid[1]} />
        </g>
      )
    );
  });
}

function Mat({ x = -4, y = -4, width = SQUARE.width + 8, height = SQUARE.height + 8 }) {
  return <rect class="picture-mat" x={x} y={y} width={width} height={height} rx="6" />;
}

function kaosmosFirst({ galaxy, path }: Data): Picture {
  const marks = { zones: [], way: path, strong: false, key: "path" };
  return {
    box: [8, 6, 104, 65],
    inside: (
      <>
        <rect class="picture-mat" x="-20" y="-20" width="180" height="180" />
        {drawnGalaxy(galaxy)}
        <Overlay all={SQUARE} marks={marks} galaxy={galaxy} />
      </>
    ),
  };
}

function kaosmosTile({ tile, turns }: Data): Picture {
  return {
    box: [-26, -26, 62 * turns.length - 10, 54],
    inside: (
      <>
        {turns.map((each: number, index: number) => (
          <g key={each} transform={`translate(${62 * index} 0)`}>
            <Face tile={tile} turns={each} />
          </g>
        ))}
        {turns.length > 1 && (
          <Word x={31} y={0} size={16}>
            ↻
          </Word>
        )}
      </>
    ),
  };
}

function Marker({ marker, value, x, y }: Data) {
  return (
    <>
      <svg x={x - 8} y={y - 8} width="16" height="16" viewBox="0 0 16 16">
        <Sign marker={marker} size={16} />
      </svg>
      <Word x={x + 17} y={y}>
        {value}
      </Word>
    </>
  );
}

function kaosmosGalaxy({ galaxy, points }: Data): Picture {
  return {
    box: [-8, -8, SQUARE.width + 16, SQUARE.height + 40],
    inside: (
      <>
        <Mat />
        {drawnGalaxy(galaxyOf(galaxy))}
        {MARKERS.map((marker, index) => (
          <Marker
            key={marker}
            marker={marker}
            value={`+${points[marker]}`}
            x={6 + 34 * index}
            y={SQUARE.height + 18}
          />
        ))}
      </>
    ),
  };
}

function kaosmosBonus({ colour, galaxies, planets, points }: Data): Picture {
  const wide = SQUARE.width + 26;
  return {
    box: [-8, -30, wide * galaxies.length - 2, SQUARE.height + 40],
    inside: (
      <>
        {galaxies.map((puts: string[], seat: number) => (
          <g key={seat} transform={`translate(${wide * seat} 0)`}>
            <Word x={6} y={-16} size={12}>
              {"ABC"[seat]}
            </Word>
            <Marker marker={colour} value={planets[seat]} x={SQUARE.width / 2} y={-16} />
            <Mat />
            {drawnGalaxy(galaxyOf(puts))}
          </g>
        ))}
        <Word x={wide - 13} y={-16} size={13}>
          {points > 0 ? `+${points}` : `−${-points}`}
        </Word>
      </>
    ),
  };
}

function kaosmosFinal({ markers, scores, places }: Data): Picture {
  return {
    box: [0, 0, 240, 6 + 26 * markers.length],
    inside: markers.map((own: Data, seat: number) => {
      const y = 16 + 26 * seat;
      return (
        <g key={seat}>
          <Word x={12} y={y}>
            {"ABC"[seat]}
          </Word>
          {MARKERS.map((marker, index) => (
            <Marker key={marker} marker={marker} value={own[marker]} x={36 + 38 * index} y={y} />
          ))}
          <Word x={196} y={y}>
            = {scores[seat]}
          </Word>
          <Medal x={224} y={y} place={places[seat]} />
        </g>
      );
    }),
  };
}

// --- files ----------------------------------------------------------------------------------------

const DRAW: Record<string, (data: Data) => Picture> = {
  GenialBoard: genialBoard,
  GenialTile: genialTile,
  GenialRanking: genialRanking,
  BlockersBoard: () => ({ box: GRID, inside: blockersGrid({}) }),
  BlockersCapture: blockersCapture,
  BlockersScore: blockersScore,
  KaosmosTile: kaosmosTile,
  KaosmosGalaxy: kaosmosGalaxy,
  KaosmosBonus: kaosmosBonus,
  KaosmosFinal: kaosmosFinal,
};

const FIRST: Record<string, (data: Data) => Picture> = {
  genial: genialFirst,
  blockers: ({ board }) => ({ box: [40, 38, 112, 70], inside: blockersGrid(board) }),
  kaosmos: kaosmosFirst,
};

const DEFS: Record<string, () => ComponentChildren> = {
  genial: GenialDefs,
  blockers: BlockersDefs,
  kaosmos: KaosmosDefs,
};

const OWN = `
text{font-family:var(--font)}
.picture-word{fill:var(--ink);font-weight:700;text-anchor:middle}
.picture-place{fill:#2a1f08;font-size:10px;font-weight:800;text-anchor:middle}
.picture-medal{fill:var(--sunken)}
.picture-medal-1{fill:var(--medal-1)}
.picture-medal-2{fill:var(--medal-2)}
.picture-medal-3{fill:var(--medal-3)}
.picture-decides rect{fill:var(--ink)}
.picture-decides .picture-word{fill:var(--panel)}
.picture-mat{fill:var(--space)}
.picture-no,.picture-no-edge{fill:none;stroke:#fff;stroke-width:4;stroke-linecap:round}
.picture-no{stroke:#d53d25;stroke-width:2.2}
`;

const SHEETS = [
  avatarCss,
  boardCss,
  scoresCss,
  trayCss,
  dominoCss,
  genialSignCss,
  genialBoardCss,
  blockersBoardCss,
  blockersSignCss,
  marksCss,
  kaosmosTileCss,
  kaosmosMarksCss,
  OWN,
];

/** The rules of all style sheets that a drawing uses, and the tokens that these need. */
function stylesFor(drawn: string): string {
  const used = new Set([...drawn.matchAll(/class="([^"]*)"/g)].flatMap((m) => m[1]?.split(" ")));
  const plain = (css: string) => css.replace(/\/\*[\s\S]*?\*\//g, "").replace(/\s+/g, " ");
  const rules = SHEETS.flatMap((css) => [
    ...plain(
      css.replace(/@(container|keyframes|media)[^{]*\{([^{}]*\{[^{}]*\}\s*)*\}/g, ""),
    ).matchAll(/([^{}]+)\{([^{}]*)\}/g),
  ]).filter(([, selector = ""]) => {
    const classes = [...selector.matchAll(/\.([\w-]+)/g)].map((m) => m[1] ?? "");
    return classes.length > 0 ? classes.some((name) => used.has(name)) : selector.trim() === "text";
  });
  const text = rules
    .map(([, selector = "", body = ""]) => `${selector.trim()}{${withoutMotion(body)}}`)
    .join("");
  const tokens = new Map(
    [...plain(tokensCss).matchAll(/(--[\w-]+): ([^;]+);/g)].map((m) => [m[1] ?? "", m[2] ?? ""]),
  );
  const wanted = new Set<string>();
  const want = (css: string) => {
    for (const [name] of css.matchAll(/--[\w-]+/g)) {
      if (wanted.has(name) || !tokens.has(name)) continue;
      wanted.add(name);
      want(tokens.get(name) ?? "");
    }
  };
  want(text + drawn);
  const root = [...wanted].sort().map((name) => `${name}:${tokens.get(name)}`);
  return `:root{color-scheme:light dark;${root.join(";")}}${text}`;
}

function withoutMotion(body: string): string {
  return body
    .split(";")
    .map((line) => line.trim())
    .filter(
      (line) =>
        line && !/^(animation|transition|cursor|touch-action|user-select|-webkit)/.test(line),
    )
    .join(";");
}

/** For the first page, which must be small: leave out what is not in sight, and the shade of rocks. */
function crop(host: Element, [left, top, width, height]: Picture["box"]): void {
  for (const each of host.querySelectorAll("svg > g, svg > g g")) {
    const [, x, y] =
      /^translate\(([-\d.]+) ([-\d.]+)\)$/.exec(each.getAttribute("transform") ?? "") ?? [];
    if (x === undefined || each.parentElement?.closest("[transform]")) continue;
    const out = (at: number, from: number, size: number) => at < from - 21 || at > from + size + 21;
    if (out(Number(x), left, width) || out(Number(y), top, height)) each.remove();
  }
  for (const each of host.querySelectorAll(".kaosmos-rock-lo, .kaosmos-gold")) each.remove();
}

/** Remove definitions that nothing uses. */
function prune(host: Element): void {
  for (let again = true; again; ) {
    const text = host.innerHTML;
    const unused = [...host.querySelectorAll("defs [id]")].filter(
      ({ id }) => !text.includes(`#${id}"`) && !text.includes(`#${id})`) && !used(id),
    );
    for (const each of unused) each.remove();
    again = unused.length > 0;
  }
}

/** Whether a style sheet fills something with it. */
function used(id: string): boolean {
  return SHEETS.some((css) => css.includes(`#${id}"`));
}

/** The text of a picture. */
function file(game: string, { box, inside }: Picture, small = false): string {
  const Defs = DEFS[game]!;
  const host = document.createElement("div");
  render(
    <svg>
      <defs>
        <Defs />
      </defs>
      {inside}
    </svg>,
    host,
  );
  if (small) crop(host, box);
  prune(host);
  const drawn = (host.querySelector("svg")?.innerHTML ?? "").replace(/-?\d*\.\d{2,}/g, (number) =>
    String(Math.round(Number(number) * 10) / 10),
  );
  const [, , width, height] = box;
  const scale = Math.min(3.2, 640 / width);
  const size = `width="${Math.round(width * scale)}" height="${Math.round(height * scale)}"`;
  const view = box.map((each) => Math.round(each * 100) / 100).join(" ");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${view}" ${size}><style>${stylesFor(drawn)}</style>${drawn}</svg>\n`;
}

/** All files by their path under public/. */
export function pictures({ first, examples }: Data): Map<string, string> {
  const found = new Map<string, string>();
  for (const [game, data] of Object.entries(first)) {
    found.set(`pictures/${game}.svg`, file(game, FIRST[game]!(data), true));
  }
  for (const [name, data] of Object.entries(examples) as [string, Data][]) {
    found.set(`examples/${name}.svg`, file(name.split("-")[0]!, DRAW[data.kind]!(data)));
  }
  return found;
}
