import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Author } from "@zhangfang/server/calls/call.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { merchantScope, type Scope, storeScope } from "@zhangfang/server/database/scope.ts";
import { issueWords } from "@zhangfang/contract/issue-words.ts";
import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import { openTillWorld, type TillWorld } from "../../../orders/server/testing/till-world.ts";
import { keepOrder } from "../orders/keep-order.ts";
import { verifyTakeaway } from "../verify-takeaway.ts";
import { takeawayImport } from "./import-orders.ts";

let world: TillWorld;
beforeAll(async () => void (world = await openTillWorld()));
beforeEach(() => emptyTables(world.owner, "takeaway_orders"));
afterAll(() => world.close());

const shop = () => world.tree.merchants.mch01;
const scope = (): Scope => merchantScope(shop().serviceProviderId, shop().id);
const LINE = {
  platform: "淘宝闪购",
  platformOrderId: "TB-1",
  status: "已完成",
  placedAt: "2026/11/18 12:30",
  completedAt: "2026-11-18 13:05:09",
  originalCents: "¥42.00",
  packageCents: "2",
  deliveryCents: "4.0",
  shopOffCents: "-3.00",
  platformOffCents: "2.00",
  paidCents: "37.00",
  feeCents: "-5.00",
  incomeCents: "30.00",
};
/** What lines come to: the verdict of each, or what is wrong with its cells. */
async function check(lines: readonly object[], of = scope()) {
  const read = lines.map((line) => takeawayImport.row.safeParse(line, { error: issueWords }));
  const wrong = read.flatMap(({ error }) => error?.issues.map(({ path, message }) => `${String(path[0])}: ${message}`) ?? []);
  if (wrong.length > 0) return wrong;
  return withScope(world.services.pool, of, (tx) =>
    takeawayImport.check(
      tx,
      of,
      read.map(({ data }) => data!),
      "person",
    ),
  );
}
async function bring(...lines: readonly object[]): Promise<void> {
  for (const verdict of await check(lines)) {
    if (typeof verdict === "string" || !("value" in verdict)) throw new Error(JSON.stringify(verdict));
    const author = { services: world.services, scope: scope(), audit: async () => {} } as unknown as Author;
    await withScope(world.services.pool, scope(), (tx) => takeawayImport.create(author, tx, verdict.value as never));
  }
}
const kept = () =>
  world.owner<Record<string, unknown>>(
    "select platform, status, placed_at, income_cents, shop_off_cents, fee_cents, refund_cents, odd, source, store_id from takeaway_orders",
  );

