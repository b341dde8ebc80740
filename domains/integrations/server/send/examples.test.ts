import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { VERIFY_NODE, VERIFY_PHP, VERIFY_PYTHON } from "../../contract/index.ts";
import { signatureOf } from "../rules/sign.ts";
import { openPushWorld, type PushWorld } from "../testing/push-world.ts";

let world: PushWorld;
let folder = "";
beforeAll(async () => {
  world = await openPushWorld();
  folder = mkdtempSync(join(tmpdir(), "zf-push-"));
}, 60_000);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await world.close();
});

interface Message {
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}
interface Language {
  readonly name: string;
  readonly program: string;
  readonly file: string;
  /** What docs/push.md shows, and a caller of it: a list of messages comes in as JSON, a list of verdicts goes out. */
  readonly source: string;
}
const LANGUAGES: readonly Language[] = [
  {
    name: "Node",
    program: process.execPath,
    file: "verify.cjs",
    source: `${VERIFY_NODE}
const { secret, all } = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(all.map(({ headers, body }) => verify(headers, Buffer.from(body, "base64"), secret))));`,
  },
  {
    name: "PHP",
    program: "php",
    file: "verify.php",
    source: `${VERIFY_PHP}
$in = json_decode(file_get_contents('php://stdin'), true);
echo json_encode(array_map(fn($one) => verify($one['headers'], base64_decode($one['body']), $in['secret']), $in['all']));`,
  },
  {
    name: "Python",
    program: "python3",
    file: "verify.py",
    source: `${VERIFY_PYTHON}

import json, sys
given = json.load(sys.stdin)
print(json.dumps([verify(one["headers"], base64.b64decode(one["body"]), given["secret"]) for one in given["all"]]))`,
  },
];

/** The one message that waits, as it came over the wire: sent by the machine's own clock, at which the examples look. */
async function sentNow(): Promise<Message> {
  const before = world.services.clock.now_ms();
  world.services.clock.set(new Date().toISOString());
  await world.send();
  world.services.clock.set(new Date(before).toISOString());
  return world.receiver.got[0]!;
}

test.for(LANGUAGES)(
  "the receiver for $name takes what was really sent, and nothing forged, changed or old",
  async ({ name, program, file, source }, { skip }) => {
    const there = spawnSync(program, ["--version"]);
    if (there.error) return skip(`${name} is not on this machine`);
    await world.clean();
    const { secret } = await world.endpoint({ events: ["order.paid"] });
    await world.pay(1_000);
    const { headers, bytes } = await sentNow();
    const [id, at] = [String(headers["webhook-id"]), Number(headers["webhook-timestamp"])];
    const signed = (seconds: number): Message => ({
      headers: {
        ...headers,
        "webhook-timestamp": String(seconds),
        "webhook-signature": signatureOf(secret, id, seconds, bytes.toString()),
      },
      bytes,
    });
    const other = signatureOf(`whsec_${Buffer.alloc(32, 1).toString("base64")}`, id, at, bytes.toString());
    const without = (name: string): Message => ({
      headers: Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name)),
      bytes,
    });
    const asked: Record<string, Message> = {
      sent: { headers, bytes },
      "signed by two": { headers: { ...headers, "webhook-signature": `${other} ${String(headers["webhook-signature"])}` }, bytes },
      "signed by somebody else": { headers: { ...headers, "webhook-signature": other }, bytes },
      unsigned: { headers: { ...headers, "webhook-signature": "v1," }, bytes },
      changed: { headers, bytes: Buffer.from(bytes.toString().replace("1000", "9000")) },
      "a byte more": { headers, bytes: Buffer.concat([bytes, Buffer.from(" ")]) },
      "of another time": { headers: { ...headers, "webhook-timestamp": String(at + 1) }, bytes },
      "rightly signed ten minutes ago": signed(at - 600),
      "rightly signed for ten minutes on": signed(at + 600),
      empty: { headers: {}, bytes: Buffer.alloc(0) },
      "without an id": without("webhook-id"),
      "without a time": without("webhook-timestamp"),
      "without a signature": without("webhook-signature"),
      "of no time": { headers: { ...headers, "webhook-timestamp": "²" }, bytes },
      "of a time without end": { headers: { ...headers, "webhook-timestamp": "9".repeat(5_000) }, bytes },
      "signed in other letters": { headers: { ...headers, "webhook-signature": "v1,é 签" }, bytes },
    };
    writeFileSync(join(folder, file), source);
    const all = Object.values(asked).map((one) => ({ headers: one.headers, body: one.bytes.toString("base64") }));
    const { stdout, stderr } = spawnSync(program, [join(folder, file)], { input: JSON.stringify({ secret, all }), encoding: "utf8" });
    expect(stderr).toBe("");
    const said = JSON.parse(stdout) as boolean[];
    expect(Object.keys(asked).filter((_name, n) => said[n])).toEqual(["sent", "signed by two"]);
  },
);

