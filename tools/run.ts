import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";

export const ROOT = join(import.meta.dirname, "..");

export interface Ran {
  readonly code: number;
  /** What it printed, where it was not shown at once. */
  readonly output: string;
}

/**
 * Runs one of the project's tools from the root.
 * @param show its output goes to the terminal as it comes; otherwise it is collected
 */
export async function run(
  command: string,
  args: readonly string[],
  { show = false, env = {} }: { show?: boolean; env?: Record<string, string> } = {},
): Promise<Ran> {
  const path = `${join(ROOT, "node_modules/.bin")}${delimiter}${process.env["PATH"] ?? ""}`;
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, ...env, PATH: path },
    stdio: show ? "inherit" : ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32",
  });
  const chunks: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => chunks.push(chunk));
  const code = await new Promise<number>((resolve, reject) => child.once("error", reject).once("close", (ended) => resolve(ended ?? 1)));
  return { code, output: Buffer.concat(chunks).toString() };
}