describe("a platform's own sheet of orders", () => {
  test("brings them as they are, whatever signs stand before amounts, and again brings nothing", async () => {
    await bring(LINE);
    expect(await kept()).toMatchObject([
      {
        platform: "tb-flash",
        status: 2,
        income_cents: 3_000,
        shop_off_cents: 300,
        fee_cents: 500,
        odd: false,
        source: "sheet",
        store_id: null,
      },
    ]);
    expect(await check([LINE])).toEqual([{ there: true }]);
    // A refund that came later is news of the same order.
    await bring({ ...LINE, refundCents: "8.00", shopRefundCents: "5.00" });
    expect(await kept()).toMatchObject([{ refund_cents: 800 }]);
    // Without what the platform takes nothing can be odd.
    const { feeCents: _fee, ...rest } = LINE;
    await bring({ ...rest, platformOrderId: "TB-9" });
    expect(await kept()).toMatchObject([{}, { fee_cents: 0, odd: false }]);
  });
  test("is told line by line what is wrong with it", async () => {
    expect(await check([{ ...LINE, paidCents: "三十七", placedAt: "2026-02-30 12:00", platform: "滴滴" }])).toEqual([
      "platform: 平台为饿了么、美团外卖、淘宝闪购、京东秒送或其他外卖",
      "placedAt: 时间格式如 2026-11-20 12:30:00",
      "paidCents: 须为金额，最多两位小数",
    ]);
    expect(
      await check([
        { ...LINE, store: "不存在的店" },
        { ...LINE, platformOrderId: "TB-2", completedAt: "2026-11-17 09:00:00" },
      ]),
    ).toEqual([{ errors: { store: "没有门店「不存在的店」，请填本店的门店编号或名称" } }, { errors: { completedAt: "早于下单时间" } }]);
    const foreign = world.tree.merchants.mch02.stores[0]!.id;
    const [{ number } = { number: "" }] = await world.owner<{ number: string }>("select number from stores where id = $1", [foreign]);
    expect(await check([{ ...LINE, store: number }])).toMatchObject([{ errors: { store: expect.any(String) } }]);
  });
  test("changes nothing that the platform's interface brought", async () => {
    const value = ((await check([LINE]))[0] as unknown as { value: { order: Parameters<typeof keepOrder>[3] } }).value;
    const of = { service_provider_id: shop().serviceProviderId, merchant_id: shop().id, platform: "tb-flash" as const };
    await withScope(world.services.pool, scope(), (tx) => keepOrder(tx, world.services, of, { ...value.order, source: "platform" }));
    expect(await check([LINE, { ...LINE, incomeCents: "31.00" }])).toEqual([
      { there: true },
      { errors: { incomeCents: "平台接口已取到这一单，状态或金额与表里不同，以接口为准" } },
    ]);
  });
  test("keeps the sign of the income, and guesses no state", async () => {
    await bring({ ...LINE, incomeCents: "-5.00" });
    expect(await kept()).toMatchObject([{ income_cents: -500, odd: true }]);
    expect(await check([{ ...LINE, paidCents: "-37.00" }])).toEqual(["paidCents: 不能是负数"]);
    for (const word of ["申请取消", "取消申请被拒", "全额退款", "待结算"])
      expect(await check([{ ...LINE, status: word }])).toEqual([`status: 不认识的订单状态「${word}」`]);
    expect(await check([{ ...LINE, platformOrderId: "TB-3", status: "未完成" }])).toMatchObject([{ value: { order: { status: 1 } } }]);
  });
  test("says what the shop bears of a refund, also where that is nothing", async () => {
    const borne = async (more: object) =>
      ((await check([{ ...LINE, refundCents: "8.00", ...more }]))[0] as unknown as { value: { order: { shop_refund_cents: number } } })
        .value.order.shop_refund_cents;
    expect([await borne({}), await borne({ shopRefundCents: "0.00" }), await borne({ shopRefundCents: "5" })]).toEqual([800, 0, 500]);
  });
  test("imported with a wrong mapping is mended by importing it again", async () => {
    const { feeCents: _fee, ...without } = LINE;
    await bring(without);
    const store = shop().stores[0]!.id;
    const [{ number } = { number: "" }] = await world.owner<{ number: string }>("select number from stores where id = $1", [store]);
    await bring({ ...LINE, store: number });
    expect(await kept()).toMatchObject([{ fee_cents: 500, store_id: store }]);
    expect(await check([{ ...LINE, store: number }, LINE])).toEqual([{ there: true }, { there: true }]);
  });
  test("that said 已取消 by mistake is mended by a person's own word, which is written down; news that comes late is not", async () => {
    await bring({ ...LINE, status: "已取消" });
    expect(await check([LINE])).toEqual([{ errors: { status: "这一单已取消；取消是写错的，状态写「更正为已完成」" } }]);
    const mend = { ...LINE, status: "更正为已完成" };
    const of = { service_provider_id: shop().serviceProviderId, merchant_id: shop().id, platform: "tb-flash" as const };
    const [verdict] = await check([mend]);
    const { value } = verdict as unknown as { value: { order: Parameters<typeof keepOrder>[3] } };
    const keep = (source: "platform" | "sheet") =>
      withScope(world.services.pool, scope(), (tx) => keepOrder(tx, world.services, of, { ...value.order, source }));
    // The same without a person's word takes nothing back, whoever tells it.
    expect([(await keep("sheet")).changed, (await keep("platform")).changed]).toEqual([false, false]);
    const audits: unknown[] = [];
    const audit = (_tx: unknown, entry: unknown) => Promise.resolve(void audits.push(entry));
    const author = { services: world.services, scope: scope(), audit } as unknown as Author;
    await withScope(world.services.pool, scope(), (tx) => takeawayImport.create(author, tx, value as never));
    expect(await kept()).toMatchObject([{ status: 2, income_cents: 3_000, source: "sheet" }]);
    expect(audits).toMatchObject([{ after: { order: "TB-1", mended: "completed" } }]);
    expect(await check([mend, LINE])).toEqual([{ there: true }, { there: true }]);
    expect(await world.look(verifyTakeaway)).toEqual([]);
    // What the interface said is cancelled stays so.
    await withScope(world.services.pool, scope(), (tx) =>
      keepOrder(tx, world.services, of, { ...value.order, status: 3, completed_at: null, source: "platform" }),
    );
    expect(await check([mend])).toMatchObject([{ errors: { incomeCents: expect.stringContaining("以接口为准") } }]);
    await expect(withScope(world.services.pool, scope(), (tx) => takeawayImport.create(author, tx, value as never))).rejects.toMatchObject({
      status: 409,
    });
    await expect(world.owner("update takeaway_orders set status = 2")).rejects.toMatchObject({ code: "ZF001" });
  });
  test("gives way to what the interface tells of the same state, and takes nothing from it, whoever comes first", async () => {
    await bring(LINE);
    const [verdict] = await check([{ ...LINE, incomeCents: "29.00" }]);
    const { order } = (verdict as unknown as { value: { order: Parameters<typeof keepOrder>[3] } }).value;
    const of = { service_provider_id: shop().serviceProviderId, merchant_id: shop().id, platform: "tb-flash" as const };
    const told = { ...order, changed_at: order.placed_at, income_cents: 2_800 };
    await withScope(world.services.pool, scope(), (tx) => keepOrder(tx, world.services, of, { ...told, source: "platform" }));
    expect(await kept()).toMatchObject([{ income_cents: 2_800, source: "platform" }]);
    // A sheet that was checked before the interface told of it says that nothing was changed.
    const author = { services: world.services, scope: scope(), audit: async () => {} } as unknown as Author;
    const late = (verdict as unknown as { value: never }).value;
    await expect(withScope(world.services.pool, scope(), (tx) => takeawayImport.create(author, tx, late))).rejects.toMatchObject({
      status: 409,
    });
    expect(await kept()).toMatchObject([{ income_cents: 2_800, source: "platform" }]);
    // A refund that the interface tells of days later moves the order to no other day.
    const days = { ...told, completed_at: "2026-11-21T04:00:00.000Z", changed_at: "2026-11-21T04:00:00.000Z", refund_cents: 100 };
    const [before] = await world.owner<{ completed_at: string }>("select completed_at from takeaway_orders");
    await withScope(world.services.pool, scope(), (tx) => keepOrder(tx, world.services, of, { ...days, source: "platform" }));
    expect(await world.owner("select completed_at, refund_cents from takeaway_orders")).toEqual([{ ...before, refund_cents: 100 }]);
  });
  test("is not for whoever sees some stores alone", async () => {
    const narrow = storeScope(shop().serviceProviderId, shop().id, shop().stores[0]!.id);
    await expect(check([LINE], narrow)).rejects.toMatchObject({ status: 403 });
  });
});

test("nothing goes into a day that is closed", async () => {
  const line = { ...LINE, platform: "美团外卖", platformOrderId: "MT-1" };
  await bring(line);
  await world.owner(
    `insert into recon_days (service_provider_id, id, merchant_id, source, day, status, has_bill, closed_at, matched_at)
      values ($1, gen_random_uuid(), $2, 'meituan-wm', '2026-11-18', 'closed', true, now(), now())`,
    [shop().serviceProviderId, shop().id],
  );
  const shut = { errors: { completedAt: "2026-11-18 已关账，要记入请先在对账里撤销关账" } };
  expect(
    await check([
      line,
      { ...line, platformOrderId: "MT-2" },
      // It would leave the day.
      { ...line, completedAt: "2026-11-19 00:10:00" },
      { ...line, platformOrderId: "MT-3", completedAt: "2026-11-19 00:10:00" },
      { ...line, platformOrderId: "MT-4", platform: "饿了么" },
    ]),
  ).toMatchObject([{ there: true }, shut, shut, { value: {} }, { value: {} }]);
});
