import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { actorOf } from "../actors.ts";
import { atMost, plain, type Line } from "../figures.ts";
import { startServer } from "../part.ts";
import { sized } from "../small.ts";
import type { World } from "../world.ts";
import { writeFile } from "../write-file.ts";

const { token } = actorOf("provider");
const MB = 2 ** 20;
const MILLION = 1_000_000;

/** A provider's orders of as many days as hold a million of them, as a file, by the job of the running service. */
export async function measure(worlds: readonly World[]): Promise<Line[]> {
  const world = worlds.at(-1)!;
  const days = sized(Math.ceil((366 * MILLION) / world.rows), 366);
  const lines: Line[] = [];
  for (const format of ["xlsx", "csv"] as const) {
    // A process of its own for each: what one left in memory is not the other's.
    const server = await startServer(world.connection, 9190, { work: true });
    const write = (from: string, to: string) => writeFile(9190, token, { source: "pay-orders", filter: { from, to }, format });
    try {
      const today = shanghaiDay(Date.now());
      // A few days first: the program's code and connections are not the export's memory.
      await write(addDays(today, -3), today);
      const before = await server.usage();
      const row = await write(addDays(today, -days), today);
      const { seconds } = row;
      const after = await server.usage();
      lines.push(
        plain(
          `export of ${row.rowsDone} orders as ${format}`,
          `${seconds.toFixed(1)} s, of it ${((after.cpu_us - before.cpu_us) / 1e6).toFixed(1)} s of the server's processor, ${((row.sizeBytes ?? 0) / MB).toFixed(0)} MB`,
          { seconds, rows: row.rowsDone, bytes: row.sizeBytes ?? 0, cpu_us: after.cpu_us - before.cpu_us },
        ),
        atMost("  seconds for a million", (seconds * MILLION) / row.rowsDone, 60, "s", 1),
        atMost("  extra memory of the service", (after.peak - before.rss) / MB, 100, "MB"),
      );
    } finally {
      await server.stop();
    }
  }
  return lines;
}
