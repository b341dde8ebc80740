// A process that runs statements through the bare driver, as the owner, without session, scope or fence: what the
// product's figures are held against.
import pg from "pg";
import { summarise, type Figures } from "./figures.ts";

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}
export interface BareInput {
  readonly connection: pg.PoolConfig;
  /** Each client takes the next of these in turn. */
  readonly statements: readonly Statement[];
  readonly pool: number;
  readonly clients: number;
  readonly seconds: number;
}

process.once("message", (input: BareInput) => void run(input).then((figures) => process.send?.(figures, () => process.exit(0))));

async function run({ connection, statements, pool: max, clients, seconds }: BareInput): Promise<Figures> {
  const pool = new pg.Pool({ ...connection, max });
  const durations_ms: number[] = [];
  const begun_ms = performance.now();
  const until_ms = begun_ms + seconds * 1000;
  await Promise.all(
    Array.from({ length: clients }, async (_client, at) => {
      for (let next = at, sent_ms = begun_ms; sent_ms < until_ms; next++) {
        sent_ms = performance.now();
        const { text, values } = statements[next % statements.length]!;
        await pool.query(text, [...values]);
        durations_ms.push(performance.now() - sent_ms);
      }
    }),
  );
  const figures = summarise(durations_ms, performance.now() - begun_ms);
  await pool.end();
  return figures;
}
