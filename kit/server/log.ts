import { pino, type Logger } from "pino";

// What must never reach a log, by the name that carries it (reliability D3).
const SECRET_NAMES = [
  "authorization",
  "cookie",
  "password",
  "token",
  "id_token",
  "requestId",
  "ticket",
  "verifier",
  "key",
  "secret",
  "privateKey",
  "apiV3Key",
  "authCode",
  "totp",
  "captcha",
  "phone",
  "idCard",
];

/** Structured logs, one JSON line each; secrets and personal data are removed by name at two depths. */
export function openLog(level = process.env["LOG_LEVEL"] ?? "info"): Logger {
  const paths = SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `req.headers.${name}`]);
  return pino({ level, redact: { paths, censor: "[removed]" }, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime });
}
