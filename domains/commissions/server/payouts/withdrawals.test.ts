import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { DEMO_PASSWORD } from "../../../../apps/demo/tree/tree-plan.ts";
import {
  addPayoutAccount,
  applyWithdrawal,
  cancelWithdrawal,
  decideWithdrawal,
  getOwnProfit,
  getPayoutSettings,
  getWithdrawal,
  getWithdrawalTerms,
  listWithdrawals,
  recordWithdrawal,
  setPayoutSettings,
} from "../../contract/index.ts";
import { openCommissionWorld, type CommissionWorld } from "../testing/commission-world.ts";
import { chaseWithdrawal } from "./transfers/chase-withdrawal.ts";
import { settleTransfer } from "./transfers/settle-transfer.ts";

let world: CommissionWorld;
beforeAll(async () => void (world = await openCommissionWorld()));
afterAll(() => world.close());
beforeEach(() => world.forget());

const OPENID = "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o";
const CARD = "6228480402564890018";
const newId = () => world.till.services.ids.uuid(world.till.services.clock.now_ms());
const yuan = (amount: number) => (amount * 100) as never;
/** agent01 has earned 340.00 (500,000.00 at mch01, margin 850.00, 40 %) and an account that may be paid to. */
async function earned(method: "wechat" | "bank" = "wechat"): Promise<string> {
  const order = await world.pay(world.till.tree.merchants.mch01.stores[0]!, 50_000_000);
  lastOrder = order;
  const account = { method, holder: "周锦", password: DEMO_PASSWORD };
  const { id } = await world.as(
    "agent01",
    addPayoutAccount,
    method === "wechat" ? { ...account, number: OPENID } : { ...account, number: CARD, bankName: "招商银行" },
  );
  world.nextDay();
  world.till.services.clock.advance(86_400_000);
  await world.post();
  return id;
}
let lastOrder: { id: string; orderNo: string };
const apply = (accountId: string, amount: number, requestId = newId()) =>
  world.as("agent01", applyWithdrawal, { requestId, accountId, amountCents: yuan(amount), password: DEMO_PASSWORD });
const own = () => world.as("agent01", getOwnProfit, {});
const balances = async () => {
  const { balanceCents, frozenCents, paidCents } = await own();
  return [balanceCents, frozenCents, paidCents];
};
const statusOf = async (id: string) => (await world.as("sp01", getWithdrawal, { id })).status;
const refused = (act: Promise<unknown>) =>
  act.then(
    () => undefined,
    (error: { status: number; code: string; message: string; fields?: object }) => error,
  );

test("an agent asks, its provider approves, the payee confirms: the money is out once, less the fee, and the figures agree", async () => {
  const accountId = await earned();
  expect(await balances()).toEqual([34_000, 0, 0]);
  const asked = await apply(accountId, 100);
  expect(asked).toMatchObject({ status: 0, feeCents: 100, netCents: 9_900 });
  expect(await balances()).toEqual([24_000, 10_000, 0]);
  await world.as("sp01", decideWithdrawal, { requestId: randomUUID(), id: asked.id, decision: "approve" });
  await world.work();
  expect(await statusOf(asked.id)).toBe(2);
  expect([...world.payouts.transfers.values()]).toEqual([
    { outBillNo: asked.withdrawalNo, openId: OPENID, amount_cents: 9_900, state: "waiting" },
  ]);
  world.payouts.decide(asked.withdrawalNo, "success");
  world.till.services.clock.advance(60_000);
  await world.work();
  expect(await statusOf(asked.id)).toBe(3);
  expect(await balances()).toEqual([24_000, 0, 9_900]);
  expect(await world.verify()).toEqual([]);
  // Nobody else sees it, and what is shown is masked.
  const row = (await world.as("agent01", listWithdrawals, {})).items[0]!;
  expect([row.numberMask, row.holderMask]).toEqual(["oUpF **** eS6o", "周*"]);
  expect((await world.as("agent02", listWithdrawals, {})).items).toEqual([]);
  expect((await refused(world.as("agent02", getWithdrawal, { id: asked.id })))?.status).toBe(404);
});

