import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildWebIfStale } from "../tools/start.ts";
import { PORT, SIMULATOR_PORT } from "./world.ts";

const START_MS = 240_000;

/** Starts the product as npm start does, in a folder of its own, with a demo world of a week; stops it after the last journey. */
export default async function setup(): Promise<() => Promise<void>> {
  await buildWebIfStale();
  const dataDir = mkdtempSync(join(tmpdir(), "zhangfang-e2e-"));
  const env = {
    ...process.env,
    NODE_ENV: "test",
    DATA_DIR: dataDir,
    PORT: String(PORT),
    SIMULATOR_PORT: String(SIMULATOR_PORT),
    ZHANGFANG_DEMO_DAYS: "9",
    LOG_LEVEL: "warn",
  };
  const child = spawn(process.execPath, [join(import.meta.dirname, "../apps/server/main.ts")], { env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  const ready = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the product did not start in time:\n${said}`)), START_MS);
    const hear = (chunk: Buffer) => {
      said += chunk.toString();
      if (!said.includes("演示数据已就绪")) return;
      clearTimeout(timer);
      resolve();
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.once("exit", (code) => reject(new Error(`the product ended with ${code}:\n${said}`)));
  });
  await ready;
  return async () => {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  };
}
