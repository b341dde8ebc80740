import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { settlePayment } from "@zhangfang/domains/orders/server/index.ts";
import { startRed } from "@zhangfang/domains/invoices/contract/index.ts";
import { COMPANY, PERSON } from "@zhangfang/domains/invoices/server/testing/invoice-world.ts";
import { cancelVoucher, decideVoucherFound, noteVoucherFound } from "@zhangfang/domains/platforms/contract/index.ts";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { lookAtStoreDay, reconcile } from "./day-reconciliation.ts";
import type { DayWorld } from "./day-world.ts";

const at = fc.nat({ max: 7 });
type Fields = Readonly<Record<string, fc.Arbitrary<unknown>>>;
type Given<F extends Fields> = { readonly [K in keyof F]: F[K] extends fc.Arbitrary<infer T> ? T : never };
const step = <N extends string, F extends Fields>(weight: number, op: N, fields: F) => ({
  weight,
  arbitrary: fc.record({ op: fc.constant(op), ...fields }) as unknown as fc.Arbitrary<{ readonly op: N } & Given<F>>,
});

/** One operation around a store that uses vouchers, sells, refunds and invoices. What a code ends in says what its platform does. */
export const dayOp = fc.oneof(
  step(9, "use", {
    kind: fc.constantFrom("set", "cash", "card"),
    end: fc.constantFrom("20", "20", "20", "01", "04", "05", "06", "07", "08"),
  }),
  step(8, "order", { take: fc.nat({ max: 3 }), lines: fc.boolean(), paid: fc.constantFrom(true, true, false) }),
  step(3, "customer pays", { at }),
  step(2, "close", { at }),
  step(6, "refund", { at, part: fc.constantFrom("a third", "all", "all"), keep: fc.boolean() }),
  step(3, "cancel", { at }),
  step(2, "taken back there", { at }),
  step(2, "used there", { end: fc.constantFrom("20", "06") }),
  step(3, "notice", { at, copies: fc.integer({ min: 1, max: 2 }) }),
  step(6, "apply", { at, company: fc.boolean() }),
  step(1, "voucher switch", { on: fc.boolean() }),
  step(4, "red", { at, renew: fc.boolean() }),
  step(3, "invoice fault", {
    fault: fc.constantFrom("lost", "deaf", "refused", "failed", "duplicate", "hidden", "slow", "red-waiting", "red-waiting", "red-refused"),
  }),
  step(4, "confirm red", { at }),
  step(12, "time passes", { minutes: fc.constantFrom(0.1, 0.5, 2, 11, 59, 300) }),
  step(2, "next day", {}),
  step(4, "reconcile", { ago: fc.constantFrom(1, 1, 2) }),
);
export type DayOp = typeof dayOp extends fc.Arbitrary<infer T> ? T : never;
export interface DayRun {
  readonly world: DayWorld;
  /** The codes by attempt. */
  readonly codes: Map<string, string>;
  orders: number;
  notices: number;
}
export const NOTHING = Symbol("nothing to do");
type Steps = { readonly [K in DayOp["op"]]: (run: DayRun, given: Extract<DayOp, { readonly op: K }>) => Promise<unknown> };
export const pick = <T>(all: readonly T[], place: number): T | undefined => all[place % Math.max(1, all.length)];

const LINES = [
  { place: 1, name: "双人套餐", units: 1, unitCents: 17_800 },
  { place: 2, name: "酸梅汤", units: 2, unitCents: 1_600 },
];
const GROSS = 21_000;
const orderRows = (run: DayRun, where: string) =>
  run.world.owner<{ id: string; order_no: string; till_no: string; status: number; left: number; voucher: number }>(
    `select id, order_no, till_no, status, (paid_cents - refunded_cents - refunding_cents)::int as left, voucher_cents::int as voucher
     from pay_orders where ${where} order by created_at, order_no`,
  );