test("what is asked for has to be there, above the least, at the hour, with the password, and to an account that is a day old", async () => {
  const accountId = await earned();
  expect((await refused(apply(accountId, 341)))?.fields).toHaveProperty("amountCents");
  expect((await refused(apply(accountId, 0.5)))?.fields).toHaveProperty("amountCents");
  const wrong = world.as("agent01", applyWithdrawal, { requestId: newId(), accountId, amountCents: yuan(10), password: "nope" });
  expect((await refused(wrong))?.fields).toHaveProperty("password");
  const fresh = await world.as("agent01", addPayoutAccount, {
    method: "bank",
    number: CARD,
    holder: "周锦",
    bankName: "招商银行",
    password: DEMO_PASSWORD,
  });
  expect((await refused(apply(fresh.id, 10)))?.fields).toHaveProperty("accountId");
  expect(
    (
      await refused(
        world.as("agent01", addPayoutAccount, {
          method: "bank",
          number: "6228480402564890019",
          holder: "周锦",
          bankName: "招商银行",
          password: DEMO_PASSWORD,
        }),
      )
    )?.fields,
  ).toHaveProperty("number");
  await world.till.owner("update payout_settings set weekdays = '{1}', from_hour = 9, to_hour = 10");
  expect((await refused(apply(accountId, 10)))?.code).toBe("withdrawal.closed");
  await world.till.owner("update payout_settings set weekdays = '{1,2,3,4,5,6,7}', from_hour = 0, to_hour = 24, freeze_days = 30");
  const terms = await world.as("agent01", getWithdrawalTerms, {});
  expect([terms.withdrawableCents, (await own()).waitingCents]).toEqual([0, 34_000]);
  expect((await refused(apply(accountId, 10)))?.fields).toHaveProperty("amountCents");
  await world.till.owner("update payout_settings set freeze_days = 0");
  // Another's account is no account, and a merchant has nothing to withdraw.
  const [other] = await world.till.owner<{ id: string }>("select id from payout_accounts where id = $1", [accountId]);
  expect(
    (
      await refused(
        world.as("agent02", applyWithdrawal, { requestId: newId(), accountId: other!.id, amountCents: yuan(10), password: DEMO_PASSWORD }),
      )
    )?.status,
  ).toBe(404);
  expect(
    (await refused(world.as("mch01", applyWithdrawal, { requestId: newId(), accountId, amountCents: yuan(10), password: DEMO_PASSWORD })))
      ?.status,
  ).toBe(403);
});

test("the same request is one withdrawal; with another amount it is refused", async () => {
  const accountId = await earned();
  const requestId = newId();
  const [first, again] = [await apply(accountId, 20, requestId), await apply(accountId, 20, requestId)];
  expect(again).toEqual(first);
  expect((await refused(apply(accountId, 30, requestId)))?.status).toBe(409);
  expect(await balances()).toEqual([32_000, 2_000, 0]);
});

test("up to the provider's limit nobody has to approve; above it somebody else has to", async () => {
  const accountId = await earned();
  await world.till.owner("update payout_settings set unapproved_up_to_cents = 5000");
  const small = await apply(accountId, 50);
  expect(small.status).toBe(2);
  const big = await apply(accountId, 50.01);
  expect(big.status).toBe(0);
  await world.till.owner("update payout_settings set unapproved_up_to_cents = 0");
  // Whoever applied does not decide.
  const [{ applied_by: by }] = (await world.till.owner<{ applied_by: string }>("select applied_by from withdrawals where id = $1", [
    big.id,
  ])) as [{ applied_by: string }];
  expect(by).toBe(world.till.tree.users.agent01);
  expect((await refused(world.as("agent01", decideWithdrawal, { requestId: randomUUID(), id: big.id, decision: "approve" })))?.status).toBe(
    403,
  );
  expect((await refused(world.as("sp02", decideWithdrawal, { requestId: randomUUID(), id: big.id, decision: "approve" })))?.status).toBe(
    404,
  );
});

