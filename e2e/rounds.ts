import { join } from "node:path";
import pg from "pg";
import { runningEmbeddedPostgres } from "@zhangfang/server/database/embedded-postgres.ts";

// What a journey would only sit out: the minute until a job comes round, and the minute in which nothing may be asked again.

/** Set by global-setup.ts: the folder of the product that the journeys walk through. */
const DATA = "JOURNEY_DATA";
export const keepFolder = (folder: string): void => void (process.env[DATA] = folder);

async function asOwner<T>(act: (client: pg.Client) => Promise<T>): Promise<T> {
  const connection = runningEmbeddedPostgres(join(process.env[DATA] ?? "", "postgres"));
  if (!connection) throw new Error("the product's database does not run");
  const client = new pg.Client({ ...connection });
  await client.connect();
  try {
    return await act(client);
  } finally {
    await client.end();
  }
}

/** Has a job come round now, as it does by itself every minute or some seconds. @example await comeRound("look-after-shares") */
export const comeRound = (job: string): Promise<unknown> =>
  asOwner((client) => client.query("insert into pgboss.job (name, data, retry_limit, policy) values ($1, '{}', 0, 'standard')", [job]));

/** The minute is over in which WeChat Pay is not asked about an application again. */
export const mayAskAgain = (applymentId: string): Promise<unknown> =>
  asOwner((client) =>
    client.query(
      "update applyments set asked_at = asked_at - interval '1 minute', pressed_at = pressed_at - interval '1 minute' where id = $1",
      [applymentId],
    ),
  );
