import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../run.ts";

/** Against what never comes, not a measure of speed. */
const START_MS = 600_000;

/**
 * Starts the built product in a folder of its own, with a demo world of nine days, and waits until that is whole.
 * @param port where it listens; its simulators have the next three
 * @returns its folder, and what ends it and takes the folder away
 */
export async function startDemo(port: number): Promise<{ dataDir: string; stop: () => Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), "zhangfang-guides-"));
  const env = {
    ...process.env,
    NODE_ENV: "test",
    DATA_DIR: dataDir,
    PORT: String(port),
    SIMULATOR_PORT: String(port + 1),
    ZHANGFANG_DEMO_DAYS: "9",
    LOG_LEVEL: "warn",
  };
  const child = spawn(process.execPath, [join(ROOT, "apps/server/main.ts")], { env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  };
  let said = "";
  const ready = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the product did not start in time:\n${said}`)), START_MS);
    const hear = (chunk: Buffer): void => {
      said += chunk.toString();
      if (!said.includes("演示数据已就绪")) return;
      clearTimeout(timer);
      resolve();
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    void ended.then((code) => reject(new Error(`the product ended with ${code}:\n${said}`)));
  });
  await ready.catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { dataDir, stop };
}
