import type pg from "pg";
import { parse } from "pg-connection-string";
import { StartError } from "../start-error.ts";

/**
 * What DATABASE_URL says, as pg wants it. A first connection waits at most five seconds.
 * @throws StartError for anything that is not a PostgreSQL address
 */
export function connectionOf(url: string): pg.ClientConfig {
  if (!/^postgres(ql)?:\/\//.test(url)) throw new StartError("DATABASE_URL 格式不正确，应为 postgres://用户:密码@主机:5432/数据库");
  try {
    const { host, port, user, password, database, ssl } = parse(url);
    return {
      ...(host && { host }),
      ...(port && { port: Number(port) }),
      ...(user && { user }),
      ...(password && { password }),
      ...(database && { database }),
      ...(ssl !== undefined && { ssl: ssl as pg.ClientConfig["ssl"] }),
      connectionTimeoutMillis: 5_000,
    };
  } catch {
    throw new StartError("DATABASE_URL 格式不正确，应为 postgres://用户:密码@主机:5432/数据库");
  }
}
