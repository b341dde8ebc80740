import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { readConfig } from "@zhangfang/server/config.ts";
import { openLog } from "@zhangfang/server/log.ts";
import { StartError } from "@zhangfang/server/start-error.ts";
import { startSimulators } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "simulators-"));
let strangers: Server[] = [];
const leave = () => Promise.all(strangers.map((one) => new Promise((resolve) => one.close(resolve))));
afterEach(async () => {
  await leave();
  rmSync(folder, { recursive: true, force: true });
});

const seen: string[] = [];
/** Somebody who answers everything with 200 listens on three ports in a row. @returns the first of them */
async function standThere(): Promise<number> {
  for (let port = 9480; port < 9500; port++) {
    strangers = [port, port + 1, port + 2].map(() =>
      createServer((request, response) => {
        seen.push(`${request.method} ${request.url}`);
        response.writeHead(200).end("somebody else");
      }),
    );
    const up = strangers.map(
      (one, n) =>
        new Promise<boolean>((resolve) => one.once("error", () => resolve(false)).listen(port + n, "127.0.0.1", () => resolve(true))),
    );
    if ((await Promise.all(up)).every(Boolean)) return port;
    await leave();
  }
  throw new Error("no three ports in a row are free");
}

test("whoever answers on a simulator's port without knowing its token is refused, and hears nothing but the question for it", async () => {
  const config = { ...readConfig({ DATA_DIR: folder }), simulator_port: await standThere() };
  const lost: string[] = [];
  const started = startSimulators({ config, log: openLog(join(folder, "log")) }, (line) => void lost.push(line));
  await expect(started).rejects.toThrow(StartError);
  await expect(started).rejects.toThrow("没有启动");
  expect(lost).toEqual([]);
  expect(seen).toContain("GET /proof");
  expect(new Set(seen)).toEqual(new Set(["GET /proof"]));
});
