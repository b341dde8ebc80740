import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SocketConnection } from "@zhangfang/server/database/embedded-postgres.ts";
import type { Statement } from "./bare.ts";
import type { Ask, ServerInput, Usage } from "./server.ts";

/** Runs one part of the benchmark in a process of its own: one message in, one message out. */
export async function runPart<I extends object, O>(file: string, input: I): Promise<O> {
  const part = startPart(file);
  const answer = await part.ask<O>(input);
  await part.stop();
  return answer;
}

interface Part {
  /** One message and its answer. */
  ask<O>(message: object): Promise<O>;
  stop(): Promise<void>;
}
/** A process that is asked again and again. */
export function startPart(file: string, execArgv: readonly string[] = []): Part {
  const child = fork(join(import.meta.dirname, file), { execArgv: [...execArgv] });
  const gone = new Promise<number | null>((resolve) => child.once("exit", resolve));
  return {
    ask: (message) =>
      new Promise((resolve, reject) => {
        void gone.then((code) => reject(new Error(`${file} ended with ${code}`)));
        child.once("message", (answer: { failure?: string }) =>
          answer.failure === undefined ? resolve(answer as never) : reject(new Error(answer.failure)),
        );
        child.send(message);
      }),
    async stop() {
      if (child.connected) child.disconnect();
      await gone;
    },
  };
}

export interface BenchServer {
  readonly port: number;
  /** The statements that one GET asks of the database. */
  capture(path: string, token: string): Promise<Statement[]>;
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}
// As boot.mjs and the Dockerfile start the service.
const NODE_FLAGS = ["--max-semi-space-size=16"];
/** Starts the product on a world, where it is asked for with jobs, and before channels that give at once what they are asked. */
export async function startServer(
  connection: SocketConnection,
  port: number,
  {
    work = false,
    willing = false,
    tenOffers = false,
    platforms,
  }: Partial<Pick<ServerInput, "work" | "willing" | "tenOffers" | "platforms">> = {},
): Promise<BenchServer> {
  const data_dir = mkdtempSync(join(tmpdir(), "zhangfang-bench-data-"));
  const part = startPart("server.ts", NODE_FLAGS);
  await part.ask({ connection, port, data_dir, work, willing, tenOffers, platforms } satisfies ServerInput);
  return {
    port,
    capture: (path, token) => part.ask({ kind: "capture", path, token } satisfies Ask),
    usage: () => part.ask({ kind: "usage" } satisfies Ask),
    async stop() {
      await part.stop();
      rmSync(data_dir, { recursive: true, force: true });
    },
  };
}