/** The receivers of docs/push.md, whole as they stand there, as processes. */
const PAPER = readFileSync(new URL("../../../../docs/push.md", import.meta.url), "utf8");
const wholeOf = (fence: string): string => new RegExp(`\`\`\`${fence}\\n([\\s\\S]+?)\`\`\``).exec(PAPER)![1]!;
const RECEIVERS = [
  { name: "Node", program: process.execPath, fence: "js", args: (file: string) => [file] },
  { name: "PHP", program: "php", fence: "php", args: (file: string, port: number) => ["-S", `127.0.0.1:${port}`, file] },
  { name: "Python", program: "python3", fence: "python", args: (file: string) => [file] },
];
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}
const post = (port: number, { headers, bytes }: Message): Promise<number> =>
  new Promise((done, failed) => {
    const { host: _host, connection: _connection, ...rest } = headers;
    const asked = request({ port, host: "127.0.0.1", method: "POST", path: "/hooks/hemu", headers: rest }, (answer) => {
      answer.resume().on("end", () => done(answer.statusCode ?? 0));
    });
    asked.on("error", failed).end(bytes);
  });
/** Somebody who goes away in the middle of a body. */
async function leave(port: number): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  await new Promise((done) => socket.write("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 500\r\n\r\nhalf", done));
  socket.destroy();
}

test.for(RECEIVERS)("the whole receiver in $name outlives strangers, takes each message once and nothing older", async (one, { skip }) => {
  if (spawnSync(one.program, ["--version"]).error) return skip(`${one.name} is not on this machine`);
  await world.clean();
  const { secret } = await world.endpoint({ events: ["order.paid"] });
  await world.pay(1_000);
  const { headers, bytes } = await sentNow();
  const file = join(folder, `receiver.${one.fence === "js" ? "cjs" : one.fence}`);
  writeFileSync(file, wholeOf(one.fence));
  const port = await freePort();
  let said = "";
  const start = async (): Promise<ChildProcess> => {
    const env = { ...process.env, PUSH_SECRET: secret, PUSH_PORT: String(port), PUSH_FILE: join(folder, `kept-${one.fence}`) };
    const child = spawn(one.program, one.args(file, port), { env, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece: Buffer) => (said += piece.toString()));
    for (let up = false; !up;) {
      if (child.exitCode !== null) throw new Error(said);
      up = await post(port, { headers: {}, bytes: Buffer.alloc(0) }).then(
        (status) => status === 401,
        () => false,
      );
      if (!up) await pause(50);
    }
    return child;
  };
  const stop = async (child: ChildProcess): Promise<void> => {
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  };
  const event = JSON.parse(bytes.toString()) as { data: { id: string; version: number } };
  const of = (id: string, version: number): Message => {
    const body = Buffer.from(JSON.stringify({ ...event, data: { ...event.data, version } }));
    const at = Number(headers["webhook-timestamp"]);
    const { "content-length": _length, ...rest } = headers;
    return { headers: { ...rest, "webhook-id": id, "webhook-signature": signatureOf(secret, id, at, body.toString()) }, bytes: body };
  };
  const took = () => [...said.matchAll(/took order\.paid \S+ (\d+)/g)].map(([, version]) => Number(version));
  let child = await start();
  try {
    // Strangers: with nothing, with half of it, with a forged one, gone in the middle.
    expect(await post(port, { headers: { "webhook-id": "msg_1" }, bytes })).toBe(401);
    expect(await post(port, { headers: { ...headers, "webhook-signature": "v1," }, bytes })).toBe(401);
    expect(await post(port, { headers, bytes: Buffer.from(bytes.toString().replace("1000", "9000")) })).toBe(401);
    await leave(port);
    expect(await post(port, of("msg_second", 5))).toBe(204);
    expect(await post(port, { headers, bytes })).toBe(204);
    expect(await post(port, of("msg_second", 5))).toBe(204);
    expect(await post(port, of("msg_third", 6))).toBe(204);
    await vi.waitFor(() => expect(took()).toEqual([5, 6]));
    // What it knows outlives it.
    await stop(child);
    child = await start();
    expect(await post(port, of("msg_third", 6))).toBe(204);
    expect(await post(port, of("msg_fourth", 6))).toBe(204);
    expect(await post(port, of("msg_fifth", 7))).toBe(204);
    await vi.waitFor(() => expect(took()).toEqual([5, 6, 7]));
  } finally {
    await stop(child);
  }
});