export const DAY_STEPS: Steps = {
  use: async ({ world, codes }, { kind, end }) => {
    const { id, code } = await world.use(kind, end);
    codes.set(id, code);
  },
  order: async (run, { take, lines, paid }) => {
    const { world } = run;
    const free = await world.owner<{ id: string; goods_kind: number }>(
      "select a.id, v.goods_kind from voucher_verifications a join platform_vouchers v on v.id = a.voucher_id where a.status = 1 and a.order_id is null order by a.started_at, a.id",
    );
    const platformVouchers = free
      .slice(0, take)
      .map(({ id, goods_kind }, n) => (lines && goods_kind === 1 && n === 0 ? { attemptId: id, lines: [1] } : id));
    const tillNo = `D${++run.orders}`;
    const quoted = await world.till(world.store, "quotePrice", { tillNo, lines: LINES, platformVouchers });
    const how =
      quoted.paidCents === 0
        ? {}
        : paid
          ? { tradeType: "MICROPAY" as const, authCode: "130000000000000009" }
          : { tradeType: "NATIVE" as const };
    await world.till(world.store, "createTillOrder", {
      tillNo,
      subject: "晚餐",
      grossCents: GROSS,
      lines: LINES,
      quote: quoted.quote,
      ...how,
    });
  },
  "customer pays": async (run, given) => {
    const { world } = run;
    const waiting = (await orderRows(run, "status in (0, 1)")).filter(
      ({ order_no }) => world.channel.trades.get(order_no)?.transactionId === null,
    );
    const order = pick(waiting, given.at);
    if (!order) return NOTHING;
    const paid = world.channel.customerPays(order.order_no);
    const [row] = await world.owner("select * from pay_orders where id = $1", [order.id]);
    return world.look((tx) => settlePayment(tx, world.services, row as never, paid as never));
  },
  close: async (run, given) => {
    const order = pick(await orderRows(run, "status = 0"), given.at);
    if (!order) return NOTHING;
    return run.world.till(run.world.store, "closeTillOrder", { tillNo: order.till_no });
  },
  refund: async (run, given) => {
    const order = pick(await orderRows(run, "status = 2 and paid_at is not null"), given.at);
    if (!order) return NOTHING;
    const amountCents = given.part === "all" ? order.left : Math.ceil(order.left / 3);
    const asked = order.voucher > 0 && given.keep ? { vouchers: [] } : {};
    return run.world.as("mch01", "refundOrder", {
      requestId: randomUUID(),
      orderId: order.id,
      amountCents,
      reason: "退菜",
      ...asked,
    } as never);
  },
  cancel: async ({ world }, given) => {
    const all = await world.owner<{ id: string }>("select id from voucher_verifications where status = 1 order by started_at, id");
    const one = pick(all, given.at);
    return one ? world.desk("mch01", cancelVoucher, { id: one.id, reason: "点错了" }) : NOTHING;
  },
  "taken back there": async ({ world, codes }, given) => {
    const code = pick([...codes.values()], given.at);
    return code === undefined ? NOTHING : world.steer({ act: "reverse", platform: "douyin", code });
  },
  "used there": ({ world, orders, notices }, { end }) =>
    world.steer({
      act: "use",
      platform: "douyin",
      code: `3${orders}${notices}${world.services.clock.now_ms()}8${end}`.slice(0, 20),
      poi: "7200000000000000001",
    }),
  notice: async (run, given) => {
    const all = await run.world.owner<{ certificate_id: string; status: number }>(
      "select certificate_id, status from voucher_verifications where certificate_id <> '' order by started_at, id",
    );
    const one = pick(all, given.at);
    if (!one) return NOTHING;
    run.notices += 1;
    for (let copy = 0; copy < given.copies; copy++)
      await run.world.tell({
        certificate: one.certificate_id,
        messageId: `m-${run.notices}`,
        event: one.status === 6 ? "verify_cancel" : "verify",
      });
    return undefined;
  },
  apply: async (run, given) => {
    const order = pick(
      await orderRows(run, "status = 2 and paid_at is not null and paid_cents + voucher_cents > refunded_cents + refunding_cents"),
      given.at,
    );
    if (!order) return NOTHING;
    const page = await run.world.invoicePage(order.id);
    if (page.cents === 0) return NOTHING;
    return run.world.applyInvoice(order.id, page.cents, given.company ? COMPANY : PERSON);
  },
  "voucher switch": ({ world }, { on }) => world.owner(`update tax_subjects set vouchers = ${on}`),
  red: async ({ world }, given) => {
    const one = pick(await world.owner<{ id: string }>("select id from invoices where status in (2, 6) order by created_at, id"), given.at);
    return one ? world.invoicing("mch01", startRed, { requestId: randomUUID(), id: one.id, reason: 1, renew: given.renew }) : NOTHING;
  },
  "invoice fault": ({ world }, { fault }) => world.control({ fault }),
  "confirm red": async ({ world }, given) => {
    const waiting = await world.owner<{ number: string }>("select number from invoice_reds where status = 2 order by created_at, id");
    const one = pick(waiting, given.at);
    return one ? world.control({ red: one.number, bill: "04" }) : NOTHING;
  },
  "time passes": ({ world }, { minutes }) => world.pass(minutes * 60_000),
  "next day": ({ world }) => world.pass(24 * 3_600_000),
  reconcile: async ({ world }, { ago }) => {
    const day = addDays(shanghaiDay(world.services.clock.now_ms()), -ago);
    const [some] = await world.owner<{ any: boolean }>(
      `select exists (select from platform_entries where day = $1::date)
        or exists (select from pay_orders where (created_at at time zone 'Asia/Shanghai')::date = $1::date) as any`,
      [day],
    );
    if (!some!.any) return NOTHING;
    await reconcile(world, day);
    return lookAtStoreDay(world, day);
  },
};

/** Two people look in the platform's app at what nobody could find out, and see what the simulator holds. */
export async function lookByHand({ world, codes }: DayRun): Promise<void> {
  const open = await world.owner<{ id: string }>(
    "select id from voucher_verifications where status in (0, 3, 4) and next_at is null order by id",
  );
  const there = await world.shelf();
  for (const { id } of open) {
    const voucher = there.find(({ code }) => code === codes.get(id));
    const use = voucher?.uses.find(({ reversed, known }) => !reversed && !known);
    const seen = use ? { used: true, verifyId: use.verifyId } : { used: false };
    await world.desk("mch01", noteVoucherFound, { id, ...seen });
    await world.desk("emp01", decideVoucherFound, { id, agree: true, ...seen });
  }
}
