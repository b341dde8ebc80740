import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import type { ExportRow } from "@zhangfang/domains/exports/contract.ts";
import { actorOf } from "./actors.ts";
import { atMost, plain, type Line } from "./figures.ts";
import { startServer } from "./part.ts";
import type { World } from "./world.ts";

const { token } = actorOf("provider");
const MB = 2 ** 20;
const MILLION = 1_000_000;

/** A provider's orders of as many days as hold a million of them, as a file, by the job of the running service. */
export async function measure(worlds: readonly World[]): Promise<Line[]> {
  const world = worlds.at(-1)!;
  const days = Math.ceil((366 * MILLION) / world.rows);
  const lines: Line[] = [];
  for (const format of ["xlsx", "csv"] as const) {
    // A process of its own for each: what one left in memory is not the other's.
    const server = await startServer(world.connection, 9190, true);
    const call = async <T>(verb: string, path: string, body?: object): Promise<T> => {
      const answer = await fetch(`http://127.0.0.1:9190${path}`, {
        method: verb,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as T;
    };
    const write = async (from: string, to: string): Promise<ExportRow> => {
      const ask = { requestId: crypto.randomUUID(), source: "pay-orders", filter: { from, to }, format };
      const { id } = await call<{ id: string }>("POST", "/api/exports", ask);
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, 250));
        const row = (await call<{ items: ExportRow[] }>("GET", "/api/exports")).items.find((one) => one.id === id)!;
        if (row.status !== 0) return row;
      }
    };
    try {
      const today = shanghaiDay(Date.now());
      // A few days first: the program's code and connections are not the export's memory.
      await write(addDays(today, -3), today);
      const before = await server.usage();
      const begun_ms = Date.now();
      const row = await write(addDays(today, -days), today);
      const seconds = (Date.now() - begun_ms) / 1000;
      const after = await server.usage();
      if (row.status !== 1) throw new Error(`export failed: ${row.failure}`);
      lines.push(
        plain(
          `export of ${row.rowsDone} orders as ${format}`,
          `${seconds.toFixed(1)} s, of it ${((after.cpu_us - before.cpu_us) / 1e6).toFixed(1)} s of the server's processor, ${((row.sizeBytes ?? 0) / MB).toFixed(0)} MB`,
          { seconds, rows: row.rowsDone, bytes: row.sizeBytes ?? 0, cpu_us: after.cpu_us - before.cpu_us },
        ),
        atMost("  seconds for a million", (seconds * MILLION) / row.rowsDone, 60, "s", 1),
        atMost("  extra memory of the service", (after.peak - before.rss) / MB, 100, "MB"),
      );
      await call("POST", "/api/exports/remove", { id: row.id });
    } finally {
      await server.stop();
    }
  }
  return lines;
}
