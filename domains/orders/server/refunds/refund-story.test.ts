import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { live } from "../testing/failpoints.ts";
import { openTillWorld, type TillWorld } from "../testing/till-world.ts";
import { askAboutRefund } from "../ask-channel.ts";
import * as story from "./refund-story.ts";

const { reserveRefund, decideRefund, begin, hear, settleRefund, failRefund, reserveAgain } = story;
const steps = { reserveRefund, decideRefund, begin, hear, settleRefund, failRefund, reserveAgain };
type Step = (typeof steps)[keyof typeof steps];
let world: TillWorld;
beforeAll(async () => {
  world = await openTillWorld();
});
afterAll(() => world.close());

/** What each transaction of the work wrote, and the calls to the channel between them, in their order. */
async function lived(work: () => Promise<unknown>): Promise<string[]> {
  const { points } = await live(0, work);
  return points
    .filter((point) => /^before the (?:commit|call) /.test(point))
    .map((point) => point.replace(/^before the (?:commit of )?/, ""));
}
// What the gateway, the queue and the messages write beside a step.
const BESIDE = ["audit_log", "idempotency_keys", "test_jobs", "tell"];
/** One transaction wrote all that its steps always write, and nothing that they may not. */
function expectOf(committed: string | undefined, ...those: readonly Step[]): void {
  const wrote = new Set(committed?.split(", ").filter((table) => !BESIDE.includes(table)));
  const always = those.flatMap(({ writes }) => writes);
  const may = new Set<string>([...always, ...those.flatMap(({ sometimes }) => sometimes)]);
  expect({ missing: always.filter((table) => !wrote.has(table)), untold: [...wrote].filter((table) => !may.has(table)) }).toEqual({
    missing: [],
    untold: [],
  });
}

let n = 0;
async function paid(grossCents: number): Promise<string> {
  const store = world.tree.merchants.mch01.stores[0]!;
  const given = { tillNo: `S${++n}`, tradeType: "MICROPAY", subject: "午餐", grossCents, authCode: "130000000000000002" } as const;
  const made = await world.till(store, "createTillOrder", given);
  const [row] = await world.owner<{ id: string }>("select id from pay_orders where order_no = $1", [made.orderNo]);
  return row!.id;
}
/** Asks, and gives what was asked for with what the request wrote. */
async function asked(login: string, orderId: string, amountCents: number) {
  const given = { requestId: randomUUID(), orderId, amountCents, reason: "顾客不要了" };
  const wrote = await lived(() => world.as(login, "refundOrder", given));
  const [row] = await world.owner<{ id: string; refund_no: string }>("select id, refund_no from refunds where request_id = $1", [
    given.requestId,
  ]);
  return { ...row!, wrote };
}
const looked = () => {
  world.services.clock.advance(60_000);
  return lived(() => world.sweep("query-refunds"));
};

test("the moves that are told are those that the database allows", async () => {
  const edges = await world.owner<{ edge: string }>(
    "select from_state || '→' || to_state as edge from app.state_edges where thing = 'refund' order by 1",
  );
  const moves = new Set<string>(Object.values(steps).flatMap(({ moves }) => moves));
  expect([...moves].filter((move) => !move.startsWith("new")).toSorted()).toEqual(edges.map(({ edge }) => edge));
});

test("asked, called and settled: one transaction for each step, and the calls between them", async () => {
  const { wrote, refund_no } = await asked("mch01", await paid(10_000), 4_000);
  expect(wrote).toHaveLength(1);
  expectOf(wrote[0], reserveRefund);
  const [begun, call, heard, ...rest] = await lived(() => world.runJobs());
  expectOf(begun, begin);
  expect([call, rest]).toEqual(["call refund", []]);
  expectOf(heard, hear);
  world.channel.decide(refund_no, "success");
  const [again, query, settled] = await looked();
  expectOf(again, begin);
  expect(query).toBe("call queryRefund");
  expectOf(settled, hear, settleRefund);
});

test("failed, held again, failed again and through all the same", async () => {
  const { id, refund_no } = await asked("mch01", await paid(10_000), 4_000);
  await world.runJobs();
  world.channel.decide(refund_no, "abnormal");
  expectOf((await looked()).at(-1), hear, failRefund);
  const [retried] = await lived(() => world.as("mch01", "retryRefund", { requestId: randomUUID(), id }));
  expectOf(retried?.replace(", order_events", ""), reserveAgain);
  expectOf((await lived(() => world.runJobs())).at(-1), hear, failRefund);
  // Nobody asks about a failed one by himself; whoever does hears that it went through.
  world.channel.decide(refund_no, "success");
  const [ref] = await world.owner<{ service_provider_id: string; id: string; order_id: string }>(
    "select service_provider_id, id, order_id from refunds where id = $1",
    [id],
  );
  expectOf((await lived(() => askAboutRefund(world.services, ref!))).at(-1), hear, settleRefund);
  expect(await world.verify()).toEqual([]);
});

test.each([
  ["approve", 1],
  ["reject", 4],
] as const)("decided with %s", async (decision, status) => {
  const { id, wrote } = await asked("emp01", await paid(60_000), 50_001);
  expectOf(wrote[0], reserveRefund);
  const [decided] = await lived(() => world.as("mch01", "decideRefundRequest", { requestId: randomUUID(), id, decision, note: "看过" }));
  expectOf(decided, decideRefund);
  expect(await world.as("mch01", "getRefund", { id })).toMatchObject({ status });
});
