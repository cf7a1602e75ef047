import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

/** Writes sw.js: the shell of the app is kept for when the network is away. */
function serviceWorker(): Plugin {
  return {
    name: "tuilerie-service-worker",
    apply: "build",
    generateBundle: {
      order: "post", // when chunks that hold nothing but styles are gone
      handler(_options, bundle) {
        const files = Object.keys(bundle).filter((name) => /\.(js|css|woff2)$/.test(name));
        const pictures = readdirSync(new URL("./public/pictures/", import.meta.url));
        const still = [
          "icon.svg",
          "manifest.webmanifest",
          ...pictures.map((name) => `pictures/${name}`),
        ];
        const shell = ["/", ...[...still, ...files].map((name) => `/${name}`)];
        // The names of built files tell what is in them; the others are read for it.
        const digest = createHash("sha256").update(files.sort().join());
        for (const name of still) {
          digest.update(readFileSync(new URL(`./public/${name}`, import.meta.url)));
        }
        const version = digest.digest("hex").slice(0, 12);
        const source = readFileSync(new URL("./src/sw.js", import.meta.url), "utf8")
          .replace("__SHELL__", JSON.stringify(shell))
          .replace("__VERSION__", JSON.stringify(version));
        this.emitFile({ type: "asset", fileName: "sw.js", source });
      },
    },
  };
}

export default defineConfig({
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  plugins: [serviceWorker()],
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
  },
} as Parameters<typeof defineConfig>[0]);
