import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

const GAMES = ["genial", "blockers", "kaosmos"];
/** Answers of the HTTP API, and the files that stand for them on a static site. */
const LANGUAGES = ["en", "fr"];
const rules = (name: (game: string, lang: string) => string) =>
  GAMES.flatMap((game) => LANGUAGES.map((lang) => `api/rules/${name(game, lang)}`));
const TEXTS = {
  server: ["api/games", ...rules((game, lang) => `${game}?lang=${lang}`)],
  site: ["api/games.json", ...rules((game, lang) => `${game}.${lang}.md`)],
};

/** Writes sw.js: the shell of the app is kept for when the network is away. */
function serviceWorker(): Plugin {
  return {
    name: "tuilerie-service-worker",
    apply: "build",
    generateBundle: {
      order: "post", // when chunks that hold nothing but styles are gone
      handler(_options, bundle) {
        // Pyodide names it for other ways to start; ours is a file of the engine.
        for (const name of Object.keys(bundle)) if (name.endsWith(".wasm")) delete bundle[name];
        const all = Object.keys(bundle).filter((name) => /\.(js|css|woff2)$/.test(name));
        const engine = all.find((name) => name.includes("engine.worker"));
        if (!engine) throw new Error("the bundle has no engine.worker");
        const files = all.filter((name) => name !== engine);
        const listed = (folder: string) =>
          readdirSync(new URL(`./public/${folder}/`, import.meta.url)).map((n) => `${folder}/${n}`);
        const still = [
          "icon.svg",
          "manifest.webmanifest",
          ...listed("pictures"),
          ...listed("examples"),
        ];
        const shell = ["./", ...still, ...files];
        // The names of built files tell what is in them; the others are read for it.
        const digest = createHash("sha256").update(all.sort().join());
        for (const name of still) {
          digest.update(readFileSync(new URL(`./public/${name}`, import.meta.url)));
        }
        const version = digest.digest("hex").slice(0, 12);
        const source = readFileSync(new URL("./src/sw.js", import.meta.url), "utf8")
          .replace("__SHELL__", JSON.stringify(shell))
          .replace("__ENGINE_SCRIPT__", JSON.stringify(engine))
          .replace("__TEXTS__", JSON.stringify(TEXTS))
          .replace("__VERSION__", JSON.stringify(version));
        this.emitFile({ type: "asset", fileName: "sw.js", source });
      },
    },
  };
}

export default defineConfig({
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  plugins: [serviceWorker()],
  // Relative, so that the same files work in any folder; only the page is served at any depth.
  experimental: {
    renderBuiltUrl: (name: string, { hostType }: { hostType: string }) =>
      hostType === "html" ? `/${name}` : { relative: true },
  },
  worker: {
    format: "es",
    rollupOptions: { output: { entryFileNames: "assets/[name]-[hash].js" } },
  },
  build: {
    outDir: "../src/tuilerie/web_dist",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    sourcemap: false,
  },
  server: {
    port: 5173,
    proxy: {
      "/api": { target: "http://127.0.0.1:8080" },
      "/ws": { target: "ws://127.0.0.1:8080", ws: true },
    },
  },
  test: {
    environment: "happy-dom",
    include: ["tests/**/*.test.{ts,tsx}", "src/**/*.test.{ts,tsx}"],
    css: true, // tests/pictures.test.ts draws with the style sheets; by default they are empty
  },
} as Parameters<typeof defineConfig>[0]);
