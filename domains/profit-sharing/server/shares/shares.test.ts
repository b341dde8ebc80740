import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { dueShares } from "./share-jobs.ts";
import { shareTests } from "../testing/share-tests.ts";

const { world, refund, balances } = await shareTests();

describe("a payment is shared by its merchant's rule", () => {
  test("a minute after it, split to the cent, once; the rest is the merchant's", async () => {
    const order = await world.paid(10_001);
    expect(await world.share(order.shareId)).toMatchObject({ status: 0, amount_cents: 0 });
    await world.runJobs();
    expect(world.sharing.shares.size).toBe(0);
    await world.pass();
    // 100.01 less the fee of 0.38 at 18 %: 17.93, by 10 : 5 : 3.
    const details = await world.as("mch01", "getShare", { id: order.shareId });
    expect([details.baseCents, details.amountCents, details.status]).toEqual([9_963, 1_793, 2]);
    expect(details.lines.map((line) => [line.alias, line.amountCents, line.result])).toEqual([
      ["服务商", 996, "success"],
      ["合作伙伴", 498, "success"],
      ["店长", 299, "success"],
    ]);
    expect(await balances()).toEqual({ channel: -8_208, fee: 38, merchant: 8_170, sharing: 0 });
    await world.pass();
    expect(world.sharing.shares.size).toBe(1);
  });

  test("the next day at one in the morning where the rule says so", async () => {
    await world.rule("auto", { timing: "next-day" });
    const order = await world.paid();
    await world.pass(60);
    expect(await world.share(order.shareId)).toMatchObject({ status: 0 });
    await world.pass(24 * 60);
    expect(await world.share(order.shareId)).toMatchObject({ status: 2 });
  });

  test("never above the channel's cap, which holds over all shares of the order", async () => {
    await world.owner("update sharing_rules set max_ratio = 5000");
    const order = await world.paid();
    await world.pass();
    expect(await world.order(order.id)).toMatchObject({ shared: 500 });
    await world.owner("update sharing_rules set max_ratio = null");
  });

  test("by hand: previewed, sent once, and not before somebody says so", async () => {
    await world.rule("manual");
    const order = await world.paid();
    await world.pass();
    expect(world.sharing.shares.size).toBe(0);
    const preview = await world.as("mch01", "previewShare", { id: order.shareId });
    expect([preview.totalCents, preview.restCents, preview.lines.map((line) => line.partCents)]).toEqual([1_793, 8_169, [996, 498, 299]]);
    const requestId = randomUUID();
    const sent = await world.as("mch01", "sendShare", { requestId, id: order.shareId });
    expect(await world.as("mch01", "sendShare", { requestId, id: order.shareId })).toEqual(sent);
    await expect(world.as("sp01", "sendShare", { requestId: randomUUID(), id: order.shareId })).rejects.toMatchObject({ status: 409 });
    await expect(world.as("sp02", "sendShare", { requestId: randomUUID(), id: order.shareId })).rejects.toMatchObject({ status: 404 });
    await world.runJobs();
    expect(await world.share(order.shareId)).toMatchObject({ status: 2, shared_cents: 1_793 });
  });

  test("what an abnormal refund took hangs at the channel and is not shared", async () => {
    await world.rule("manual");
    const [half, whole] = [await world.paid(), await world.paid()];
    await world.pass();
    for (const [order, cents] of [
      [half, 5_000],
      [whole, 10_000],
    ] as const) {
      const asked = await refund(order.id, cents);
      await world.runJobs();
      world.channel.decide(asked.refundNo, "abnormal");
      await world.pass();
    }
    const preview = await world.as("mch01", "previewShare", { id: half.shareId });
    // 99.62 less 50.00 with 0.19 of the fee.
    expect([preview.refundedCents, preview.baseCents, preview.totalCents]).toEqual([5_000, 4_981, 897]);
    expect((await world.as("mch01", "previewShare", { id: whole.shareId })).refusal).toBe("可分金额不足 1 分（基数 ¥0.00）");
  });

  test("完结 gives the merchant the rest, and nothing is shared after it", async () => {
    await world.rule("manual");
    const order = await world.paid();
    await world.pass();
    await world.as("mch01", "finishSharing", { requestId: randomUUID(), orderId: order.id });
    await world.runJobs();
    expect(await world.share(order.shareId)).toMatchObject({ status: 2, amount_cents: 0 });
    await expect(world.as("mch01", "finishSharing", { requestId: randomUUID(), orderId: order.id })).rejects.toMatchObject({ status: 409 });
  });

  test("a payment that was refunded whole before its share comes to nothing and lets the money go", async () => {
    await world.rule("auto", { unfreeze: true });
    const order = await world.paid();
    const asked = await refund(order.id, 10_000);
    await world.runJobs();
    world.channel.decide(asked.refundNo, "success");
    await world.pass();
    expect(await world.order(order.id)).toMatchObject({ status: 3, shared: 0, sharing: 0 });
    expect((await world.as("mch01", "getShare", { id: order.shareId })).kind).toBe("unfreeze");
  });
});

