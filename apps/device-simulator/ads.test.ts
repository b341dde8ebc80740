import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { runAds } from "./ads.ts";

const ended: (() => void)[] = [];
afterEach(() => {
  for (const end of ended.splice(0)) end();
});

const [first, second] = [
  { ad_id: "a", material_id: "m1", seconds: 2 },
  { ad_id: "b", material_id: "m2", seconds: 2 },
];
/** The whole day today and tomorrow, so that a test may run at midnight. */
const slotsOf = (round: readonly number[]) =>
  [0, 1].map((ahead) => ({
    day: new Date(Date.now() + 8 * 3_600_000 + ahead * 86_400_000).toISOString().slice(0, 10),
    from: 0,
    to: 1_440,
    round,
  }));

/** A server of the device API as docs/devices.md tells it, that is away when told so. */
async function openApi() {
  const state = { away: false, tag: "one", slots: slotsOf([0, 1]), told: [] as { play_id: string; ad_id: string; finished: boolean }[] };
  const server = createServer((request, reply) => {
    if (state.away) return void reply.destroy();
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => void chunks.push(chunk));
    request.on("end", () => {
      if (request.method === "POST") {
        state.told.push(...(JSON.parse(Buffer.concat(chunks).toString()) as { plays: typeof state.told }).plays);
        return void reply.end(JSON.stringify({ accepted: 0, known: 0, refused: [] }));
      }
      if (request.headers["if-none-match"] === `"${state.tag}"`) return void setTimeout(() => reply.writeHead(304).end(), 50);
      reply.end(JSON.stringify({ tag: state.tag, items: [first, second], slots: state.slots }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const stopping = new AbortController();
  ended.push(
    () => stopping.abort(),
    () => void server.close(),
  );
  const shown = runAds(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    { sn: "T-1", key: "k" },
    { speed: 20, signal: stopping.signal },
  );
  return { state, shown };
}

test("a device plays its round, keeps what it showed while the server is away, and tells each play once afterwards", async () => {
  const { state, shown } = await openApi();
  await expect.poll(() => shown().played, { timeout: 5_000 }).toBeGreaterThan(1);
  state.away = true;
  const before = shown().played;
  await expect.poll(() => shown().played, { timeout: 5_000 }).toBeGreaterThan(before + 3);
  expect(shown().round).toEqual(["a", "b"]);
  state.away = false;
  await expect.poll(() => state.told.length, { timeout: 20_000 }).toBeGreaterThan(before + 3);
  expect(new Set(state.told.map(({ play_id }) => play_id)).size).toBe(state.told.length);
  expect(state.told.slice(0, 4).map(({ ad_id }) => ad_id)).toEqual(["a", "b", "a", "b"]);
});

test("an ad that is gone stops in the middle, and is told as not shown to its end", async () => {
  const { state, shown } = await openApi();
  await expect.poll(() => shown().playing).not.toBeNull();
  state.tag = "two";
  state.slots = slotsOf([]);
  await expect.poll(() => shown().tag).toBe("two");
  await expect.poll(() => shown().playing).toBeNull();
  expect(shown().round).toEqual([]);
});
