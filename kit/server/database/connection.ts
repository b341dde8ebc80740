import type pg from "pg";
import { parse } from "pg-connection-string";
import type { Connection, Host } from "./servers/primary.ts";
import { StartError } from "../start-error.ts";

const WRONG = "DATABASE_URL 格式不正确，应为 postgres://用户:密码@主机:5432/数据库";
/** What stands before the hosts, the hosts, and what stands after them. */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?]*@)?)([^/?@]*)(.*)$/;

/**
 * What DATABASE_URL says, as pg wants it; several hosts, separated by commas, are servers of which one takes writes
 * (`target_session_attrs=read-write`). A first connection waits at most five seconds.
 * @throws StartError for anything that is not a PostgreSQL address
 */
export function connectionOf(url: string): Connection {
  const [, before, hosts, after] = PARTS.exec(url) ?? [];
  if (before === undefined || hosts === undefined || after === undefined) throw new StartError(WRONG);
  const given = hosts.split(",").map((host) => read(`${before}${host}${after}`));
  const [{ host: _host, port: _port, ...rest } = {}] = given;
  if (given.length === 1) return given[0]!;
  return { ...rest, hosts: given.map(({ host = "localhost", port = 5432 }): Host => ({ host, port })) };
}

function read(url: string): pg.ClientConfig {
  let said: ReturnType<typeof parse> & { readonly target_session_attrs?: string };
  try {
    said = parse(url);
  } catch {
    throw new StartError(WRONG);
  }
  const { host, port, user, password, database, ssl, target_session_attrs: wanted } = said;
  if (wanted !== undefined && wanted !== "read-write" && wanted !== "primary")
    throw new StartError(`DATABASE_URL 的 target_session_attrs 只能是 read-write，现在是「${wanted}」`);
  return {
    ...(host && { host }),
    ...(port && { port: Number(port) }),
    ...(user && { user }),
    ...(password && { password }),
    ...(database && { database }),
    ...(ssl !== undefined && { ssl: ssl as pg.ClientConfig["ssl"] }),
    connectionTimeoutMillis: 5_000,
  };
}