describe("no answer is not a no", () => {
  test.each(["lost-request", "lost-reply"] as const)("a share whose answer is a %s goes out once", async (fault) => {
    world.sharing.fail("share", fault);
    const order = await world.paid();
    await world.pass();
    await world.pass();
    expect(await world.share(order.shareId)).toMatchObject({ status: 2, shared_cents: 1_793 });
    expect(world.sharing.shares.size).toBe(1);
  });
  test("what has waited longest since it was due comes first, whether it is to be sent or asked about", async () => {
    world.sharing.fail("share", "lost-request");
    const asked = await world.paid();
    await world.pass();
    const [late, early, future] = [await world.paid(), await world.paid(), await world.paid()];
    const moment = (minutes: number): string => new Date(world.services.clock.now_ms() + minutes * 60_000).toISOString();
    await world.owner("update sharing_orders set next_query_at = $2 where id = $1", [asked.shareId, moment(-20)]);
    for (const [share, minutes] of [
      [late, -10],
      [early, -30],
      [future, 10],
    ] as const)
      await world.owner("update sharing_orders set due_at = $2 where id = $1", [share.shareId, moment(minutes)]);
    const due = await world.look((tx) => dueShares(tx, moment(0)));
    expect(due.map(({ id }) => id)).toEqual([early.shareId, asked.shareId, late.shareId]);
  });
  test("a refusal while an earlier try may still arrive is not believed before the silence is over", async () => {
    world.sharing.fail("share", "lost-request");
    const order = await world.paid();
    await world.pass();
    // Never heard of, sent again and refused, while the first may be on its way.
    for (let n = 0; n < 2; n++) world.sharing.fail("share", { refuse: "RULE_LIMIT" });
    await world.pass(1);
    expect(await world.share(order.shareId)).toMatchObject({ status: 1 });
    expect(await world.order(order.id)).toMatchObject({ sharing: 1_793 });
    for (let minute = 0; minute < 30; minute++) {
      world.sharing.fail("share", { refuse: "RULE_LIMIT" });
      await world.pass(1);
    }
    expect(await world.share(order.shareId)).toMatchObject({ status: 3, failure: "通道拒绝：RULE_LIMIT" });
    world.sharing.forget();
  });
  test("what the channel took is not failed by a query that does not find it and a refusal of the same number", async () => {
    world.sharing.pace.shares = "slow";
    const order = await world.paid();
    await world.pass();
    const [number, made] = [...world.sharing.shares][0]!;
    world.sharing.shares.delete(number);
    for (let hour = 0; hour < 26; hour++) {
      world.sharing.fail("share", { refuse: "NOT_ENOUGH" });
      await world.pass(60);
    }
    expect(await world.share(order.shareId)).toMatchObject({ status: 1 });
    const told = await world.owner<{ level: string; title: string; body: string }>(
      "select u.level, m.title, m.body from messages m join users u on u.id = m.owner_user_id where m.kind = 'sharingWaiting' and u.login in ('mch01', 'sp01') order by 1",
    );
    expect(told.map(({ level, title }) => [level, title])).toEqual([
      ["MCH", "分账超过一天没有结果"],
      ["SP", "分账超过一天没有结果"],
    ]);
    expect(told[0]!.body).toContain(`${number}（¥17.93）微信支付还没有给出结果`);
    world.sharing.forget();
    world.sharing.shares.set(number, made);
    world.sharing.decideAll();
    await world.pass(60);
    expect(await world.share(order.shareId)).toMatchObject({ status: 2, shared_cents: 1_793 });
  });
  test("a refusal gives the amount back", async () => {
    world.sharing.fail("share", { refuse: "RULE_LIMIT" });
    const order = await world.paid();
    await world.pass();
    expect(await world.share(order.shareId)).toMatchObject({ status: 3, shared_cents: 0 });
    expect(await world.order(order.id)).toMatchObject({ sharing: 0, shared: 0 });
  });
});