test("rejected, cancelled and failed give the amount back; a payout that bounces does too", async () => {
  const accountId = await earned("bank");
  const [rejected, cancelled, failed, paid] = [
    await apply(accountId, 10),
    await apply(accountId, 20),
    await apply(accountId, 30),
    await apply(accountId, 40),
  ];
  expect(await balances()).toEqual([24_000, 10_000, 0]);
  expect(
    (await refused(world.as("sp01", decideWithdrawal, { requestId: randomUUID(), id: rejected.id, decision: "reject" })))?.fields,
  ).toHaveProperty("note");
  const no = { requestId: randomUUID(), id: rejected.id, decision: "reject" as const, note: "资料不符" };
  const decided = await world.as("sp01", decideWithdrawal, no);
  // The same click made again hears the first answer.
  expect(await world.as("sp01", decideWithdrawal, no)).toEqual(decided);
  await world.as("agent01", cancelWithdrawal, { id: cancelled.id });
  for (const { id } of [failed, paid]) await world.as("sp01", decideWithdrawal, { requestId: randomUUID(), id, decision: "approve" });
  await world.as("sp01", recordWithdrawal, { id: failed.id, result: "failed", evidence: "户名不符" });
  await world.as("sp01", recordWithdrawal, { id: paid.id, result: "paid", evidence: "BANK20261122001" });
  expect(await balances()).toEqual([30_000, 0, 3_960]);
  expect((await refused(world.as("sp01", recordWithdrawal, { id: paid.id, result: "failed", evidence: "再来一次" })))?.status).toBe(409);
  await world.as("sp01", recordWithdrawal, { id: paid.id, result: "returned", evidence: "账户已销户，退票" });
  expect(await balances()).toEqual([34_000, 0, 0]);
  expect(await world.verify()).toEqual([]);
});

test("a balance below zero is filled by what comes later", async () => {
  const accountId = await earned("bank");
  const { id } = await apply(accountId, 340);
  await world.as("sp01", decideWithdrawal, { requestId: randomUUID(), id, decision: "approve" });
  await world.as("sp01", recordWithdrawal, { id, result: "paid", evidence: "BANK1" });
  await world.refund(lastOrder, 50_000_000);
  world.nextDay();
  await world.post();
  expect((await own()).balanceCents).toBe(-34_000);
  expect((await own()).withdrawableCents).toBe(0);
  await world.pay(world.till.tree.merchants.mch01.stores[0]!, 60_000_000);
  world.nextDay();
  await world.post();
  expect((await own()).balanceCents).toBe(6_800);
  expect(await world.verify()).toEqual([]);
});

test("an answer that is lost is looked for: paid once, however often and in whatever order word of it comes", async () => {
  const accountId = await earned();
  const asked = await apply(accountId, 100);
  const ref = { service_provider_id: world.till.tree.providers.sp01, id: asked.id };
  world.payouts.fail("transfer", "lost-reply");
  await world.as("sp01", decideWithdrawal, { requestId: randomUUID(), id: asked.id, decision: "approve" });
  await world.work();
  world.payouts.fail("query", "lost-reply");
  await chaseWithdrawal(world.till.services, ref);
  expect(await statusOf(asked.id)).toBe(2);
  const before = world.payouts.shown(asked.withdrawalNo);
  const after = world.payouts.decide(asked.withdrawalNo, "success");
  // Two workers at once, doubled word, and an older one behind the newer.
  await Promise.all([chaseWithdrawal(world.till.services, ref), chaseWithdrawal(world.till.services, ref)]);
  for (const news of [after, before, after]) await world.till.look((tx) => settleTransfer(tx, world.till.services, ref, news));
  expect(await statusOf(asked.id)).toBe(3);
  expect(world.payouts.transfers.size).toBe(1);
  expect(await balances()).toEqual([24_000, 0, 9_900]);
  expect(await world.verify()).toEqual([]);
});

