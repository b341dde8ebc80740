import type pg from "pg";
import { parse } from "pg-connection-string";
import type { Connection, Host } from "./servers/primary.ts";
import { StartError } from "../start-error.ts";

/** What stands before the hosts, the hosts, and what stands after them. */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?]*@)?)([^/?@]*)(.*)$/;

/**
 * What an address says, as pg wants it; several hosts, separated by commas, are servers of which one takes writes
 * (`target_session_attrs=read-write`). A first connection waits at most five seconds.
 * @param setting where it stands, for whoever reads what is wrong with it
 * @throws StartError for anything that is not a PostgreSQL address
 */
export function connectionOf(url: string, setting = "DATABASE_URL"): Connection {
  const [, before, hosts, after] = PARTS.exec(url) ?? [];
  if (before === undefined || hosts === undefined || after === undefined) throw wrong(setting);
  const given = hosts.split(",").map((host) => read(`${before}${host}${after}`, setting));
  const [first] = given;
  if (!first) throw wrong(setting);
  const { host: _host, port: _port, ...rest } = first.connection;
  if (given.length === 1) return first.connection;
  // Of one server nobody chooses.
  if (first.wanted !== undefined && first.wanted !== "read-write" && first.wanted !== "primary")
    throw new StartError(`${setting} 的 target_session_attrs 只能是 read-write，现在是「${first.wanted}」`);
  return { ...rest, hosts: given.map(({ connection: { host = "localhost", port = 5432 } }): Host => ({ host, port })) };
}

/**
 * DATABASE_APP_URL: the running service's own login.
 * @throws StartError where it names one of several servers: after a failover the service would not be led to the other
 */
export function appConnectionOf(url: string, owner: Connection): Connection {
  const app = connectionOf(url, "DATABASE_APP_URL");
  if (owner.hosts && !app.hosts)
    throw new StartError("DATABASE_URL 列出了多个主机，DATABASE_APP_URL 却只有一个，主备切换后服务将连不上数据库。请写上同样的主机列表");
  return app;
}

/**
 * One address of DATABASE_READ_URLS: with the login of the running service, for an owner would pass the fences, and encrypted as the
 * primary's where it says nothing of that.
 */
export function standbyConnectionOf(url: string, { user, password, database, ssl }: Connection): pg.ClientConfig {
  const read = connectionOf(url, "DATABASE_READ_URLS");
  if (read.hosts) throw new StartError("DATABASE_READ_URLS 中每个地址只能有一个主机");
  return {
    ...(ssl !== undefined && { ssl }),
    ...read,
    ...(user && { user }),
    ...(password !== undefined && { password }),
    ...(database && { database }),
  };
}

const wrong = (setting: string) => new StartError(`${setting} 格式不正确，应为 postgres://用户:密码@主机:5432/数据库`);

function read(url: string, setting: string): { connection: pg.ClientConfig; wanted: string | undefined } {
  let said: ReturnType<typeof parse> & { readonly target_session_attrs?: string };
  try {
    said = parse(url);
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    throw path === undefined ? wrong(setting) : new StartError(`${setting} 指定的证书文件无法读取（${code}）：${path}`);
  }
  const { host, port, user, password, database, ssl, target_session_attrs: wanted } = said;
  return {
    wanted,
    connection: {
      ...(host && { host }),
      ...(port && { port: Number(port) }),
      ...(user && { user }),
      ...(password && { password }),
      ...(database && { database }),
      ...(ssl !== undefined && { ssl: ssl as pg.ClientConfig["ssl"] }),
      connectionTimeoutMillis: 5_000,
    },
  };
}
