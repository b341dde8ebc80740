import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { problemOf, Refusal } from "@zhangfang/server/calls/errors.ts";
import { securityHeaders } from "./security-headers.ts";

const WORDS: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, "请求头过大"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "请求超时，请重试"],
};

/** What can't be read as a request at all is refused in the same form as everything else, and the line is closed. */
export function answerBroken(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message] = WORDS[error.code ?? ""] ?? [400, "请求格式不正确"];
  const traceId = randomUUID();
  const body = JSON.stringify(problemOf(new Refusal(status, "broken", message), traceId));
  const headers = {
    ...securityHeaders("/api/"),
    "x-trace-id": traceId,
    "content-type": "application/problem+json",
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("\r\n")}\r\n\r\n${body}`);
}
