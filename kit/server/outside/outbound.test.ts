import { createHook } from "node:async_hooks";
import { createSocket, type Socket } from "node:dgram";
import { Resolver } from "node:dns";
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { createServer, type AddressInfo, type LookupFunction, type Server } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { lookupApart, openOutbound, openTyped, typedUrlFault } from "./outbound.ts";
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

// The second door: to addresses that somebody typed.
test("a typed address is looked at in every spelling, and its name again when it is connected to", async () => {
  const host = (text: string) => `https://${text}/`;
  const bad = [
    "1.1.1.1",
    "127.1",
    "0x7f000001",
    "2130706433",
    "0177.0.0.1",
    "0",
    "①②⑦.⓪.⓪.①",
    "127.0.0.1.",
    "[::1]",
    "[::ffff:7f00:1]",
    "[2606:4700::1111]",
  ];
  for (const literal of bad) expect(typedUrlFault(host(literal)), literal).toBe("请用域名，不能用 IP 地址");
  for (const text of ["http://a.example/", "ftp://a.example/", "http://127.0.0.1:8080/"])
    expect(typedUrlFault(text), text).toMatch(/https/);
  for (const text of ["https://a.example:80/", "https://a.example:22/", "https://a.example:444/"])
    expect(typedUrlFault(text), text).toMatch(/端口/);
  for (const text of ["https://u@a.example/", "https://:p@a.example/"]) expect(typedUrlFault(text), text).toMatch(/用户名/);
  for (const text of ["https://a.example/", "https://a.example:443/x?y", "https://a.example:8443/"])
    expect(typedUrlFault(text), text).toBeUndefined();
  // Only this machine by its number, and only where that is open.
  expect([
    typedUrlFault("http://127.0.0.1:9/", "any"),
    typedUrlFault("http://127.0.0.1:9/", [9]),
    typedUrlFault("http://127.0.0.1:10/", [9]),
    typedUrlFault("http://127.0.0.1/", [9]),
    typedUrlFault("http://10.0.0.1:9/", [9]),
    typedUrlFault("http://localhost:9/", [9]),
  ]).toEqual([undefined, undefined, ...Array.from({ length: 4 }, () => "网址须以 https:// 开头")]);
  const refused = new Set<string>();
  const at = connections;
  for (const [place, addresses] of [
    [["127.0.0.1"]],
    [["1.1.1.1", "10.0.0.1"]],
    [["169.254.169.254"]],
    [["1.1.1.1"], ["192.168.0.1"]],
  ].entries()) {
    const name = `typed${place}.example`;
    // Rebinding: the first answer, public, was somebody's before us.
    answers.set(name, { turn: addresses.length - 1, addresses });
    const send = openTyped({ resolve, keep_bytes: 10 });
    await send({ method: "POST", url: `https://${name}:8443/`, headers: {}, body: "{}", timeout_ms: 2_000 }).catch((error: Error) =>
      refused.add(error.message),
    );
  }
  expect(refused).toEqual(new Set(["outbound address not public"]));
  expect(connections).toBe(at);
});

test("of an answer to a typed address the first bytes are kept, redirects are told and not followed, and time runs until the last byte", async () => {
  const asked: string[] = [];
  const server = createHttpServer((request, answer) => {
    asked.push(request.url ?? "");
    if (request.url === "/away") answer.writeHead(302, { location: "/else" }).end();
    else if (request.url === "/long") answer.writeHead(200).end("x".repeat(3_000_000));
    else answer.writeHead(200).write("a");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const send = openTyped({ loopback: "any", keep_bytes: 1024 });
  const ask = (path: string, timeout_ms = 5_000) => send({ method: "POST", url: `${base}${path}`, headers: {}, body: "{}", timeout_ms });
  try {
    expect((await ask("/away")).status).toBe(302);
    expect((await ask("/long")).body.length).toBe(1024);
    await expect(ask("/drip", 200)).rejects.toThrow("no answer within 200 ms");
    expect(asked).toEqual(["/away", "/long", "/drip"]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test.each([
  ["another protocol", "HTTP/1.1 101 x\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n", 101],
  ["nothing of a protocol", "HTTP/1.1 101 x\r\n\r\n", 101],
  ["a hint and no answer", "HTTP/1.1 103 x\r\n\r\n", undefined],
  ["half a body", "HTTP/1.1 200 x\r\nContent-Length: 9\r\n\r\nabc", undefined],
  ["half a piece", "HTTP/1.1 200 x\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nabc", undefined],
  ["no head", "x\r\n\r\n", undefined],
  ["nothing", "", undefined],
])("an answer of %s ends the call at both doors", async (_what, bytes, status) => {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(bytes));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const doors = [openOutbound([host], { loopback: true }), openTyped({ loopback: "any", keep_bytes: 9 })];
  try {
    for (const into of [undefined, { sink: async () => {}, most_bytes: 9 }])
      for (const [place, ask] of doors.entries()) {
        const call = ask({ method: "POST", url: `http://${host}/`, headers: {}, body: "{}", timeout_ms: 1_000, ...(into && { into }) });
        // For a channel it means that nothing is known; for a receiver the status is written down.
        if (status === undefined || place === 0) await expect(call).rejects.toThrow();
        else expect((await call).status).toBe(status);
      }
  } finally {
    server.close();
  }
});

test("a reading that hangs ends with its time", async () => {
  const server = createHttpServer((_asked, answer) => answer.end("abc"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const into = { sink: () => new Promise<void>(() => {}), most_bytes: 9 };
  const call = openOutbound([host], { loopback: true })({ method: "GET", url: `http://${host}/`, headers: {}, timeout_ms: 200, into });
  try {
    await expect(call).rejects.toThrow("no answer within 200 ms");
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test("names that were typed are looked up beside the threads that the first door needs", async () => {
  const asked: string[] = [];
  const hook = createHook({ init: (_id, type) => void (type === "GETADDRINFOREQWRAP" && asked.push(type)) }).enable();
  try {
    const call = openTyped({ keep_bytes: 9 })({ method: "POST", url: "https://push.invalid/", headers: {}, timeout_ms: 300 });
    await expect(call).rejects.toThrow();
  } finally {
    hook.disable();
  }
  expect(asked).toEqual([]);
  // What the name servers say is what is connected to, in both forms in which it is asked for.
  answers.set("typed.example", { turn: 0, addresses: [["1.1.1.1", "8.8.8.8"]] });
  const look = lookupApart([`127.0.0.1:${names.address().port}`]);
  const found = (name: string, all: boolean) => new Promise((done) => look(name, { all }, (error, given) => done(error?.code ?? given)));
  expect(await found("typed.example", true)).toEqual([
    { address: "1.1.1.1", family: 4 },
    { address: "8.8.8.8", family: 4 },
  ]);
  expect(await found("typed.example", false)).toBe("1.1.1.1");
  expect(await found("none.example", true)).toBe("ENOTFOUND");
});
