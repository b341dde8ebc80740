import { afterAll, beforeAll, expect, test } from "vitest";
import { testServices, type TestServices } from "../testing.ts";
import { lookAfter } from "./look-after.ts";

/** What is waited for comes; how soon is the machine's matter. */
const WAIT = { timeout: 30_000 };
let services: TestServices;
beforeAll(async () => void (services = await testServices()));
afterAll(() => services.close());

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