test("a request that was lost is sent again under its number; a no gives the amount back; another amount is no news", async () => {
  const accountId = await earned();
  const [lost, no, odd] = [await apply(accountId, 10), await apply(accountId, 20), await apply(accountId, 30)];
  const refs = [lost, no, odd].map(({ id }) => ({ service_provider_id: world.till.tree.providers.sp01, id }));
  const approve = ({ id }: { id: string }) => world.as("sp01", decideWithdrawal, { requestId: randomUUID(), id, decision: "approve" });
  world.payouts.fail("transfer", "lost-request");
  await approve(lost);
  await world.work();
  expect(world.payouts.transfers.size).toBe(0);
  world.till.services.clock.advance(120_000);
  await world.work();
  expect([...world.payouts.transfers.keys()]).toEqual([lost.withdrawalNo]);
  world.payouts.fail("transfer", { refuse: "NO_AUTH" });
  await approve(no);
  await world.work();
  expect(await statusOf(no.id)).toBe(4);
  await approve(odd);
  await world.work();
  await world.till.look((tx) =>
    settleTransfer(tx, world.till.services, refs[2]!, { ...world.payouts.decide(odd.withdrawalNo, "success"), amount_cents: 1 }),
  );
  expect(await statusOf(odd.id)).toBe(2);
  expect((await world.as("sp01", getWithdrawal, { id: odd.id })).failure).toMatch(/请核对/);
  world.payouts.decide(lost.withdrawalNo, "failed");
  await chaseWithdrawal(world.till.services, refs[0]!);
  expect(await statusOf(lost.id)).toBe(4);
  expect(await balances()).toEqual([31_000, 3_000, 0]);
  expect(await world.verify()).toEqual([]);
});

// Given up at once, its amount could be asked for again, and the first request may still arrive.
test("a request that was lost, and is refused when it is sent again, is given up only after ten minutes of silence", async () => {
  const asked = await apply(await earned(), 10);
  world.payouts.fail("transfer", "lost-request");
  await world.as("sp01", decideWithdrawal, { requestId: randomUUID(), id: asked.id, decision: "approve" });
  await world.work();
  const looks: number[] = [];
  for (const minutes of [2, 5, 5]) {
    world.payouts.fail("transfer", { refuse: "NOT_ENOUGH" });
    world.till.services.clock.advance(minutes * 60_000);
    await world.work();
    looks.push(await statusOf(asked.id));
  }
  expect(looks).toEqual([2, 2, 4]);
  expect(world.payouts.transfers.size).toBe(0);
  expect(await world.verify()).toEqual([]);
});

test("nothing of what was asked for can be changed afterwards, and no posting stands without its entry", async () => {
  const accountId = await earned();
  const { id } = await apply(accountId, 10);
  await expect(world.till.owner("update withdrawals set payee_sealed = 'x' where id = $1", [id])).rejects.toMatchObject({ code: "ZF003" });
  await expect(world.till.owner("update withdrawals set amount_cents = 1 where id = $1", [id])).rejects.toMatchObject({ code: "ZF003" });
  await expect(world.till.owner("delete from commission_lines")).rejects.toMatchObject({ code: "ZF003" });
  await expect(world.till.owner("update withdrawals set status = 3 where id = $1", [id])).rejects.toMatchObject({ code: "ZF001" });
});

test("a provider sets its terms over what it has read, and its keys are never told", async () => {
  const before = await world.as("sp01", getPayoutSettings, {});
  const { channel, setByName: _name, updatedAt: _at, ...terms } = before;
  expect(channel).toMatchObject({ mchId: "1900000001", privateKeyTail: expect.any(String) });
  const given = { ...terms, freezeDays: 3, password: DEMO_PASSWORD } as never;
  await world.as("sp01", setPayoutSettings, given);
  expect((await refused(world.as("sp01", setPayoutSettings, given)))?.status).toBe(409);
  const after = await world.as("sp01", getPayoutSettings, {});
  expect([after.freezeDays, after.version, after.channel?.mchId]).toEqual([3, before.version + 1, "1900000001"]);
  await world.till.owner("update payout_settings set freeze_days = 0");
});
