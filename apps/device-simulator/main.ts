import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { parseArgs } from "node:util";
import { runDevice } from "./device.ts";
import type { Label } from "./sign.ts";

// Plays devices against the product's device API, as many as the book names: `{ "api": "http://…", "tills": [{ "sn", "key" }] }`.
// The demo world writes the book; GET /devices says what each device knows.
const { values } = parseArgs({
  options: {
    book: { type: "string", default: ".data/simulator/tills.json" },
    host: { type: "string", default: "127.0.0.1" },
    port: { type: "string", default: "8091" },
    // How much faster than real devices they turn the pictures of their ads.
    speed: { type: "string", default: "1" },
    // Ends when whoever started it ends: its standard input is then closed.
    "with-parent": { type: "boolean", default: false },
  },
});
const LOOK_MS = 2_000;
interface Book {
  readonly api: string;
  readonly tills: readonly (Label & { readonly online?: boolean })[];
}
const running = new Map<string, ReturnType<typeof runDevice>>();
/** Takes up whatever device the book names that does not run yet: the demo world may still be in the making. */
function takeUp(): void {
  if (!existsSync(values.book)) return;
  const { api, tills } = JSON.parse(readFileSync(values.book, "utf8")) as Book;
  for (const { sn, key, online = true } of tills)
    if (online && !running.has(sn)) running.set(sn, runDevice(api, { sn, key }, Number(values.speed)));
}
const looking = setInterval(takeUp, LOOK_MS);
takeUp();

const token = process.env["SIMULATOR_TOKEN"];
const server = createServer((request, reply) => {
  // Whoever started it knows it by this.
  if (token && request.url === "/proof") return void reply.writeHead(200).end(token);
  const found = request.url === "/devices";
  reply.writeHead(found ? 200 : 404, { "content-type": "application/json; charset=utf-8" });
  reply.end(JSON.stringify(found ? { devices: [...running.values()].map((device) => device.shown()) } : { message: "没有这个地址" }));
});
server.once("error", (error: NodeJS.ErrnoException) => {
  process.stderr.write(`${error.code === "EADDRINUSE" ? `端口 ${values.port} 已被占用，请用 SIMULATOR_PORT 换一组` : error.message}\n`);
  process.exit(1);
});
server.listen(Number(values.port), values.host, () => process.stdout.write(`设备模拟器 http://${values.host}:${values.port}\n`));

function stop(): void {
  clearInterval(looking);
  for (const device of running.values()) device.stop();
  server.close(() => process.exit(0));
  server.closeAllConnections();
}
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
if (values["with-parent"]) process.stdin.resume().once("end", stop);
