import { createHmac, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { StartError } from "./start-error.ts";

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly data_dir: string;
  /** An external server; absent, the embedded one in data_dir is used. */
  readonly database_url: string | undefined;
  /** The login role of the running service on an external server, where the owner may not create roles. */
  readonly database_app_url: string | undefined;
  /** Standbys on which reads may run that bear a delay. */
  readonly database_read_urls: readonly string[];
  /** 32 bytes from which every other key is derived. */
  readonly secret: Buffer;
  readonly demo: boolean;
  readonly production: boolean;
  /** How the channel reaches us, for notify_url. */
  readonly public_url: string;
  /** Of the demo's channel simulator, ten above the service's own; the device simulator has the next one. */
  readonly simulator_port: number;
  /** Where acquirers are asked, by their code: `ACQUIRER_URL_4`. Their addresses stand in their contracts. */
  readonly acquirer_urls: Readonly<Record<string, string>>;
  /** Whether calls of 团购 platforms that no document describes are made (docs/platforms.md): `PLATFORM_UNVERIFIED=yes`, and in a demo. */
  readonly platform_unverified: boolean;
  readonly pool_size: number;
  /** Where files lie; absent, in data_dir. */
  readonly object_store: ObjectStore | undefined;
  /** Where mails go out; absent, none are sent. */
  readonly mail: MailServer | undefined;
}
/** A mail server that takes our mails on, and who they are from. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; else STARTTLS is demanded, but on this machine. */
  readonly secure: boolean;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly from: string;
}
/** A bucket of an S3-compatible store, addressed by path. */
export interface ObjectStore {
  /** Without a slash at its end. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly key_id: string;
  readonly secret: string;
}

/**
 * Reads the environment. In production the secret must be given and the demo asked for by name
 * (`ZHANGFANG_DEMO=yes`); elsewhere a secret is made once in the data folder and the demo is on unless `ZHANGFANG_DEMO=no`.
 * @throws StartError with one line where something is missing or wrong
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const production = env["NODE_ENV"] === "production";
  const data_dir = env["DATA_DIR"] ?? ".data";
  const host = env["HOST"] ?? "127.0.0.1";
  const port = portOf(env["PORT"], 8080, "PORT");
  // With all of these given, nothing is kept on this machine.
  if (!(production && env["ZHANGFANG_SECRET"] && env["DATABASE_URL"] && env["S3_ENDPOINT"])) makeDataDir(data_dir);
  const demo = production ? env["ZHANGFANG_DEMO"] === "yes" : env["ZHANGFANG_DEMO"] !== "no";
  return {
    host,
    port,
    data_dir,
    database_url: env["DATABASE_URL"] || undefined,
    database_app_url: env["DATABASE_APP_URL"] || undefined,
    database_read_urls: readUrls(env),
    secret: readSecret(env["ZHANGFANG_SECRET"], production && !demo, data_dir),
    demo,
    production,
    public_url: env["PUBLIC_URL"] ?? `http://127.0.0.1:${port}`,
    acquirer_urls: acquirerUrls(env),
    platform_unverified: demo || env["PLATFORM_UNVERIFIED"] === "yes",
    simulator_port: portOf(env["SIMULATOR_PORT"], port + 10, "SIMULATOR_PORT"),
    pool_size: portOf(env["POOL_SIZE"], 10, "POOL_SIZE"),
    object_store: readObjectStore(env),
    mail: readMail(env),
  };
}

function readUrls(env: NodeJS.ProcessEnv): string[] {
  const urls = (env["DATABASE_READ_URLS"] ?? "").split(",").filter((url) => url.trim() !== "");
  if (urls.length > 0 && !env["DATABASE_URL"]) throw new StartError("设置了 DATABASE_READ_URLS 时必须同时设置 DATABASE_URL");
  return urls.map((url) => url.trim());
}

function readObjectStore(env: NodeJS.ProcessEnv): ObjectStore | undefined {
  const endpoint = env["S3_ENDPOINT"];
  if (!endpoint) return undefined;
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol) || new URL(endpoint).search !== "")
    throw new StartError(`S3_ENDPOINT 必须是不带参数的 http 或 https 地址，现在是「${endpoint}」`);
  const need = (name: string): string => {
    const value = env[name];
    if (!value) throw new StartError(`设置了 S3_ENDPOINT 时必须同时设置 ${name}`);
    return value;
  };
  const bucket = need("S3_BUCKET");
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) throw new StartError(`S3_BUCKET 不是有效的存储桶名称，现在是「${bucket}」`);
  const region = env["S3_REGION"] || "us-east-1";
  return {
    endpoint: endpoint.replace(/\/$/, ""),
    bucket,
    region,
    key_id: need("S3_ACCESS_KEY_ID"),
    secret: need("S3_SECRET_ACCESS_KEY"),
  };
}

function readMail(env: NodeJS.ProcessEnv): MailServer | undefined {
  const { SMTP_URL: given, MAIL_FROM: from } = env;
  if (!given) return undefined;
  const url = URL.canParse(given) ? new URL(given) : undefined;
  // What is wrong is not repeated: it may hold a password.
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === "" || url.search !== "" || !/^\/?$/.test(url.pathname))
    throw new StartError("SMTP_URL 必须形如 smtps://用户:密码@主机:465 或 smtp://用户:密码@主机:587，用户和密码中的特殊字符要转义");
  if (!from || !/^[^\s@<>"]+@[^\s@<>"]+$/.test(from))
    throw new StartError("设置了 SMTP_URL 时必须同时设置 MAIL_FROM，如 zhangfang@example.cn");
  const secure = url.protocol === "smtps:";
  const port = portOf(url.port, secure ? 465 : 587, "SMTP_URL");
  return { host: url.hostname, port, secure, user: unescaped(url.username), password: unescaped(url.password), from };
}

function unescaped(text: string): string | undefined {
  try {
    return text === "" ? undefined : decodeURIComponent(text);
  } catch {
    throw new StartError("SMTP_URL 里的用户或密码没有正确转义");
  }
}

function acquirerUrls(env: NodeJS.ProcessEnv): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    const code = /^ACQUIRER_URL_([1-9])$/.exec(name)?.[1];
    if (!code || !value) continue;
    if (!URL.canParse(value) || new URL(value).protocol !== "https:" || new URL(value).search !== "")
      throw new StartError(`${name} 必须是不带参数的 https 地址，现在是「${value}」`);
    found[code] = value.replace(/\/$/, "");
  }
  return found;
}

function portOf(given: string | undefined, otherwise: number, name: string): number {
  if (given === undefined || given === "") return otherwise;
  const port = Number(given);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new StartError(`${name} 必须是 0 到 65535 之间的整数，现在是「${given}」`);
  return port;
}

const WHY_NOT: Readonly<Record<string, string>> = {
  ENOTDIR: "上级不是一个目录",
  EACCES: "没有权限",
  EPERM: "没有权限",
  EROFS: "磁盘是只读的",
  ENOSPC: "磁盘空间不足",
  ENOENT: "这里不能建立目录",
};
/** Folder by folder: asked for all of them at once, Node never comes back from below /proc. */
function makeDataDir(data_dir: string): void {
  const path = resolve(data_dir);
  const missing: string[] = [];
  for (let at = path; !existsSync(at); at = dirname(at)) missing.unshift(at);
  try {
    for (const one of missing) mkdirSync(one);
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code);
    // Somebody else who starts just now.
    if (code === "EEXIST") return makeDataDir(data_dir);
    throw new StartError(`数据目录 ${data_dir} 不能用：${WHY_NOT[code] ?? code}`);
  }
  if (!statSync(path).isDirectory()) throw new StartError(`数据目录 ${data_dir} 不能用：不是一个目录`);
}

