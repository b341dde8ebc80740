// npm run dev: the service restarts when its sources change, the web reloads by itself at http://127.0.0.1:5173.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createServer } from "vite";
import { buildWebIfStale } from "./start.ts";

const ROOT = join(import.meta.dirname, "..");
await buildWebIfStale();
const watched = ["apps/server", "apps/demo", "kit/server", "kit/contract", "domains", "db"].flatMap((folder) => [
  "--watch-path",
  join(ROOT, folder),
]);
const server = spawn(process.execPath, ["--watch", "--watch-preserve-output", ...watched, join(ROOT, "apps/server/main.ts")], {
  stdio: "inherit",
});
const vite = await createServer({ configFile: join(ROOT, "apps/web/vite.config.ts"), root: join(ROOT, "apps/web") });
await vite.listen();
vite.printUrls();
process.on("SIGINT", () => {
  server.kill("SIGINT");
  void vite.close();
});
server.on("exit", (code) => process.exit(code ?? 0));
