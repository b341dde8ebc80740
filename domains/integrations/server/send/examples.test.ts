import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
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

test.for(LANGUAGES)(
  "the receiver for $name takes what was really sent, and nothing forged, changed or old",
  async ({ name, program, file, source }, { skip }) => {
    const there = spawnSync(program, ["--version"]);
    if (there.error) return skip(`${name} is not on this machine`);
    await world.clean();
    const { secret } = await world.endpoint({ events: ["order.paid"] });
    await world.pay(1_000);
    // The examples look at the machine's own clock.
    const before = world.services.clock.now_ms();
    world.services.clock.set(new Date().toISOString());
    await world.send();
    world.services.clock.set(new Date(before).toISOString());
    const { headers, bytes } = world.receiver.got[0]!;
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
    };
    writeFileSync(join(folder, file), source);
    const all = Object.values(asked).map((one) => ({ headers: one.headers, body: one.bytes.toString("base64") }));
    const { stdout, stderr } = spawnSync(program, [join(folder, file)], { input: JSON.stringify({ secret, all }), encoding: "utf8" });
    expect(stderr).toBe("");
    const said = JSON.parse(stdout) as boolean[];
    expect(Object.keys(asked).filter((_name, n) => said[n])).toEqual(["sent", "signed by two"]);
  },
);