function readSecret(given: string | undefined, required: boolean, data_dir: string): Buffer {
  if (given) {
    if (given.length < 32) throw new StartError("ZHANGFANG_SECRET 至少 32 个字符，可用 openssl rand -hex 32 生成");
    return createHmac("sha256", "zhangfang-secret").update(given).digest();
  }
  if (required) throw new StartError("生产环境必须设置 ZHANGFANG_SECRET（至少 32 个字符，可用 openssl rand -hex 32 生成）");
  const file = join(data_dir, "secret.key");
  try {
    if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString("hex"), { mode: 0o600, flag: "wx" });
    return Buffer.from(readFileSync(file, "utf8").trim(), "hex");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EEXIST") return Buffer.from(readFileSync(file, "utf8").trim(), "hex");
    throw new StartError(
      code === "ENOSPC" ? `磁盘空间不足，无法写入 ${data_dir}` : `无法写入数据目录 ${data_dir}：${code ?? String(error)}`,
    );
  }
}

/** A key for one purpose, derived from the master secret: once for each, for that alone costs as much as a small statement. */
export function derivedKey(secret: Buffer, purpose: string): Buffer {
  const known = derived.get(secret) ?? new Map<string, Buffer>();
  derived.set(secret, known);
  const key = known.get(purpose) ?? createHmac("sha256", secret).update(`zhangfang/${purpose}`).digest();
  known.set(purpose, key);
  return key;
}
/** Purposes are words of the code, and few: a million followers are sealed under one. */
const derived = new WeakMap<Buffer, Map<string, Buffer>>();
