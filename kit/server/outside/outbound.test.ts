import { createSocket, type Socket } from "node:dgram";
import { Resolver } from "node:dns";
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { createServer, type AddressInfo, type LookupFunction, type Server } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openOutbound } from "./outbound.ts";
import { isPublicAddress } from "./public-address.ts";

// W1 of the reliability page: whatever a name turns into, nothing that is not public is connected to.
const CLOSED = `
  0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.254 100.64.0.1 100.127.255.255 127.0.0.1 127.0.0.53 127.255.255.254 169.254.0.1
  169.254.169.254 169.254.170.2 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.192 192.0.2.1 192.88.99.1 192.168.0.1
  192.168.255.255 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.7 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255
  :: ::1 ::127.0.0.1 ::a9fe:a9fe ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::ffff:a9fe:a9fe ::ffff:192.168.1.1
  ::ffff:0:0 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::1 100::1 2001::1 2001:db8::1 2002:7f00:1::1 2002:a9fe:a9fe::
  3fff::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1 fe80::ffff febf::1 fec0::1 ff02::1 ff0e::1`
  .trim()
  .split(/\s+/);
const OPEN = [
  "1.1.1.1",
  "8.8.8.8",
  "100.63.255.255",
  "100.128.0.1",
  "172.15.0.1",
  "172.32.0.1",
  "192.169.0.1",
  "2606:4700::1111",
  "2400:3200::1",
  "::ffff:1.1.1.1",
];

test.each(CLOSED)("%s is not public", (address) => expect(isPublicAddress(address)).toBe(false));
test.each(OPEN)("%s is public", (address) => expect(isPublicAddress(address)).toBe(true));
test.each(["", "localhost", "127.1", "0x7f000001", "2130706433", "0177.0.0.1", "1.1.1.1:80", "[::1]"])("%s is no address", (text) =>
  expect(isPublicAddress(text)).toBe(false),
);

/** A server of names on this machine that answers what it is told, another time another. */
let names: Socket;
/** Whoever connects here is one too many. */
let trap: Server;
let connections = 0;
const answers = new Map<string, { turn: number; addresses: readonly string[][] }>();
beforeAll(async () => {
  names = createSocket("udp4");
  names.on("message", (asked, from) => names.send(answerTo(asked), from.port, from.address));
  names.bind(0, "127.0.0.1");
  await once(names, "listening");
  trap = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  trap.listen(0, "::");
  await once(trap, "listening");
});
afterAll(() => {
  names.close();
  trap.close();
});

/** An answer of the domain name system to a question for an A record (RFC 1035, 4.1). */
function answerTo(asked: Buffer): Buffer {
  let at = 12;
  const labels: string[] = [];
  for (let size = asked[at] ?? 0; size > 0; size = asked[at] ?? 0) {
    labels.push(asked.toString("latin1", at + 1, at + 1 + size));
    at += 1 + size;
  }
  const question = asked.subarray(12, at + 5);
  const isA = asked.readUInt16BE(at + 1) === 1;
  const known = answers.get(labels.join("."));
  const found = isA && known ? (known.addresses[Math.min(known.turn++, known.addresses.length - 1)] ?? []) : [];
  const head = Buffer.from([asked[0] ?? 0, asked[1] ?? 0, 0x81, 0x80, 0, 1, 0, found.length, 0, 0, 0, 0]);
  const rows = found.map((address) => Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split(".").map(Number)]));
  return Buffer.concat([head, question, ...rows]);
}
/** Asks the server of names as the system would, each time anew. */
const resolve: LookupFunction = (hostname, options, callback) => {
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${names.address().port}`]);
  resolver.resolve4(hostname, (error, found) => {
    if (error) callback(error, "", 4);
    else if (options.all)
      callback(
        null,
        found.map((address) => ({ address, family: 4 })),
      );
    else callback(null, found[0] ?? "", 4);
  });
};
const portOf = (): number => (trap.address() as AddressInfo).port;

test("a name that is anything but public is not connected to, also where it was public a moment before", async () => {
  const refused: string[] = [];
  for (const [place, address] of CLOSED.filter((one) => !one.includes(":")).entries()) {
    // Rebinding: first a public address, then the other; both at once, in either order; and the other alone.
    const kinds = [[["1.1.1.1"], [address]], [["1.1.1.1", address]], [[address, "1.1.1.1"]], [[address]]];
    for (const [kind, addresses] of kinds.entries()) {
      const host = `h${place}k${kind}.example`;
      answers.set(host, { turn: kind === 0 ? 1 : 0, addresses });
      const send = openOutbound([`${host}:${portOf()}`], { resolve });
      await send({ method: "GET", url: `https://${host}:${portOf()}/`, headers: {}, timeout_ms: 2_000 }).catch((error: Error) =>
        refused.push(error.message),
      );
    }
  }
  expect(new Set(refused)).toEqual(new Set(["outbound address not public"]));
  expect(refused.length).toBe(112);
  expect(connections).toBe(0);
});

test("an address is not connected to either, however it is written", async () => {
  const written = ["127.0.0.1", "127.1", "0x7f.1", "0x7f000001", "2130706433", "0177.0.0.1", "017700000001", "0", "①②⑦.⓪.⓪.①"];
  const literals = [
    ...written,
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[0:0:0:0:0:0:0:1]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
  ];
  for (const literal of literals) {
    const url = new URL(`https://${literal}:${portOf()}/`);
    const send = openOutbound([url.host]);
    await expect(send({ method: "GET", url: url.href, headers: {}, timeout_ms: 2_000 }), literal).rejects.toThrow(
      "outbound address not public",
    );
  }
  expect(connections).toBe(0);
});

test("a connection serves the next call, and is not kept until the other side closes it under a call", async () => {
  let made = 0;
  const server = createHttpServer((_asked, answer) => void setTimeout(() => answer.end("ok"), 10)).on("connection", () => made++);
  server.keepAliveTimeout = 5_000;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask = openOutbound([host], { loopback: true });
  const call = async () => (await ask({ method: "POST", url: `http://${host}/`, headers: {}, body: "{}", timeout_ms: 5_000 })).status;
  try {
    expect([await call(), await call()]).toEqual([200, 200]);
    expect(made).toBe(1);
    // Most of the five seconds, and the rest is room for a busy machine.
    await wait(3_500);
    expect(await call()).toBe(200);
    expect(made).toBe(2);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

test("a call may take longer than an idle connection is kept", async () => {
  const server = createHttpServer((_asked, answer) => void setTimeout(() => answer.end("ok"), 3_600));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const ask = openOutbound([host], { loopback: true });
    expect((await ask({ method: "GET", url: `http://${host}/`, headers: {}, timeout_ms: 20_000 })).status).toBe(200);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
