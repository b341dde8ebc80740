import { connect } from "node:net";

/** Bytes that no client of ours sends, and what they are. */
export const RAW: readonly (readonly [name: string, bytes: string | Buffer])[] = [
  ["no request at all", "BLAH BLAH\r\n\r\n"],
  ["a TLS hello", Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03])],
  ["64 kB of header", `GET /healthz HTTP/1.1\r\nhost: x\r\nx-long: ${"x".repeat(65_536)}\r\n\r\n`],
  ["2,000 headers", `GET /healthz HTTP/1.1\r\nhost: x\r\n${Array.from({ length: 2_000 }, (_none, n) => `x-${n}: 1`).join("\r\n")}\r\n\r\n`],
  ["20 kB of address", `GET /${"x".repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`],
  ["no host", "GET /healthz HTTP/1.1\r\n\r\n"],
  ["two hosts", "GET /api/brand HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n"],
  ["an old version", "GET /healthz HTTP/0.9\r\n\r\n"],
  ["a foreign absolute address", "GET http://elsewhere.example/api/account HTTP/1.1\r\nhost: x\r\n\r\n"],
  ["CONNECT", "CONNECT elsewhere.example:443 HTTP/1.1\r\nhost: x\r\n\r\n"],
  ["TRACE", "TRACE /api/account HTTP/1.1\r\nhost: x\r\n\r\n"],
  [
    "both a length and pieces",
    "POST /api/sessions/logout HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
  ],
  ["two lengths", "POST /api/sessions/logout HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}"],
  ["a negative length", "POST /api/sessions/logout HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n{}"],
  [
    "pieces of no size",
    "POST /api/sessions/logout HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
  ],
  ["a blank before the colon", "GET /healthz HTTP/1.1\r\nhost : x\r\n\r\n"],
  ["a folded header", "GET /healthz HTTP/1.1\r\nhost: x\r\nx-a: 1\r\n 2\r\n\r\n"],
  ["NUL in a header", "GET /healthz HTTP/1.1\r\nhost: x\r\nx-a: a\u0000b\r\n\r\n"],
  ["a line feed alone", "GET /healthz HTTP/1.1\nhost: x\n\n"],
  ["an expectation of nothing", "POST /api/authenticateNew HTTP/1.1\r\nhost: x\r\nexpect: miracles\r\ncontent-length: 0\r\n\r\n"],
  ["an upgrade", "GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n"],
  ["a bad escape in the path", "GET /api/orders/pay-orders/%E0%A4%A HTTP/1.1\r\nhost: x\r\n\r\n"],
  ["NUL in the path", "GET /api/orders/pay-orders/%00 HTTP/1.1\r\nhost: x\r\n\r\n"],
  ["a way up", "GET /api/../../../etc/passwd HTTP/1.1\r\nhost: x\r\n\r\n"],
  ["an encoded way up", "GET /..%2f..%2fetc%2fpasswd HTTP/1.1\r\nhost: x\r\n\r\n"],
  ["backslashes", "GET \\api\\account HTTP/1.1\r\nhost: x\r\n\r\n"],
  ["a long parameter", `GET /api/orders/pay-orders/${"1".repeat(3_000)} HTTP/1.1\r\nhost: x\r\n\r\n`],
  ["half a body", "POST /api/authenticateNew HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"],
];

export interface RawAnswer {
  /** Absent where the line was closed without a word. */
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}
/** Sends bytes and takes what comes until the line is closed; a silent one is closed from here. */
export async function sendRaw(port: number, bytes: string | Buffer, silence_ms = 300): Promise<RawAnswer> {
  const said = await new Promise<string>((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port });
    const chunks: Buffer[] = [];
    socket.setTimeout(silence_ms, () => socket.destroy());
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("close", () => resolve(Buffer.concat(chunks).toString("utf8")));
    socket.on("error", (error: NodeJS.ErrnoException) =>
      error.code === "ECONNRESET" || error.code === "EPIPE" ? undefined : reject(error),
    );
    socket.write(bytes);
  });
  const [head = "", ...rest] = said.split("\r\n\r\n");
  const [line = "", ...fields] = head.split("\r\n");
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(line)?.[1];
  const headers = Object.fromEntries(
    fields.map((field) => [field.slice(0, field.indexOf(":")).toLowerCase(), field.slice(field.indexOf(":") + 1).trim()]),
  );
  return { ...(status && { status: Number(status) }), headers, text: rest.join("\r\n\r\n") };
}