describe("a receiver whose registration has no answer yet", () => {
  const WAITS = "接收方 合作伙伴 还在登记，有结果后再分账；可在分账设置里再次登记";
  const bindState = (state: string, aliases = ["合作伙伴"]) =>
    world.owner("update sharing_accounts set bind_state = $1 where wallet = 'wechat' and receiver_id = any($2)", [
      state,
      aliases.map((alias) => world.receiverIds[alias]!),
    ]);
  const ALL = ["服务商", "合作伙伴", "店长"];
  afterEach(() => bindState("bound", ALL));
  const letGo = async (id: string) =>
    (await world.owner<{ at: string | null }>("select unfrozen_at as at from pay_orders where id = $1", [id]))[0]!.at !== null;
  const dueAt = async (id: string) =>
    Date.parse((await world.owner<{ at: string }>("select due_at as at from sharing_orders where id = $1", [id]))[0]!.at);

  test.each(["binding", "unsure"])("%s: its payment waits whole, with the reason, and is shared once it is known", async (state) => {
    await world.rule("auto", { unfreeze: true });
    await bindState(state);
    const order = await world.paid();
    await world.pass();
    expect(await world.share(order.shareId)).toMatchObject({ status: 0, failure: WAITS });
    expect(world.sharing.shares.size).toBe(0);
    expect((await world.as("mch01", "previewShare", { id: order.shareId })).refusal).toBe(WAITS);
    await expect(world.as("mch01", "sendShare", { requestId: randomUUID(), id: order.shareId })).rejects.toMatchObject({
      status: 409,
      message: WAITS,
    });
    const gaps: number[] = [];
    for (const minutes of [2, 30, 300]) {
      await world.pass(minutes);
      gaps.push((await dueAt(order.shareId)) - world.services.clock.now_ms());
    }
    expect(gaps[1]).toBeGreaterThan(gaps[0]!);
    expect(gaps[2]).toBeGreaterThan(gaps[1]!);
    expect([await letGo(order.id), world.sharing.shares.size]).toEqual([false, 0]);
    await world.as("mch01", "bindReceiver", { id: world.receiverIds["合作伙伴"]!, wallet: "wechat" });
    await world.pass(60);
    expect(await world.share(order.shareId)).toMatchObject({ status: 2, shared_cents: 1_793, failure: null });
  });
  test("where nobody has an answer nothing is let go; who was refused is expected no more", async () => {
    await world.rule("auto", { unfreeze: true });
    await bindState("unsure", ALL);
    const order = await world.paid();
    await world.pass();
    expect(await world.share(order.shareId)).toMatchObject({ status: 0, failure: expect.stringContaining("服务商、合作伙伴、店长") });
    await bindState("failed", ["合作伙伴", "店长"]);
    await world.pass(60);
    expect(await world.share(order.shareId)).toMatchObject({ status: 0, failure: expect.stringMatching(/^接收方 服务商 还在登记/) });
    expect(await letGo(order.id)).toBe(false);
    await bindState("failed", ["服务商"]);
    await world.pass(60);
    expect((await world.as("mch01", "getShare", { id: order.shareId })).kind).toBe("unfreeze");
    expect(await letGo(order.id)).toBe(true);
  });
  test("a day before the channel lets the money go, it is shared with those who are known, and both are told", async () => {
    await bindState("unsure");
    const order = await world.paid();
    await world.pass();
    await world.pass(28 * 24 * 60);
    expect(await world.share(order.shareId)).toMatchObject({ status: 0, failure: WAITS });
    await world.pass(24 * 60);
    expect(await world.share(order.shareId)).toMatchObject({ status: 2, shared_cents: 1_295, failure: null });
    const told = await world.owner<{ level: string; title: string; body: string }>(
      "select u.level, m.title, m.body from messages m join users u on u.id = m.owner_user_id where m.title = '分账没有等齐接收方' and u.login in ('mch01', 'sp01') order by 1",
    );
    expect(told.map(({ level }) => level)).toEqual(["MCH", "SP"]);
    expect(told[0]!.body).toContain("接收方 合作伙伴 的登记一直没有结果，资金冻结快满 30 天，不再等待");
  });
});
