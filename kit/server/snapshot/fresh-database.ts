import pg from "pg";
import { StartError } from "../start-error.ts";

/**
 * Fills a new database beside the one that `owner` names, and puts it in its place when that has succeeded; the old one
 * is there, untouched, until then. Needs a role that may make databases.
 * @throws StartError while anybody else is connected
 */
export async function inFreshDatabase<T>(owner: pg.ClientConfig, fill: (fresh: pg.ClientConfig) => Promise<T>): Promise<T> {
  const name = owner.database ?? "postgres";
  const [fresh, before] = [`${name}_restoring`, `${name}_before`];
  const client = new pg.Client({ ...owner, database: name === "postgres" ? "template1" : "postgres" });
  client.on("error", () => {});
  await client.connect();
  const drop = async (database: string) => client.query(`drop database if exists ${pg.escapeIdentifier(database)}`);
  const rename = async (from: string, to: string) =>
    client.query(`alter database ${pg.escapeIdentifier(from)} rename to ${pg.escapeIdentifier(to)}`);
  try {
    await refuseUsed(client, name);
    await drop(fresh);
    await client.query(`create database ${pg.escapeIdentifier(fresh)} template template0`);
    const result = await fill({ ...owner, database: fresh }).catch(async (error: unknown) => {
      await drop(fresh);
      throw error;
    });
    await refuseUsed(client, name);
    await drop(before);
    // Both names change at once: at no moment is there no database of that name.
    await client.query("begin");
    await rename(name, before);
    await rename(fresh, name);
    await client.query("commit");
    await drop(before);
    return result;
  } finally {
    await client.end();
  }
}

async function refuseUsed(client: pg.Client, name: string): Promise<void> {
  const { rowCount } = await client.query("select 1 from pg_stat_activity where datname = $1 and backend_type = 'client backend'", [name]);
  if (rowCount) throw new StartError(`还有 ${rowCount} 个连接在使用数据库 ${name}，请先停止服务再恢复`);
}
