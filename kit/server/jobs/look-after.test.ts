import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { testServices, type TestServices } from "../testing.ts";
import { lookAfter } from "./look-after.ts";

/** What is waited for comes; how soon is the machine's matter. */
const WAIT = { timeout: 30_000 };
let services: TestServices;
beforeAll(async () => void (services = await testServices()));
afterAll(() => services.close());
afterEach(() => void vi.useRealTimers());

interface Item {
  readonly address: string;
  readonly account: string;
  readonly n: number;
}
const items = (count: number, address: string, account: string): Item[] =>
  Array.from({ length: count }, (_none, n) => ({ address, account, n }));
/** What was begun, each to be ended by hand. */
function byHand() {
  const begun: (Item & { end: () => void })[] = [];
  const one = (_services: unknown, item: Item) => new Promise<void>((end) => void begun.push({ ...item, end }));
  const endAll = () => begun.forEach(({ end }) => end());
  return { begun, one, endAll, of: (address: string) => begun.filter((item) => item.address === address) };
}

test("eight at a time, and the next as soon as one of them has ended", async () => {
  const { begun, one } = byHand();
  const run = lookAfter({ name: "look", due: async () => items(20, "a", "1"), one }).run(services, {});
  await expect.poll(() => begun.length, WAIT).toBe(8);
  begun[3]!.end();
  await expect.poll(() => begun.length, WAIT).toBe(9);
  for (let n = 0; n < 20; n++) {
    await expect.poll(() => begun.length, WAIT).toBeGreaterThan(n);
    begun[n]!.end();
  }
  await run;
  expect(begun.map(({ n }) => n)).toEqual(items(20, "a", "1").map(({ n }) => n));
});

test("an address that hangs holds eight places and an account four, in whichever round; what others wait for goes on beside it", async () => {
  const { begun, one, endAll, of } = byHand();
  const hanging = ["1", "2", "3"].flatMap((account) => items(10, "hangs", account));
  const due = [...hanging, ...items(2, "good", "1")];
  const job = lookAfter({ name: "look", every: 5, due: async () => due, one, waitsFor: ({ address, account }) => [address, account] });
  const first = job.run(services, {});
  await expect.poll(() => of("good").length, WAIT).toBe(2);
  expect(of("hangs").map(({ account }) => account)).toEqual(["1", "1", "1", "1", "2", "2", "2", "2"]);
  const second = job.run(services, {});
  await expect.poll(() => of("good").length, WAIT).toBe(4);
  expect(of("hangs")).toHaveLength(8);
  // A server takes up a round while others still wait for what hangs.
  expect(job.concurrency).toBeGreaterThan(2);
  const ending = setInterval(endAll, 5);
  await Promise.all([first, second]);
  clearInterval(ending);
  expect(begun).toHaveLength(2 * due.length);
});

/** One round by a clock of its own, of a channel that answers after so many seconds. @returns how many were asked, when the last of them, and its end, in seconds */
async function round(given: { every?: number; says: boolean; answers_s: number }) {
  const { every, says, answers_s } = given;
  const begun: number[] = [];
  let now = 0;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const job = lookAfter<Item>({
    name: "look",
    ...(every !== undefined && { every }),
    due: async () => items(2_000, "slow", "1"),
    one: async () => {
      begun.push(now);
      await new Promise((resolve) => setTimeout(resolve, answers_s * 1000));
    },
    ...(says && { waitsFor: ({ address, account }: Item) => [address, account] as const }),
  });
  const ends: number[] = [];
  const run = job.run(services, {}).then(() => void ends.push(now));
  await expect.poll(() => begun.length, WAIT).toBeGreaterThan(0);
  while (ends.length === 0 && now < 2 * job.lease_s) {
    now++;
    await vi.advanceTimersByTimeAsync(1_000);
  }
  const [end = Infinity] = ends;
  expect(end).toBeLessThan(job.lease_s);
  await run;
  return { job, begun, calls: begun.length, last: begun.at(-1)!, end };
}
test("a minute's round of one merchant goes on for as long as what hangs is over when the next one comes", async () => {
  const slow = await round({ says: true, answers_s: 2 });
  // Four at a time, each for two seconds.
  expect(slow).toMatchObject({ calls: 100, last: 48 });
  const hanging = await round({ says: true, answers_s: 10 });
  expect(hanging.end).toBeLessThanOrEqual(60);
  expect(hanging.job.concurrency).toBe(1);
});
test("an account whose channel answers at once begins sixteen a second, and not as fast as it goes", async () => {
  const { begun } = await round({ every: 5, says: true, answers_s: 0 });
  const inSecond = (second: number) => begun.filter((at) => at === second).length;
  expect([inSecond(1), inSecond(7)]).toEqual([16, 16]);
});
test("a round that comes sooner begins for fifteen seconds, and as many run side by side as last so long", async () => {
  const { calls, job } = await round({ every: 5, says: true, answers_s: 2 });
  expect([calls, job.concurrency]).toEqual([32, 5]);
});
test.each([
  { every: 3_600, says: true },
  { every: 60, says: false },
])("a round is over before its lease, however much is due: %o", async (given) => {
  const { end, calls } = await round({ ...given, answers_s: 10 });
  expect([end, calls]).toEqual([540, given.says ? 216 : 432]);
});
