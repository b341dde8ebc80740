import { readFileSync } from "node:fs";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig, type Rolldown, type UserConfig } from "vite";
import { contractPlugin } from "@zhangfang/web/vite/vite-contract.ts";
import { themePlugin } from "@zhangfang/web/vite/vite-theme.ts";

/** Where the dev server sends calls. */
const API = process.env.API_ORIGIN ?? `http://127.0.0.1:${process.env.PORT ?? 8080}`;
const CALLS = [
  "/api",
  "/auth",
  "/device",
  "/ad",
  "/newokpayorderservice",
  "/sfpfacadeservice",
  "/sfpfacadeservicepc",
  "/wxImgfilter",
  "/files",
];

/** Pages, each with a bundle of its own: what the second one shares with the first would cut the login page into twenty requests. */
export const PAGES = ["index", "fill"] as const;
/** What screens are made of. Forms, schemas and antd are no part of it. */
const PARTS =
  /\/(kit\/(contract|web\/(?!form\/(?!drafts|dirty)))|node_modules\/(react-router|@tanstack)\/)(?!.*(\?full|\/endpoint\.ts|\.css)$)/;
/**
 * Pieces that most screens share travel as a few files: together they weigh a fifth less than apart, and a slow network asks for fewer.
 * A list takes `base` and `list`; forms are a file of their own, for the screens that show one at once.
 */
const GROUPS: Rolldown.CodeSplittingOptions["groups"] = [
  { name: "start", tags: ["$initial"], priority: 4 },
  { name: "base", test: PARTS, minShareCount: 95, priority: 3 },
  {
    name: (module: string) => (opensOnly(module) ? "doors" : null),
    debugName: "doors",
    test: /\/domains\/[^/]+\/web\/index\.ts$/,
    priority: 3,
  },
  { name: "list", test: PARTS, minShareCount: 35, priority: 2 },
  { name: "form", test: /\/kit\/web\/form\/(?!zod-setup|.*\.css$)/, minShareCount: 30, priority: 1 },
];
/** Whether a door names screens only: what it hands on to other rooms, or takes from them, does not travel with it. */
const opensOnly = (door: string): boolean => !/^(export \{|import .*\.\.\/\.\.\/)/m.test(readFileSync(door, "utf8"));
/** The browser side. `version` is the release that the update prompt compares. */
export function webConfig(version: string, page: (typeof PAGES)[number] = "index"): UserConfig {
  return {
    root: import.meta.dirname,
    plugins: [contractPlugin(), themePlugin(), react()],
    define: { RELEASE: JSON.stringify(version) },
    server: { proxy: Object.fromEntries(CALLS.map((path) => [path, { target: API, changeOrigin: false }])) },
    build: {
      target: "es2023",
      outDir: "dist",
      // The chunks of the release before stay, for pages that are still open; build.ts clears what is older.
      emptyOutDir: false,
      manifest: page === "index" ? true : `.vite/${page}.json`,
      rollupOptions: { input: join(import.meta.dirname, `${page}.html`), output: { codeSplitting: { groups: GROUPS } } },
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      // The drawing library is one chunk, and only pages with charts load it.
      chunkSizeWarningLimit: 600,
    },
  };
}
export default defineConfig(webConfig("dev"));
