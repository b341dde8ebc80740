import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../run.ts";

/** What the reporter of test files leaves: milliseconds by path. */
export const TIMES = join(ROOT, ".test/times.json");
/** What the matrix leaves: how its time is shared out among rooms. */
const MATRIX = join(ROOT, ".test/matrix.json");
const MATRIX_FILE = "apps/server/matrix.test.ts";

/** Seconds of a room's tests, its part of the matrix included. */
const BUDGET_S = 90;
/** Where a room is more than one: the files that play money and failures, the world, the journeys, and what was there before there were budgets. */
const BUDGETS_S: Readonly<Record<string, number>> = { "apps/server": 480, "apps/demo": 120, "kit/server": 150, orders: 240, e2e: 720 };

/**
 * Where the time of a test run went, by room.
 * @param files milliseconds of each test file @param shares of the matrix, by room
 * @returns lines, the dearest room first; one that is past its budget says so
 */
export function costLines(files: Readonly<Record<string, number>>, shares: Readonly<Record<string, number>>): string[] {
  const rooms = new Map<string, { ms: number; dearest: string; dearest_ms: number }>();
  const add = (room: string, ms: number, what: string): void => {
    const known = rooms.get(room) ?? { ms: 0, dearest: "", dearest_ms: 0 };
    const dearer = ms > known.dearest_ms ? { dearest: what, dearest_ms: ms } : {};
    rooms.set(room, { ...known, ...dearer, ms: known.ms + ms });
  };
  const matrix_ms = files[MATRIX_FILE] ?? 0;
  const whole = Object.values(shares).reduce((sum, share) => sum + share, 0);
  for (const [file, ms] of Object.entries(files)) if (file !== MATRIX_FILE || whole === 0) add(roomOf(file), ms, file);
  if (whole > 0)
    for (const [room, share] of Object.entries(shares))
      add(room === "server" ? "apps/server" : room, (matrix_ms * share) / whole, MATRIX_FILE);
  return [...rooms]
    .toSorted(([, a], [, b]) => b.ms - a.ms)
    .map(([room, { ms, dearest, dearest_ms }]) => {
      const budget_s = BUDGETS_S[room] ?? BUDGET_S;
      const past = ms > budget_s * 1000 ? "  ← past its budget" : "";
      return `${seconds(ms)} of ${String(budget_s).padStart(3)} s  ${room.padEnd(16)} ${dearest} ${seconds(dearest_ms).trim()} s${past}`;
    });
}
const seconds = (ms: number): string => (ms / 1000).toFixed(0).padStart(4);
const roomOf = (file: string): string => {
  const [room = "", name = ""] = file.split("/");
  if (room === "domains") return name;
  return room === "kit" || room === "apps" ? `${room}/${name}` : room;
};

/** Prints the lines of the run that has just ended. @param journeys milliseconds of what ran in the browser */
export function showCost(journeys: Readonly<Record<string, number>>): void {
  const lines = costLines({ ...read(TIMES), ...journeys }, read(MATRIX));
  process.stdout.write(`\nwhere the time went, by room (all workers together)\n${lines.join("\n")}\n\n`);
}
function read(path: string): Record<string, number> {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Record<string, number>;
  } catch {
    return {};
  }
}
