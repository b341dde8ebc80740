import { renameSync, statSync } from "node:fs";
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

/** So deep what an error holds is told. */
const DEEP = 6;
/**
 * The database tells the values of the row that it refused; what was wrong with it stands in the message. Errors inside an error are told
 * alike; what is no error passes as it is.
 */
function errorOf(given: unknown): unknown {
  const told: unknown = pino.stdSerializers.err(given as Error);
  return told === given ? given : withoutValues(told, DEEP);
}
function withoutValues(told: unknown, deep: number): unknown {
  if (typeof told !== "object" || told === null) return told;
  if (deep === 0) return "[deeper]";
  if (Array.isArray(told)) return told.map((one) => withoutValues(one, deep - 1));
  const facts = told instanceof Error ? pino.stdSerializers.err(told) : told;
  // A serialised error has its raw one; a date, a buffer or a client is told as it was.
  if (!("raw" in facts) && Object.getPrototypeOf(facts) !== Object.prototype) return facts;
  const { detail: _detail, where: _where, ...rest } = facts as Record<string, unknown>;
  return Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, withoutValues(value, deep - 1)]));
}

const LARGEST_FILE = 10 * 1024 * 1024;

/**
 * Structured logs, one JSON line each; secrets and personal data are removed by name at two depths.
 * @param file where they go instead of the standard output; one that has grown large is put aside first
 */
export function openLog(file?: string, level = process.env["LOG_LEVEL"] ?? "info"): Logger {
  const paths = SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `req.headers.${name}`]);
  const options = {
    level,
    redact: { paths, censor: "[removed]" },
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: errorOf },
  };
  if (file === undefined) return pino(options);
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LARGEST_FILE) renameSync(file, `${file}.1`);
  const destination = pino.destination({ dest: file, mkdir: true, mode: 0o600 });
  // A full disk takes no lines; the service goes on, and /readyz says why.
  destination.on("error", () => {});
  return pino(options, destination);
}
