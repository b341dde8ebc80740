import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { linkToken } from "@zhangfang/server/files/signed-link.ts";
import { giveScriptDoor, type Transfer } from "../../../channels/server/index.ts";
import { getOwnProfit, getPayoutPage, getWithdrawal, notifyTransfer, openPayoutInWechat, retractWithdrawal } from "../../contract/index.ts";
import { approveWithdrawal } from "../testing/approve-withdrawal.ts";
import { openCommissionWorld, type CommissionWorld } from "../testing/commission-world.ts";
import { CONFIRM } from "./confirm-link.ts";

let world: CommissionWorld;
beforeAll(async () => void (world = await openCommissionWorld()));
afterAll(() => world.close());
beforeEach(() => world.forget());

const refused = (act: Promise<unknown>) =>
  act.then(
    () => "done",
    (error: { status: number; code: string }) => `${error.status} ${error.code}`,
  );
/** A withdrawal of 100.00 that was approved and waits for its payee. */
async function waiting(): Promise<{ id: string; number: string; token: string }> {
  const { id, number } = await approveWithdrawal(world);
  return { id, number, token: linkToken(world.till.services, CONFIRM, id) };
}
const page = (token: string) => world.asNobody(getPayoutPage, { token });
const later = async (ms = 60_000) => {
  world.till.services.clock.advance(ms);
  await world.work();
};
const own = async () => {
  const { balanceCents, frozenCents, paidCents } = await world.as("agent01", getOwnProfit, {});
  return [balanceCents, frozenCents, paidCents];
};
const tell = (eventId: string, transfer: Transfer, by = "1900000001", provider = world.till.tree.providers.sp01) =>
  world.asNobody(
    notifyTransfer,
    { providerId: provider },
    {
      params: { providerId: provider },
      body: undefined,
      rawBody: Buffer.from(JSON.stringify({ eventId, transfer })),
      headers: { "fake-signature": by },
    },
  );
const inbox = () => world.till.owner<{ result: string }>("select result from payout_inbox order by received_at, event_id");

test("the page gives what WeChat needs while the payee may confirm, and says what it came to afterwards", async () => {
  const { id, number, token } = await waiting();
  const { confirm } = await world.as("sp01", getWithdrawal, { id });
  expect(confirm?.url).toMatch(new RegExp(`/payout/${token}$`));
  expect(await page(token)).toMatchObject({
    state: "waiting",
    netCents: 9_900,
    withdrawalNo: number,
    until: confirm?.until,
    invoke: { mchId: "1900000001", appId: "wx0123456789abcdef", package: `package-of-${number}` },
  });
  world.payouts.decide(number, "success");
  await later();
  expect(await page(token)).toMatchObject({ state: "arrived", invoke: null });
  expect((await world.as("sp01", getWithdrawal, { id })).confirm).toBeNull();
});

test("a link that we did not sign is none, and after a day there is nothing to confirm", async () => {
  const { id, number, token } = await waiting();
  expect(await refused(page(`${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`))).toBe("404 payout.void");
  expect(await refused(page(linkToken(world.till.services, "friend-pay", id)))).toBe("404 payout.void");
  world.till.services.clock.advance(86_400_001);
  expect(await page(token)).toMatchObject({ state: "over", invoke: null });
  expect(await refused(world.asNobody(openPayoutInWechat, { token }))).toMatch(/^409/);
  // The channel alone says that it is closed; then the amount is the agent's again.
  expect(await own()).toEqual([24_000, 10_000, 0]);
  world.payouts.decide(number, "failed");
  await later(600_000);
  expect(await own()).toEqual([34_000, 0, 0]);
});

test("only the page's own address is signed for WeChat's bridge", async () => {
  const { token } = await waiting();
  const urls: string[] = [];
  giveScriptDoor(world.till.services, {
    configOf: (app, secret, url) => {
      urls.push(`${secret} ${url}`);
      return Promise.resolve({ kind: "ok", value: { appId: app.appId, timestamp: "1", nonceStr: "n", signature: "s" } });
    },
  });
  await world.asNobody(openPayoutInWechat, { token, query: "?from=groupmessage" });
  expect(urls).toEqual([expect.stringMatching(new RegExp(`^a{32} http.*/payout/${token}\\?from=groupmessage$`))]);
  expect(await refused(world.asNobody(openPayoutInWechat, { token, query: "@evil.example/" }))).toMatch(/^400/);
});

test("a transfer that waits is taken back once, and its amount is there again when the channel says so", async () => {
  const { id, number, token } = await waiting();
  expect((await world.as("sp01", getWithdrawal, { id })).retractable).toBe(true);
  expect(await refused(world.as("agent01", retractWithdrawal, { id }))).toMatch(/^403/);
  await world.as("sp01", retractWithdrawal, { id });
  expect(await refused(world.as("sp01", retractWithdrawal, { id }))).toMatch(/^409/);
  expect(await page(token)).toMatchObject({ state: "soon", invoke: null });
  await world.work();
  expect(await own()).toEqual([24_000, 10_000, 0]);
  expect(world.payouts.transfers.get(number)?.state).toBe("processing");
  world.payouts.decide(number, "cancelled");
  await later();
  const found = await world.as("sp01", getWithdrawal, { id });
  expect([found.status, found.calls.map(({ operation }) => operation)]).toEqual([
    4,
    expect.arrayContaining(["transfer", "query", "cancel"]),
  ]);
  expect(await own()).toEqual([34_000, 0, 0]);
  expect(await world.verify()).toEqual([]);
});

test("where the payee was quicker than whoever takes it back, it has arrived; a lost answer changes nothing", async () => {
  const quick = await waiting();
  await world.as("sp01", retractWithdrawal, { id: quick.id });
  world.payouts.fail("cancel", "lost-request");
  await world.work();
  expect((await world.as("sp01", getWithdrawal, { id: quick.id })).status).toBe(2);
  world.payouts.fail("cancel", { refuse: "INVALID_REQUEST" });
  await later();
  // Refused while it waits still: somebody may ask again.
  expect(await world.as("sp01", getWithdrawal, { id: quick.id })).toMatchObject({ status: 2, retractable: true });
  await world.as("sp01", retractWithdrawal, { id: quick.id });
  world.payouts.decide(quick.number, "success");
  await later();
  expect((await world.as("sp01", getWithdrawal, { id: quick.id })).status).toBe(3);
  expect(await own()).toEqual([24_000, 0, 9_900]);
  expect(await world.verify()).toEqual([]);
});

test("word of the end settles it once, however often it comes; another amount, number or signature does not", async () => {
  const { id, number } = await waiting();
  const done = world.payouts.decide(number, "success");
  expect(await refused(tell("E1", done, "1900000002"))).toBe("401 SIGNATURE");
  expect(await refused(tell("E1", done, "1900000001", world.till.tree.providers.sp02))).toBe("401 SIGNATURE");
  await tell("E1", { ...done, amount_cents: 9_901 });
  expect((await world.as("sp01", getWithdrawal, { id })).status).toBe(2);
  await tell("E2", { ...done, outBillNo: "W0NOBODY" });
  await Promise.all(Array.from({ length: 20 }, () => tell("E1", done)));
  expect((await world.as("sp01", getWithdrawal, { id })).status).toBe(3);
  expect((await inbox()).map(({ result }) => result).toSorted()).toEqual(["mismatch", "settled", "unknown-transfer"]);
  // What comes after the end is old news.
  await tell("E3", { ...done, state: "failed" });
  expect(await own()).toEqual([24_000, 0, 9_900]);
  expect(await world.verify()).toEqual([]);
});
