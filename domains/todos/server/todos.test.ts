import pg from "pg";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { domain, tie, tiedTo } from "@zhangfang/server/calls/domain.ts";
import { firstFence } from "@zhangfang/server/database/scope.ts";
import { openHttpWorld } from "../../../apps/server/testing/open-world.ts";
import { type Login, LOGINS } from "../../../apps/server/testing/matrix/people.ts";
import type { HttpWorld } from "../../../apps/server/testing/world.ts";
import type { listFirstSteps, listTodos } from "../contract/index.ts";
import type { FirstStep, TodoKind } from "./index.ts";
import { changeRow, plantRow } from "./testing/plant-row.ts";

let world: HttpWorld;
let pool: pg.Pool;
beforeAll(async () => {
  world = await openHttpWorld();
  pool = new pg.Pool({ ...(world.till.services.owner as pg.PoolConfig), max: 1 });
});
afterAll(async () => {
  await pool.end();
  await world.close();
});

type Answer = OutputOf<typeof listTodos>;
async function ask(login: Login, through: Pick<HttpWorld, "send"> = world): Promise<Answer> {
  const { status, body } = await through.send(login, { verb: "GET", path: "/api/todos" });
  expect([login, status]).toEqual([login, 200]);
  expect((body as Answer).failed).toEqual([]);
  return body as Answer;
}
const todoOf = ({ todos }: Answer, key: string) => todos.find((one) => one.key === key);
const countOf = async (login: Login, key: string): Promise<number> => todoOf(await ask(login), key)?.count ?? 0;

const OTHER = "99999999-9999-4999-8999-999999999999";
/** A store of mch01, with the columns that say whose a row is. */
const place = (store: number) => {
  const { serviceProviderId, merchantId, id } = world.till.tree.merchants.mch01.stores[store]!;
  return { service_provider_id: serviceProviderId, merchant_id: merchantId, store_id: id };
};
const merchant = () => {
  const { store_id: _store, ...rest } = place(0);
  return rest;
};
const provider = () => ({ service_provider_id: place(0).service_provider_id });
/** A merchant of team01, and of no agent. */
const team = () => {
  const { serviceProviderId, merchantId } = world.till.tree.merchants.mch04.stores[0]!;
  return { service_provider_id: serviceProviderId, merchant_id: merchantId };
};
const first = async (query: string): Promise<Record<string, string>> =>
  (await pool.query<Record<string, string>>(`${query} limit 1`, [merchant().merchant_id])).rows[0]!;
let paid: { readonly order_id: string } | undefined;
/** A paid order of its first store, of which nothing went back. */
async function orderOf(): Promise<{ readonly order_id: string }> {
  if (paid) return paid;
  const { merchant_id, store_id } = place(0);
  const { rows } = await pool.query<{ id: string; at: string }>(
    `select id, ctid::text as at from pay_orders where merchant_id = $1 and status = 2 and purpose = 0
      order by store_id = $2 desc, paid_cents desc limit 1`,
    [merchant_id, store_id],
  );
  const nothing = ["value_refunded", "value_refunding", "refunded", "refunding", "refunded_fee", "refunding_fee"];
  await changeRow(pool, "pay_orders", rows[0]!.at, { store_id, ...Object.fromEntries(nothing.map((of) => [`${of}_cents`, 0])) });
  paid = { order_id: rows[0]!.id };
  return paid;
}
const memberOf = async () => ({ member_id: (await first("select id from members where merchant_id = $1"))["id"] });

type Row = Readonly<Record<string, unknown>>;
interface Case {
  readonly key: string;
  /** Who is told, and the path of the screen that the address opens. */
  readonly told: readonly Login[];
  readonly screen: string;
  readonly table: string;
  readonly waits: () => Row | Promise<Row>;
  readonly gone: Row;
  /** Its row stands in the first store of mch01: who sees others only is not told. */
  readonly inStore?: boolean;
}
const DECIDED = { decided_by: OTHER };
const SECOND = "88888888-8888-4888-8888-888888888888";
const AT = "2026-11-19T02:00:00Z";
const UNAUDIT = () => ({
  ...merchant(),
  no: "1234567890",
  name: "双十一",
  state: "UNAUDIT",
  begins_at: "2026-11-01",
  ends_at: "2026-12-01",
  made_by: OTHER,
});
const RUNNING = { state: "RUNNING", ...DECIDED, alone: true };
const MENU = JSON.stringify([{ name: "点餐", kind: "view", url: "https://example.com" }]);
const CASES: readonly Case[] = [
  {
    key: "refunds-to-approve",
    told: ["mch01", "sp01"],
    screen: "/dataCentre/refund",
    table: "refunds",
    waits: () => ({ ...place(0), status: 0, refund_type: 1, above_limit: true, value_cents: 100, amount_cents: 100 }),
    gone: { status: 4 },
  },
  {
    key: "refunds-failed",
    told: ["mch01", "sp01", "area01", "emp01"],
    screen: "/dataCentre/payRefund",
    table: "refunds",
    waits: async () => ({ ...place(0), ...(await orderOf()), status: 3, refund_type: 1, value_cents: 100, amount_cents: 100 }),
    gone: { status: 1 },
    inStore: true,
  },
  {
    key: "devices-offline",
    told: ["mch01", "sp01", "agent01", "admin", "area01"],
    screen: "/device/list",
    table: "devices",
    waits: () => ({ ...place(0), sn: "SN-OFFLINE-1", state: "active", last_seen_at: AT }),
    gone: { last_seen_at: "2099-01-01T00:00:00Z" },
    inStore: true,
  },
  {
    key: "differences-open",
    told: ["mch01", "sp01"],
    screen: "/reconciliation/bill",
    table: "recon_differences",
    waits: () => ({ ...merchant(), source: "wechat", kind: 1, class: "amount", day: "2026-11-01" }),
    gone: { status: "resolved", resolution: "repaired", resolved_at: AT },
  },
  {
    key: "differences-proposed",
    told: ["mch01", "sp01"],
    screen: "/reconciliation/bill",
    table: "recon_differences",
    waits: () => ({ ...merchant(), source: "wechat", kind: 1, class: "amount", status: "proposed", proposed_by: OTHER, reason: "抹零" }),
    gone: { status: "open" },
  },
  {
    key: "store-days-proposed",
    told: ["mch01", "sp01", "area01"],
    screen: "/reconciliation/bill",
    table: "store_days",
    waits: () => ({
      ...place(0),
      day: "2026-11-02",
      status: "proposed",
      figures: "{}",
      proposed_at: AT,
      proposed_by: OTHER,
      proposed_level: "AE",
    }),
    gone: { status: "closed", closed_at: AT, closed_by: "88888888-8888-4888-8888-888888888888" },
    inStore: true,
  },
  {
    key: "withdrawals-to-decide",
    told: ["sp01"],
    screen: "/dataCentre/withdrawal",
    table: "withdrawals",
    waits: withdrawal(0),
    gone: { status: 1 },
  },
  {
    key: "withdrawals-to-record",
    told: ["sp01"],
    screen: "/dataCentre/withdrawal",
    table: "withdrawals",
    waits: withdrawal(2),
    gone: { status: 3 },
  },
  {
    key: "shares-missed",
    told: ["mch01", "sp01"],
    screen: "/dataCentre/sharing",
    table: "sharing_orders",
    waits: async () => {
      const order = await orderOf();
      await pool.query("update pay_orders set profit_sharing = true where id = $1", [order.order_id]);
      return { ...place(0), ...order, kind: "share", mode: "manual", status: 3, amount_cents: 100, shared_cents: 0 };
    },
    gone: { shared_cents: 100, status: 2 },
  },
  {
    key: "receivers-unknown",
    told: ["mch01", "sp01"],
    screen: "/dataCentre/sharing",
    table: "sharing_accounts",
    waits: async () => {
      const receiver_id = (await first("select id from sharing_receivers where merchant_id = $1 and state = 'active'"))["id"];
      return {
        ...merchant(),
        receiver_id,
        wallet: "alipay",
        type: "ALIPAY_USER_ID",
        account: "2088000000000777",
        bind_state: "failed",
        told_at: AT,
      };
    },
    gone: { bind_state: "bound" },
  },
  {
    key: "share-records",
    told: ["mch01", "sp01"],
    screen: "/dataCentre/sharing",
    table: "sharing_records",
    waits: () => ({ ...place(0), sharing_id: OTHER, result: "failed", by_user: "88888888-8888-4888-8888-888888888888" }),
    gone: { state: "confirmed", ...DECIDED },
  },
  {
    key: "returns-failed",
    told: ["mch01", "sp01"],
    screen: "/dataCentre/sharingReturn",
    table: "sharing_returns",
    waits: async () => {
      const refund = {
        ...place(0),
        ...(await orderOf()),
        id: "77777777-7777-4777-8777-777777777777",
        status: 3,
        refund_type: 1,
        value_cents: 1,
        amount_cents: 1,
      };
      await plantRow(pool, "refunds", refund);
      return { ...place(0), refund_id: refund.id, status: 3, amount_cents: 100 };
    },
    gone: { status: 2 },
  },
  {
    key: "return-records",
    told: ["mch01", "sp01"],
    screen: "/dataCentre/sharingReturn",
    table: "sharing_records",
    waits: () => ({ ...place(0), return_id: OTHER, result: "failed", by_user: "88888888-8888-4888-8888-888888888888" }),
    gone: { state: "rejected", ...DECIDED },
  },
  {
    key: "refund-evidence",
    told: ["mch01", "sp01"],
    screen: "/dataCentre/payRefund",
    table: "refund_evidence",
    waits: async () => ({
      ...place(0),
      refund_id: (await first("select id from refunds where merchant_id = $1"))["id"],
      kind: "transfer",
      state: "waiting",
      by_user: "88888888-8888-4888-8888-888888888888",
    }),
    gone: { state: "confirmed", ...DECIDED },
  },
  {
    key: "merchants-without-channel",
    told: ["sp01"],
    screen: "/merchants/merchants",
    table: "merchants",
    waits: () => ({ ...provider(), name: "没通道", short_name: "没通道", number: "9900000001", state: "active" }),
    gone: { state: "disabled" },
  },
  {
    key: "agent-contracts-to-review",
    told: ["sp01", "admin"],
    screen: "/agent/agent",
    table: "agents",
    waits: () => ({ ...provider(), name: "新代理", status: 1 }),
    gone: { status: 5 },
  },
  {
    key: "agent-contracts-ending",
    told: ["sp01", "admin"],
    screen: "/agent/agent",
    table: "agents",
    waits: () => ({ ...provider(), name: "要到期", status: 2, contract_from: "2026-01-01", contract_until: soon() }),
    gone: { contract_until: "2099-01-01" },
  },
  {
    key: "campaigns",
    told: ["mch01"],
    screen: "/merchantTicket/list",
    table: "coupon_campaigns",
    waits: () => ({ ...UNAUDIT(), kind: 1, funding: "NO_CASH", funder: 2, listed: false, per_person: 1 }),
    gone: RUNNING,
  },
  {
    key: "packages",
    told: ["mch01"],
    screen: "/ticket/group",
    table: "packages",
    waits: () => ({ ...UNAUDIT(), per_person: 1, total: 1 }),
    gone: RUNNING,
  },
  {
    key: "betterments",
    told: ["mch01"],
    screen: "/merchantTicket/list",
    table: "coupon_betterments",
    waits: async () => ({
      ...merchant(),
      campaign_id: (
        await first(`select id from coupon_campaigns c where merchant_id = $1 and not exists (select from coupon_betterments b
          where b.service_provider_id = c.service_provider_id and b.campaign_id = c.id and b.status = 0)`)
      )["id"],
      n: 99,
      asked_by: OTHER,
    }),
    gone: { status: 2, decided_at: AT },
  },
  {
    key: "send-revokes",
    told: ["mch01"],
    screen: "/ticket/batchSend",
    table: "send_revokes",
    waits: () => ({ ...merchant(), reason: "发错了人", asked_by: "88888888-8888-4888-8888-888888888888" }),
    gone: { status: 3, ...DECIDED },
  },
  {
    key: "subsidies-to-pay",
    told: ["sp01"],
    screen: "/ticket/list",
    table: "subsidy_statements",
    waits: () => ({ ...merchant(), month: "2031-01-01", state: "WAITING", carried_cents: 0, earned_cents: 5, back_cents: 0, due_cents: 5 }),
    gone: { state: "PAID", paid_on: "2026-11-01", paid_at: AT },
  },
  {
    key: "subsidies-to-confirm",
    told: ["mch01"],
    screen: "/merchantTicket/list",
    table: "subsidy_statements",
    waits: () => ({
      ...merchant(),
      month: "2031-02-01",
      state: "PAID",
      carried_cents: 0,
      earned_cents: 5,
      back_cents: 0,
      due_cents: 5,
      paid_on: "2026-11-01",
      paid_at: AT,
    }),
    gone: { state: "CONFIRMED" },
  },
  {
    key: "carrier-differences",
    told: ["mch01"],
    screen: "/merchantTicket/list",
    table: "coupon_differences",
    waits: async () => ({
      ...merchant(),
      campaign_id: (await first("select id from coupon_campaigns where merchant_id = $1"))["id"],
    }),
    gone: { gone_at: AT },
  },
  {
    key: "activities",
    told: ["mch01"],
    screen: "/activity/centre",
    table: "activities",
    waits: () => ({ ...UNAUDIT(), kind: "new" }),
    gone: RUNNING,
  },
  {
    key: "grants-to-review",
    told: ["mch01"],
    screen: "/activity/centre",
    table: "activity_grants",
    waits: async () => ({
      ...place(0),
      activity_id: (await first("select id from activities where merchant_id = $1"))["id"],
      status: "review",
    }),
    gone: { status: "given", settled_at: AT },
  },
  {
    key: "lotteries",
    told: ["mch01"],
    screen: "/activity/shake",
    table: "lotteries",
    waits: () => UNAUDIT(),
    gone: { ...RUNNING, seed0: Buffer.alloc(32) },
  },
  {
    key: "group-notes",
    told: ["mch01"],
    screen: "/wxCRM/groupNote",
    table: "wx_notes",
    waits: () => ({ ...merchant(), name: "周末提醒", kind: "text", state: "review", made_by: OTHER }),
    gone: { state: "cancelled" },
  },
  {
    key: "group-note-drafts",
    told: ["mch01"],
    screen: "/wxCRM/groupNote",
    table: "wx_notes",
    waits: () => ({ ...merchant(), name: "周末提醒", kind: "text", state: "draft" }),
    gone: { state: "cancelled" },
  },
  {
    key: "group-note-results",
    told: ["mch01"],
    screen: "/wxCRM/groupNote/detail",
    table: "wx_notes",
    waits: async () => {
      const id = "33333333-3333-4333-8333-333333333333";
      const accepted = { state: "accepted", msg_id: "1", asked_at: "2026-11-01T02:00:00Z", accepted_at: "2026-11-01T02:00:00Z" };
      await plantRow(pool, "wx_note_batches", { ...merchant(), note_id: id, ...accepted });
      return {
        ...merchant(),
        id,
        name: "周末提醒",
        kind: "text",
        state: "confirming",
        verdict: "was-sent",
        verdict_by: OTHER,
        made_by: OTHER,
        decided_by: SECOND,
      };
    },
    gone: { verdict: null },
  },
  {
    key: "materials-to-audit",
    told: ["admin"],
    screen: "/ad/materials",
    table: "ad_materials",
    waits: () => material(0),
    gone: { status: 3 },
  },
  {
    key: "materials-refused",
    told: ["sp01"],
    screen: "/ad/materials",
    table: "ad_materials",
    waits: () => material(3),
    gone: { removed_at: AT },
  },
  {
    key: "point-adjustments",
    told: ["mch01"],
    screen: "/member/pointsAdd",
    table: "point_adjustments",
    waits: async () => ({ ...merchant(), ...(await memberOf()), points: 5, reason: "other", note: "补", status: 0, asked_by: OTHER }),
    gone: { status: 2 },
  },
  {
    key: "point-clears",
    told: ["mch01"],
    screen: "/vip-member/integralReset",
    table: "point_clears",
    waits: () => ({ ...merchant(), kind: "now", status: 0, asked_by: OTHER }),
    gone: { status: 3 },
  },
  {
    key: "recharges-to-decide",
    told: ["mch01", "sp01"],
    screen: "/dataCentre/cardRecharge",
    table: "recharges",
    waits: async () => ({ ...place(0), ...(await memberOf()), way: 1, status: 3, mode: "ratio", asked_by: OTHER }),
    gone: { status: 4 },
  },
  {
    key: "recharge-coupons-failed",
    told: ["mch01", "sp01"],
    screen: "/dataCentre/cardRecharge",
    table: "coupon_gifts",
    waits: async () => {
      const campaign_id = (await first("select id from coupon_campaigns where merchant_id = $1"))["id"];
      const own = { ...place(0), ...(await memberOf()), way: 1, status: 2, mode: "ratio", lot_id: OTHER, paid_at: AT };
      await plantRow(pool, "recharges", { ...own, id: OTHER, coupon_campaign_id: campaign_id, coupon_count: 1 });
      return { ...merchant(), ...(await memberOf()), campaign_id, cause: "recharge", cause_id: OTHER, place: 1, status: 2 };
    },
    gone: { status: 3 },
  },
  {
    key: "card-refunds-to-decide",
    told: ["mch01", "sp01"],
    screen: "/dataCentre/cardRecharge",
    table: "card_refunds",
    waits: () => cardRefund(0),
    gone: { status: 4 },
  },
  {
    key: "card-refunds-to-confirm",
    told: ["mch01", "sp01"],
    screen: "/dataCentre/cardRecharge",
    table: "card_refunds",
    waits: () => ({ ...cardRefund(1), proved_by: OTHER }),
    gone: { status: 2 },
  },
  {
    key: "balances-to-adjust",
    told: ["mch01", "sp01"],
    screen: "/dataCentre/cardConsumption",
    table: "value_adjusts",
    waits: async () => ({ ...place(0), ...(await memberOf()), kind: 1, status: 0, asked_by: OTHER }),
    gone: { status: 2 },
  },
  {
    key: "openings",
    told: ["mch01"],
    screen: "/member/member",
    table: "member_openings",
    waits: async () => ({ ...place(0), ...(await memberOf()), asked_by: OTHER }),
    gone: { status: 1, ended_at: AT },
  },
  {
    key: "merges",
    told: ["mch01"],
    screen: "/member/details",
    table: "member_merges",
    waits: async () => ({ ...merchant(), ...(await memberOf()), into_id: OTHER, asked_by: OTHER }),
    gone: { status: 2, ended_at: AT },
  },
  {
    key: "invoice-applications",
    told: ["mch01"],
    screen: "/invoice/merchant",
    table: "invoice_applications",
    waits: () => ({ ...merchant(), kind: "pc", buyer: "person", source: "page", status: 0 }),
    gone: { status: 3 },
  },
  {
    key: "invoices-failed",
    told: ["mch01"],
    screen: "/invoice/merchant",
    table: "invoices",
    waits: () => ({ ...merchant(), kind: "pc", number: "AAAA0001", status: 3 }),
    gone: { status: 7 },
  },
  {
    key: "invoice-reds-failed",
    told: ["mch01"],
    screen: "/invoice/merchant",
    table: "invoices",
    waits: () => ({ ...merchant(), kind: "pc", number: "AAAA0002", status: 6, invoice_no: "12345678", issued_at: AT }),
    gone: { status: 5 },
  },
  {
    key: "tax-sessions",
    told: ["mch01"],
    screen: "/invoice/merchant",
    table: "tax_subjects",
    waits: () => ({ ...subject(), session: "login" }),
    gone: { session: "ok" },
  },
  {
    key: "push-endpoints-off",
    told: ["sp01", "admin"],
    screen: "/admin/dataPush",
    table: "push_endpoints",
    waits: () => ({ ...provider(), name: "收银系统", events: "{order.paid}", state: "disabled", off_why: "failing", off_at: AT }),
    gone: { state: "active", off_why: null, off_at: null },
  },
  {
    key: "mall-orders-to-ship",
    told: ["mch01", "sp01"],
    screen: "/reconciliation/pay",
    table: "mall_orders",
    waits: () => ({ ...place(0), status: 1 }),
    gone: { status: 4 },
  },
  ...(["dy", "ks"] as const).map((platform): Case => ({
    key: `vouchers-unknown-${platform}`,
    told: ["mch01", "area01"],
    screen: `/plat-${platform}/coupon`,
    table: "voucher_verifications",
    waits: async () => ({ ...place(0), platform, voucher_id: await voucherOf(platform), status: 3 }),
    gone: { status: 2 },
    inStore: true,
  })),
  {
    key: "abnormal-stores",
    told: ["sp01", "admin", "agent01", "team01"],
    screen: "/store/abnormal",
    table: "abnormal_stores",
    waits: () => ({ ...place(3), reason: 4, seen_on: "2026-11-01" }),
    gone: { status: 1, handled_at: AT, note: "停业装修" },
  },
  ...(
    [
      ["applyments-rejected", { state: "REJECTED", unsent: false }],
      ["applyments-refused", { state: "EDITTING", unsent: false }],
      ["applyments-to-confirm", { state: "TO_BE_CONFIRMED" }],
      ["applyments-to-scan", { state: "TO_BE_SIGNED" }],
    ] as const
  ).map(([key, state]): Case => ({
    key,
    told: ["sp01", "team01"],
    screen: "/applyment/info",
    table: "applyments",
    waits: () => ({ ...team(), state_at: AT, ...state }),
    gone: { state: "CANCELED" },
  })),
  {
    key: "dossiers-not-sent",
    told: ["sp01", "team01"],
    screen: "/applyment/form",
    table: "dossiers",
    waits: () => team(),
    gone: { merchant_id: OTHER },
  },
  {
    key: "provider-contracts-ending",
    told: ["admin"],
    screen: "/admin/serviceProvider",
    table: "service_providers",
    waits: () => ({ name: "快到期", short_name: "快到期", number: "99001", contract_state: "signed", contract_until: soon() }),
    gone: { contract_until: "2099-01-01" },
  },
  {
    key: "provider-campaigns",
    told: ["sp01"],
    screen: "/ticket/list",
    table: "coupon_campaigns",
    waits: () => {
      const { merchant_id: _of, ...rest } = UNAUDIT();
      return { ...rest, no: "1234567891", kind: 1, funding: "NO_CASH", funder: 1, listed: false, per_person: 1, provider_percent: 100 };
    },
    gone: RUNNING,
  },
  {
    key: "campaigns-offered",
    told: ["mch01"],
    screen: "/merchantTicket/list",
    table: "coupon_covers",
    waits: async () => {
      const { merchant_id: _of, ...rest } = UNAUDIT();
      const own = { kind: 1, funding: "NO_CASH", funder: 1, listed: false, per_person: 1, provider_percent: 100 };
      await plantRow(pool, "coupon_campaigns", { ...rest, ...own, ...RUNNING, id: OTHER, no: "1234567892" });
      await plantRow(pool, "coupon_stock", { ...provider(), campaign_id: OTHER, total: 10 });
      return { ...merchant(), campaign_id: OTHER, state: "ASKED" };
    },
    gone: { state: "ACCEPTED" },
  },
  {
    key: "wx-stores-rejected",
    told: ["mch01"],
    screen: "/store/wx",
    table: "wx_stores",
    waits: () => ({ ...place(3), status: "rejected", wx_store_id: "123" }),
    gone: { status: "auditing" },
  },
  {
    key: "pushes-given-up",
    told: ["sp01", "admin"],
    screen: "/admin/dataPush/list",
    table: "push_deliveries",
    waits: async () => {
      await plantRow(pool, "push_endpoints", { ...provider(), id: OTHER, name: "收银系统", events: "{order.paid}", state: "active" });
      return { ...provider(), endpoint_id: OTHER, type: "order.paid", state: "abandoned", settled_at: AT };
    },
    gone: { state: "succeeded" },
  },
  {
    key: "takeaway-ended",
    told: ["sp01", "mch01"],
    screen: "/dataCentre/takeaway",
    table: "platform_accounts",
    waits: async () => {
      await pool.query("update platform_accounts set platform = 'koubei' where merchant_id = $1 and platform = 'ele'", [
        merchant().merchant_id,
      ]);
      return { ...merchant(), platform: "ele", account_no: "token", app_of: "provider", state: "active", by_name: "小周", ended_at: AT };
    },
    gone: { ended_at: null },
  },
  {
    key: "other-stores",
    told: ["sp01", "mch01"],
    screen: "/store/other",
    table: "other_stores",
    waits: () => ({ ...merchant(), platform: "meituan", platform_store_id: "mt-todo", name: "美团店" }),
    gone: { mapped_store_id: OTHER },
  },
  {
    key: "channel-keys-refused",
    told: ["sp01", "mch01"],
    screen: "/merchants/v3Secret",
    table: "channel_settings",
    waits: () => ({ ...merchant(), channel: 7, mode: "direct", verify_outcome: "refused", verified_at: AT }),
    gone: { verify_outcome: "ok" },
  },
  {
    key: "certificates-ending",
    told: ["sp01", "mch01"],
    screen: "/merchants/v3Secret",
    table: "channel_accounts",
    waits: async () => {
      await pool.query("delete from channel_accounts where merchant_id = $1 and channel = 0", [merchant().merchant_id]);
      return { ...merchant(), channel: 0, certificates: "{}", certificates_until: AT };
    },
    gone: { certificates_until: "2099-01-01T00:00:00Z" },
  },
  {
    key: "bill-files-failed",
    told: ["mch01", "sp01"],
    screen: "/reconciliation/bill",
    table: "bill_files",
    waits: () => ({ ...failedBill(), day: "2026-11-02" }),
    gone: { status: "replaced" },
  },
  {
    key: "hearings-failed",
    told: ["admin"],
    screen: "/dataCentre/payOrder",
    table: "unheard",
    waits: async () => ({ ...place(0), ...(await orderOf()), hearer: "会员", kind: "payment", tries: 2 }),
    gone: { tries: 1 },
  },
  {
    key: "vip-terms-ending",
    told: ["mch01", "area01"],
    screen: "/vip-member/orders",
    table: "vip_terms",
    waits: async () => ({ ...place(0), ...(await orderOf()), ...(await memberOf()), ...term(3) }),
    gone: { status: 5 },
    inStore: true,
  },
  {
    key: "wx-menus-unpublished",
    told: ["mch01"],
    screen: "/wxCRM/app",
    table: "wx_menus",
    waits: async () => ({ ...merchant(), app_row: await appOf(), draft: MENU, by_name: "小周" }),
    gone: { live: MENU },
  },
];
const failedBill = (): Row => ({
  ...merchant(),
  source: "alipay",
  bill_type: "TRADE",
  origin: "upload",
  status: "failed",
  failure: "不是这个商户的账单",
  finished_at: AT,
  created_at: new Date(world.services.clock.now_ms()).toISOString(),
});
/** A voucher that was brought to the first store of mch01. */
async function voucherOf(platform: string): Promise<string> {
  const id = platform === "dy" ? "11111111-1111-4111-8111-111111111111" : "22222222-2222-4222-8222-222222222222";
  const { rows } = await pool.query("select 1 from platform_vouchers where id = $1", [id]);
  if (rows.length === 0)
    await plantRow(pool, "platform_vouchers", { ...place(0), id, platform, title: "双人餐", tail: "1234", voucher_hash: Buffer.from(id) });
  return id;
}
const inDays = (days: number): string => shanghaiDay(world.services.clock.now_ms() + days * 86_400_000);
const term = (days: number): Row => ({
  rank: 2,
  version: 1,
  name: "金卡",
  months: 1,
  status: 1,
  price_cents: 100,
  paid_at: AT,
  first_day: inDays(days - 30),
  last_day: inDays(days),
});
/** An official account of mch01 that is in use. */
async function appOf(): Promise<string> {
  const id = "77777777-7777-4777-8777-777777777777";
  const { rows } = await pool.query("select 1 from wx_apps where id = $1", [id]);
  if (rows.length === 0)
    await plantRow(pool, "wx_apps", {
      ...merchant(),
      id,
      name: "青石小面",
      app_id: "wx0123456789abcdef",
      state: "active",
      kind: 1,
      secret_sealed: "sealed",
      secret_at: AT,
    });
  return id;
}
function withdrawal(status: number): Case["waits"] {
  const agent_id = world?.till.tree.agents.agent01;
  return () => ({
    ...provider(),
    receiver: "agent",
    agent_id: agent_id ?? world.till.tree.agents.agent01,
    receiver_id: world.till.tree.agents.agent01,
    status,
    amount_cents: 100,
    fee_cents: 1,
    method: "bank",
    applied_by: OTHER,
  });
}
const material = (status: number): Row => ({
  ...provider(),
  name: "海报",
  kind: 1,
  content_type: "image/png",
  sha256: String(status).repeat(64),
  status,
});
const cardRefund = (status: number): Row => ({ ...place(0), reason: 1, way: 1, status, asked_by: OTHER, points: 0, pays_cents: 1 });
const subject = (): Row => ({ ...merchant(), tax_no: "91330100MA27XXXX1X", name: "测试公司", taxpayer: "general", red_first: "never" });
const soon = (): string => new Date(world.services.clock.now_ms() + 10 * 86_400_000).toISOString().slice(0, 10);

/** What a drawer asks about its row, by the kind; where it is made of the list's row, that list, which has to hold it. Kinds without one stand in `NO_DRAWER`. */
const ASKS: Readonly<Record<string, string>> = {
  "refunds-to-approve": "/api/orders/refunds/:id",
  "refunds-failed": "/api/orders/refunds/:id",
  "refund-evidence": "/api/orders/refunds/:id",
  "hearings-failed": "/api/orders/pay-orders/:id",
  "devices-offline": "/api/devices/:id",
  "differences-open": "/api/reconciliation/differences/:id",
  "differences-proposed": "/api/reconciliation/differences/:id",
  "bill-files-failed": "/api/reconciliation/bills?merchantId",
  "store-days-proposed": "/api/reconciliation/store-day?storeId",
  "withdrawals-to-decide": "/api/commissions/withdrawals/:id",
  "withdrawals-to-record": "/api/commissions/withdrawals/:id",
  "shares-missed": "/api/profit-sharing/shares/:id",
  "receivers-unknown": "/api/profit-sharing/setup?merchantId",
  "share-records": "/api/profit-sharing/shares/:id",
  "returns-failed": "/api/profit-sharing/returns/:id",
  "return-records": "/api/profit-sharing/returns/:id",
  "merchants-without-channel": "/api/organisation/merchants/:id",
  "channel-keys-refused": "/api/organisation/channel-secret?merchantId",
  "certificates-ending": "/api/organisation/channel-accounts?merchantId",
  "provider-contracts-ending": "/api/organisation/providers/:id",
  "agent-contracts-to-review": "/api/organisation/agents/:id",
  "agent-contracts-ending": "/api/organisation/agents/:id",
  campaigns: "/api/coupons/campaign?id",
  "provider-campaigns": "/api/coupons/campaign?id",
  betterments: "/api/coupons/campaign?id",
  packages: "/api/coupons/packages/one?id",
  "send-revokes": "/api/coupons/sends/one?id",
  "subsidies-to-pay": "/api/coupons/subsidies/one?id",
  "subsidies-to-confirm": "/api/coupons/subsidies/one?id",
  activities: "/api/activities/one?id",
  "grants-to-review": "/api/activities/one?id",
  lotteries: "/api/lotteries/one?id",
  "group-notes": "/api/group-notes/one?id",
  "group-note-drafts": "/api/group-notes/one?id",
  "group-note-results": "/api/group-notes/one?id",
  "wx-menus-unpublished": "/api/wx-menus/one?appId",
  "materials-to-audit": "/ad/api/Material/get_material_by_id?material_id",
  "materials-refused": "/ad/api/Material/get_material_by_id?material_id",
  merges: "/api/members/:id",
  "point-clears": "/api/points/clears/:id",
  "recharges-to-decide": "/api/stored-value/recharges/:id",
  "recharge-coupons-failed": "/api/stored-value/recharges/:id",
  "card-refunds-to-decide": "/api/stored-value/card-refunds/:id",
  "card-refunds-to-confirm": "/api/stored-value/card-refunds/:id",
  "invoice-applications": "/api/invoices/applications/one?id",
  "invoices-failed": "/api/invoices/one?id",
  "invoice-reds-failed": "/api/invoices/one?id",
  "push-endpoints-off": "/api/push/endpoints/one?id",
  "pushes-given-up": "/api/push/deliveries/one?id",
  "mall-orders-to-ship": "/api/mall/pay-orders/:id",
  "vouchers-unknown-dy": "/api/platforms/vouchers/one?id",
  "vouchers-unknown-ks": "/api/platforms/vouchers/one?id",
  "abnormal-stores": "/api/statistics/abnormal-stores/:id",
  "other-stores": "/api/stores/other-stores",
  "wx-stores-rejected": "/api/stores/wx",
  "applyments-rejected": "/api/applyments/one?id",
  "applyments-refused": "/api/applyments/one?id",
  "applyments-to-confirm": "/api/applyments/one?id",
  "applyments-to-scan": "/api/applyments/one?id",
  "dossiers-not-sent": "/api/applyments/dossier?merchantId",
  "vip-terms-ending": "/api/vip/orders/:id",
  "imports-waiting": "/api/imports/:id",
  "imports-left-over": "/api/imports/:id",
};
/** The request behind an address, the id in it, and whether it is the row's list that is asked. */
function behind(
  key: string,
  to: string,
): { readonly id: string; readonly ofList: boolean; readonly request: Parameters<HttpWorld["send"]>[1] } {
  const { panel, view: _view, show: _show, ...given } = Object.fromEntries(new URLSearchParams(to.split("?")[1]));
  const opened = key === "bill-files-failed" || !panel?.includes(":") ? undefined : panel.split(":").at(-1);
  const id = opened ?? given["id"] ?? given["merchantId"] ?? given["storeId"] ?? "";
  const [path = "", name] = ASKS[key]!.split("?");
  if (path.endsWith(":id")) return { id, ofList: false, request: { verb: "GET", path, params: { id } } };
  const day: Record<string, string> = given["day"] === undefined ? {} : { day: given["day"] };
  if (name !== undefined) return { id, ofList: false, request: { verb: "GET", path, query: { [name]: id, ...day } } };
  return { id, ofList: true, request: { verb: "GET", path, query: { ...given, pageSize: "100" } } };
}
/** Whether an answer shows anything of a row: a list of other things does not. */
function shows({ status, body }: { status: number; body: unknown }, id: string, ofList: boolean): boolean {
  const { items } = (body ?? {}) as { items?: readonly { id: string }[] };
  if (status !== 200 || items === undefined) return status === 200;
  return ofList ? items.some((one) => one.id === id) : items.length > 0;
}
/** The pages that an account's menu opens. */
async function pagesOf(login: Login): Promise<ReadonlySet<string>> {
  const { body } = await world.send(login, { verb: "GET", path: "/auth/api/auth/user_item", query: { appId: "Fy.Background" } });
  const items = (body as { data: { path: string | null; type: string }[] }).data;
  return new Set(items.flatMap(({ path, type }) => (path !== null && type !== "button" ? [path] : [])));
}
const [NEAR, FAR] = [
  ["sp01", "mch01"],
  ["sp02", "mch02"],
] as const;
test("whatever waits is opened by whom it is told to; whoever is of another tree is neither told of it nor let in", async () => {
  const everybody = await Promise.all(LOGINS.map(async (login) => ({ login, ...(await ask(login)) })));
  const isTold = (other: Login, address: string): boolean =>
    everybody.some(({ login, todos }) => login === other && todos.some(({ rows }) => rows.some(({ to }) => to === address)));
  const walked = new Set<string>();
  for (const { login, todos } of everybody) {
    const pages = await pagesOf(login);
    for (const { key, to, rows } of todos) {
      walked.add(key);
      const lead = [to, ...rows.map((row) => row.to)].filter((address) => !pages.has(address.split("?")[0]!));
      expect([login, key, lead]).toEqual([login, key, []]);
      if (key in NO_DRAWER) continue;
      for (const { to: address } of rows) {
        const { id, ofList, request } = behind(key, address);
        expect([login, key, address, shows(await world.send(login, request), id, ofList)]).toEqual([login, key, address, true]);
        // Of the platform's own nobody is far.
        if (login === "admin") continue;
        const others: readonly Login[] = (FAR as readonly Login[]).includes(login) ? NEAR : FAR;
        for (const other of others) {
          const seen = isTold(other, address) || shows(await world.send(other, request), id, ofList);
          expect([other, key, address, seen]).toEqual([other, key, address, false]);
        }
      }
    }
  }
  // Of the rest nothing waits in this world; each is planted below.
  expect(walked.size).toBeGreaterThan(35);
  expect([...Object.keys(ASKS), ...Object.keys(NO_DRAWER)].toSorted()).toEqual([...CASES.map(({ key }) => key), ...ELSEWHERE].toSorted());
});
test.each(CASES)("$key: told to whoever may act, as long as it waits", async ({ key, told, screen, table, waits, gone, inStore }) => {
  const everybody: readonly Login[] = [...told, "sp02", "mch02", "mch03"];
  const before = await Promise.all(everybody.map((login) => countOf(login, key)));
  const at = await plantRow(pool, table, await waits());
  for (const [index, login] of everybody.entries()) {
    const todo = todoOf(await ask(login), key);
    expect([login, todo?.count ?? 0]).toEqual([login, before[index]! + (told.includes(login) ? 1 : 0)]);
    if (told.includes(login)) expect([todo!.words, todo!.to]).toEqual([expect.stringMatching(/^\d+ \S+/), expect.stringContaining(screen)]);
  }
  // A row of the first store is nothing to who sees none of it.
  if (inStore) {
    await changeRow(pool, table, at, { store_id: place(3).store_id });
    const [moved] = await ids(table, place(3).store_id);
    expect([key, await countOf("area01", key)]).toEqual([key, told.includes("area01") ? before[told.indexOf("area01")]! : 0]);
    await changeRow(pool, table, moved!, gone);
  } else await changeRow(pool, table, at, gone);
  expect(await Promise.all(everybody.map((login) => countOf(login, key)))).toEqual(before);
});
/** Where the newest row of a store stands. */
const ids = async (table: string, store: string): Promise<string[]> =>
  (
    await pool.query<{ at: string }>(`select ctid::text as at from ${table} where store_id = $1 order by xmin::text::bigint desc`, [store])
  ).rows.map(({ at }) => at);

/** Kinds with a test of their own below, and those that a journey holds (e2e/todos.spec.ts). */
const ELSEWHERE = ["own-channel-missing", "invoice-settings-missing", "imports-waiting", "imports-left-over"];
/** What a clerk of mch01 who sees two of its stores holds meanwhile. */
async function holding<T>(items: readonly string[], fn: () => Promise<T>): Promise<T> {
  const { position } = world.till.tree;
  const { rows } = await pool.query<{ items: string[] }>("select items from positions where id = $1", [position]);
  const set = (to: readonly string[]) => pool.query("update positions set items = $2 where id = $1", [position, to]);
  await set(items);
  try {
    return await fn();
  } finally {
    await set(rows[0]!.items);
  }
}
/** Another refund takes an order but for so many cents; or nothing of it. */
const leaveOf = (order: unknown, cents?: number) =>
  pool.query(
    cents === undefined
      ? "update pay_orders set value_refunding_cents = 0, refunding_cents = 0, refunding_fee_cents = 0 where id = $1"
      : `update pay_orders set value_refunding_cents = paid_cents + principal_cents + gift_cents - ${cents}, refunding_cents = paid_cents - ${cents},
          refunding_fee_cents = fee_cents where id = $1`,
    [order],
  );
/** How many rows the list that an address opens has, and the first of them. */
async function listed<Row>(
  login: Login,
  path: string,
  address: string,
): Promise<{ readonly total: number; readonly items: readonly Row[] }> {
  const query = Object.fromEntries(
    [...new URLSearchParams(address.split("?")[1])].filter(([name, value]) => name !== "id" && value !== ""),
  );
  const { status, body } = await world.send(login, { verb: "GET", path, query: { ...query, pageSize: "100", withTotal: "true" } });
  expect([path, status]).toEqual([path, 200]);
  const { total, items } = body as { total: { count: number }; items: Row[] };
  return { total: total.count, items };
}

test("every kind of every domain has a case", () => {
  const kinds = tiedTo(world.services).flatMap(({ todos = [] }) => todos.map(({ key }) => key));
  expect(new Set(kinds).size).toBe(kinds.length);
  expect(kinds.toSorted()).toEqual([...CASES.map(({ key }) => key), ...ELSEWHERE].toSorted());
});
/** Kinds whose rows have no drawer of their own, and why. */
const NO_DRAWER: Readonly<Record<string, string>> = {
  "balances-to-adjust": "decided in the strip over the list",
  "point-adjustments": "decided on its row",
  openings: "the address is the drawer, with all that wait",
  "campaigns-offered": "answered on its row",
  "carrier-differences": "handled on its row",
  "tax-sessions": "signed in on its row",
  "invoice-settings-missing": "one form for all",
  "own-channel-missing": "one form",
  "takeaway-ended": "one form, of the account",
};
test("each kind opens the drawer of its row, or says why it has none", () => {
  const kinds = tiedTo(world.services).flatMap(({ todos = [] }) => todos);
  expect(
    kinds
      .filter(({ opens }) => !opens)
      .map(({ key }) => key)
      .toSorted(),
  ).toEqual(Object.keys(NO_DRAWER).toSorted());
  for (const { opens, to } of kinds) {
    const own = opens?.("a~7");
    expect(own ?? to).toBeDefined();
    if (own !== undefined) expect(own).toMatch(/[=:~]7(&|$)/);
  }
});
test.each([
  ["betterments", "/api/coupons/campaigns", "/merchantTicket/list?change=open"],
  ["group-note-results", "/api/group-notes", "/wxCRM/groupNote?check=open"],
])("several of %s open the list with all of them, each row its own page", async (key, path, list) => {
  const { table, waits, gone } = CASES.find((one) => one.key === key)!;
  const plant = async (own: Row) => plantRow(pool, table, { ...(await waits()), ...own });
  const notes = [OTHER, SECOND];
  for (const note_id of key === "betterments" ? [] : notes)
    await plantRow(pool, "wx_note_batches", { ...merchant(), note_id, state: "accepted", msg_id: note_id, asked_at: AT, accepted_at: AT });
  const ownOf = async (nth: number): Promise<Row> => (key === "betterments" ? { n: 90 + nth } : { id: notes[nth], app_row: await appOf() });
  const total = async (): Promise<number> => (await listed("mch01", path, list)).total;
  // What somebody asked for themselves stands in their list as well; it waits for others.
  const [before, shown] = [await countOf("mch01", key), await total()];
  const at = [await plant(await ownOf(0))];
  const only = todoOf(await ask("mch01"), key)!;
  if (before === 0) expect([only.count, only.to]).toEqual([1, only.rows[0]?.to]);
  at.push(await plant(await ownOf(1)));
  const todo = todoOf(await ask("mch01"), key)!;
  expect([todo.count, todo.to]).toEqual([before + 2, list]);
  expect(new Set(todo.rows.map(({ to }) => to)).size).toBe(todo.rows.length);
  expect(await total()).toBe(shown + 2);
  for (const one of at) await changeRow(pool, table, one, gone);
});
test("who told what they saw of a voucher waits for another, and their list counts the same for the rest", async () => {
  const at = await plantRow(pool, "voucher_verifications", { ...place(0), platform: "dy", voucher_id: await voucherOf("dy"), status: 3 });
  const list = async (login: Login) => (await listed(login, "/api/platforms/vouchers", "?platform=dy&check=open")).total;
  const before = await countOf("mch01", "vouchers-unknown-dy");
  expect(await list("mch01")).toBe(before);
  const { rows } = await pool.query<{ id: string }>("select id from users where login = 'mch01'");
  await changeRow(pool, "voucher_verifications", at, { found_used: false, found_by: rows[0]!.id, found_by_name: "店主" });
  expect([await countOf("mch01", "vouchers-unknown-dy"), await countOf("area01", "vouchers-unknown-dy")]).toEqual([before - 1, before]);
  expect([await list("mch01"), await list("area01")]).toEqual([before, before]);
  await pool.query("delete from voucher_verifications where found_by_name = '店主'");
});
test("a merchant without any channel is told, and no longer once it has one", async () => {
  const { merchantId } = world.till.tree.merchants.mch03.stores[0]!;
  const set = (state: string) => pool.query("update channel_settings set state = $2 where merchant_id = $1", [merchantId, state]);
  await pool.query("update channel_accounts set state = 'disabled' where merchant_id = $1", [merchantId]);
  expect(await countOf("mch03", "own-channel-missing")).toBe(0);
  await set("disabled");
  expect([await countOf("mch03", "own-channel-missing"), await countOf("mch01", "own-channel-missing")]).toEqual([1, 0]);
  expect((await steps("mch03")).steps.find(({ key }) => key === "channel")?.done).toBe(false);
  await set("active");
  expect(await countOf("mch03", "own-channel-missing")).toBe(0);
});
test("merchants that want to invoice are told of while the provider has no application for it", async () => {
  const at = await plantRow(pool, "tax_subjects", { ...subject(), tax_no: "91330100MA27XXXX2X" });
  await pool.query("update invoice_settings set state = 'paused'");
  expect([(await countOf("sp01", "invoice-settings-missing")) > 0, await countOf("mch01", "invoice-settings-missing")]).toEqual([true, 0]);
  await plantRow(pool, "invoice_settings", { ...provider(), app_key: "12345678" }).catch(() => undefined);
  await pool.query("update invoice_settings set state = 'active'");
  expect(await countOf("sp01", "invoice-settings-missing")).toBe(0);
  await changeRow(pool, "tax_subjects", at, { state: "paused" });
});
test("a refund that failed waits as long as its money can go back; its list counts the same", async () => {
  const { order_id } = await orderOf();
  const id = "66666666-6666-4666-8666-666666666666";
  const list = "/dataCentre/payRefund?status=3&failed=open&from=&to=";
  const own = async (login: Login) => {
    const { total, items } = await listed<{ id: string; retryable: boolean }>(login, "/api/orders/refunds", list);
    expect([login, total]).toEqual([login, await countOf(login, "refunds-failed")]);
    return items.find((row) => row.id === id)?.retryable;
  };
  const refund = { ...place(0), id, order_id, status: 3, refund_type: 2, value_cents: 100, amount_cents: 100 };
  const at = await plantRow(pool, "refunds", refund);
  const sells = (purpose: number) => pool.query("update pay_orders set purpose = $2 where id = $1", [order_id, purpose]);
  expect([await own("mch01"), await own("emp01"), await own("mch03")]).toEqual([true, true, undefined]);
  await leaveOf(order_id, 99);
  expect(await own("mch01")).toBe(undefined);
  const all = await listed<{ id: string; retryable: boolean }>("mch01", "/api/orders/refunds", "?status=3");
  expect(all.items.find((row) => row.id === id)?.retryable).toBe(false);
  await leaveOf(order_id);
  expect(await own("mch01")).toBe(true);
  // What was sold beforehand is asked for anew in its own room; only an abnormal one goes on by hand.
  await sells(1);
  expect(await own("mch01")).toBe(undefined);
  await changeRow(pool, "refunds", at, { channel_status: "ABNORMAL" });
  expect(await own("mch01")).toBe(false);
  await sells(0);
  const [last] = await ids("refunds", place(0).store_id);
  await changeRow(pool, "refunds", last!, { status: 1 });
});
test("a return that failed waits as long as its refund can go out; its list counts the same", async () => {
  const { order_id } = await orderOf();
  const refund_id = "55555555-5555-4555-8555-555555555555";
  await plantRow(pool, "refunds", { ...place(0), id: refund_id, order_id, status: 3, refund_type: 2, value_cents: 100, amount_cents: 100 });
  const at = await plantRow(pool, "sharing_returns", { ...place(0), refund_id, order_id, status: 3, amount_cents: 50 });
  const counts = async () => {
    const { total } = await listed("mch01", "/api/profit-sharing/returns", "/dataCentre/sharingReturn?status=3&failed=open");
    expect(total).toBe(await countOf("mch01", "returns-failed"));
    return total;
  };
  const before = await counts();
  await leaveOf(order_id, 99);
  expect(await counts()).toBe(before - 1);
  await leaveOf(order_id);
  await changeRow(pool, "sharing_returns", at, { status: 2 });
});
test("a share of which a part is missing waits unless the channel says otherwise than people; its list counts the same", async () => {
  const id = "44444444-4444-4444-8444-444444444444";
  const order = await orderOf();
  await pool.query("update pay_orders set profit_sharing = true where id = $1", [order.order_id]);
  const share = { ...place(0), ...order, id, kind: "share", mode: "manual", status: 3, amount_cents: 100, shared_cents: 0 };
  const at = await plantRow(pool, "sharing_orders", share);
  const counts = async () => {
    const { total } = await listed("mch01", "/api/profit-sharing/shares", "/dataCentre/sharing?missed=open");
    expect(total).toBe(await countOf("mch01", "shares-missed"));
    return total;
  };
  const before = await counts();
  const record = { ...place(0), sharing_id: id, result: "failed", by_user: OTHER, state: "confirmed", difference: "通道为已到账" };
  const said = await plantRow(pool, "sharing_records", { ...record, decided_by: "88888888-8888-4888-8888-888888888888" });
  expect(await counts()).toBe(before - 1);
  await changeRow(pool, "sharing_records", said, { difference: null });
  expect(await counts()).toBe(before);
  await changeRow(pool, "sharing_orders", at, { status: 2, shared_cents: 100 });
});
test("a refund is nobody's to approve while a platform is asked for its vouchers", async () => {
  const before = await countOf("mch01", "refunds-to-approve");
  const waits = { ...place(0), status: 0, refund_type: 1, above_limit: true, value_cents: 100, amount_cents: 100 };
  await plantRow(pool, "refunds", { ...waits, waits_for: "voucher" });
  expect(await countOf("mch01", "refunds-to-approve")).toBe(before);
});
test("a bill that failed waits until another one counts for its day, or was brought after it", async () => {
  const count = () => countOf("mch01", "bill-files-failed");
  const before = await count();
  const failed = await plantRow(pool, "bill_files", { ...failedBill(), day: "2026-11-03" });
  expect(await count()).toBe(before + 1);
  const other = async (more: Row) => {
    const at = await plantRow(pool, "bill_files", { ...failedBill(), day: "2026-11-03", ...more });
    const left = await count();
    await pool.query("delete from bill_files where ctid = $1::tid", [at]);
    return left;
  };
  const earlier = { created_at: "2026-11-01T00:00:00Z" };
  const later = { created_at: new Date(world.services.clock.now_ms() + 60_000).toISOString() };
  expect(await other({ ...earlier, status: "matched" })).toBe(before);
  expect(await other({ ...later, status: "loading", finished_at: null })).toBe(before);
  // Two that failed are one thing to do, and what somebody gave up is none.
  expect(await other(later)).toBe(before + 1);
  expect(await other({ day: "2026-11-04", failure: "已取消" })).toBe(before + 1);
  await changeRow(pool, "bill_files", failed, { status: "replaced" });
});
test("a term that ends is nothing to do once the member has a later one; its list counts the same", async () => {
  const own = { ...place(0), ...(await orderOf()), ...(await memberOf()) };
  await pool.query("delete from vip_terms where order_id = $1", [own.order_id]);
  const counts = async () => {
    const { total } = await listed("mch01", "/api/vip/orders", "/vip-member/orders?ending=soon&from=&to=");
    expect(total).toBe(await countOf("mch01", "vip-terms-ending"));
    return total;
  };
  const before = await counts();
  const planted = [await plantRow(pool, "vip_terms", { ...own, ...term(7) })];
  expect(await counts()).toBe(before + 1);
  planted.push(await plantRow(pool, "vip_terms", { ...own, order_id: OTHER, ...term(8) }));
  expect(await counts()).toBe(before);
  for (const at of planted) await pool.query("delete from vip_terms where ctid = $1::tid", [at]);
});
test("a term that ends is nothing to do either for a store that cannot see where its member renewed", async () => {
  const own = { ...place(0), ...(await orderOf()), ...(await memberOf()) };
  await pool.query("delete from vip_terms where order_id = $1", [own.order_id]);
  const counts = async () => {
    const { total } = await listed("area01", "/api/vip/orders", "/vip-member/orders?ending=soon&from=&to=");
    expect(total).toBe(await countOf("area01", "vip-terms-ending"));
    return total;
  };
  const before = await counts();
  const planted = [await plantRow(pool, "vip_terms", { ...own, ...term(3) })];
  expect(await counts()).toBe(before + 1);
  // The third store is outside its area.
  planted.push(await plantRow(pool, "vip_terms", { ...own, ...place(2), order_id: OTHER, ...term(33) }));
  expect(await counts()).toBe(before);
  for (const at of planted) await pool.query("delete from vip_terms where ctid = $1::tid", [at]);
});
test("a menu waits while followers do not see its draft", async () => {
  await pool.query("delete from wx_menus where app_row = $1", [await appOf()]);
  const menu = { ...merchant(), app_row: await appOf(), draft: MENU, by_name: "小周" };
  const count = async (more: Row) => {
    const at = await plantRow(pool, "wx_menus", { ...menu, ...more });
    const found = await countOf("mch01", "wx-menus-unpublished");
    await pool.query("delete from wx_menus where ctid = $1::tid", [at]);
    return found;
  };
  expect(await count({ live: "[]" })).toBe(1);
  // Published, read back in other words, not begun, on its way, not come about.
  expect(await count({ live: MENU })).toBe(0);
  expect(await count({ live: "[]", sent: MENU, publish_state: "done" })).toBe(0);
  expect(await count({ draft: "[]", live: MENU })).toBe(0);
  expect(await count({ live: "[]", publish_state: "asked" })).toBe(0);
  expect(await count({ live: "[]", sent: MENU, publish_state: "failed" })).toBe(1);
  // It did not come about, and followers see the same by now.
  expect(await count({ live: MENU, sent: MENU, publish_state: "failed" })).toBe(0);
  // Nobody can publish it: no AppSecret, or authorised without 自定义菜单, or that was taken back.
  const app = async (set: string) => {
    await pool.query(`update wx_apps set ${set} where id = $1`, [menu.app_row]);
    return count({ live: "[]" });
  };
  expect(await app("secret_sealed = null, secret_at = null")).toBe(0);
  expect(await app("way = 'component', auth_state = 'on', auth_at = now(), permissions = '{1,7}'")).toBe(0);
  expect(await app("permissions = '{1,15}'")).toBe(1);
  expect(await app("auth_state = 'off'")).toBe(0);
  expect(await app("way = 'own', auth_state = null, auth_at = null, secret_sealed = 'sealed', secret_at = now()")).toBe(1);
});
test("a device at a store that closed is no to-do, and the list has as many", async () => {
  const at = await plantRow(pool, "devices", { ...place(0), sn: "SN-CLOSED-1", state: "active", last_seen_at: AT });
  const counts = async () => {
    const { total } = await listed("mch01", "/device/api/Device/get_devices", "/device/list?online=2&state=active&place=open");
    expect(total).toBe(await countOf("mch01", "devices-offline"));
    return total;
  };
  const open = await counts();
  const close = (state: string) => pool.query("update stores set state = $2 where id = $1", [place(0).store_id, state]);
  await close("disabled");
  expect(await counts()).toBeLessThan(open);
  await close("active");
  expect(await counts()).toBe(open);
  await changeRow(pool, "devices", at, { last_seen_at: "2099-01-01T00:00:00Z" });
});
test("a certificate that a closed merchant has left is no to-do", async () => {
  const { serviceProviderId: service_provider_id, merchantId: merchant_id } = world.till.tree.merchants.mch06.stores[0]!;
  await pool.query("delete from channel_accounts where merchant_id = $1 and channel = 0", [merchant_id]);
  const ends = { service_provider_id, merchant_id, channel: 0, certificates: "{}", certificates_until: AT };
  const before = await countOf("sp01", "certificates-ending");
  const at = await plantRow(pool, "channel_accounts", ends);
  expect(await countOf("sp01", "certificates-ending")).toBe(before + 1);
  const set = (state: string) => pool.query("update merchants set state = $2 where id = $1", [merchant_id, state]);
  await set("disabled");
  expect(await countOf("sp01", "certificates-ending")).toBe(before);
  await set("active");
  await changeRow(pool, "channel_accounts", at, { certificates_until: "2099-01-01T00:00:00Z" });
});
test("a merchant is told what it does at the channel itself, not what others fill in for it", async () => {
  const standing = async (state: string) =>
    (await first(`select ctid::text as at from applyments where merchant_id = $1 and state = '${state}'`))["at"]!;
  const rejected = await standing("REJECTED");
  expect([await countOf("mch01", "applyments-rejected"), (await countOf("sp01", "applyments-rejected")) > 0]).toEqual([0, true]);
  await changeRow(pool, "applyments", rejected, { state: "TO_BE_SIGNED" });
  expect(await countOf("mch01", "applyments-to-scan")).toBe(1);
  await changeRow(pool, "applyments", await standing("TO_BE_SIGNED"), { state: "REJECTED" });
});
test("who sees some stores of a merchant and sets its channels is told that it has none", async () => {
  const { merchant_id } = merchant();
  const set = async (state: string, was: string) => {
    for (const table of ["channel_accounts", "channel_settings"])
      await pool.query(`update ${table} set state = $2 where merchant_id = $1 and state = $3`, [merchant_id, state, was]);
  };
  await holding(["/", "/merchants/v3Secret", "/merchants/v3Secret/set"], async () => {
    expect(await countOf("fin01", "own-channel-missing")).toBe(0);
    await set("disabled", "active");
    expect(todoOf(await ask("fin01"), "own-channel-missing")).toMatchObject({ count: 1, to: "/merchants/v3Secret" });
    await set("active", "disabled");
  });
});
test("who does not hold the screen of a to-do is not led there", async () => {
  const at = await plantRow(pool, "lotteries", { ...UNAUDIT(), no: "1234567898" });
  const told = (items: readonly string[]) => holding(items, async () => todoOf(await ask("fin01"), "lotteries")?.rows.map(({ to }) => to));
  const [act, list, page] = ["/activity/shake/audit", "/activity/shake", "/activity/shake/details"] as const;
  expect((await told([act, list, page]))?.every((to) => to.startsWith(`${page}?id=`))).toBe(true);
  expect((await told([act, list]))?.every((to) => to === `${list}?state=UNAUDIT`)).toBe(true);
  expect([await told([act]), await told([list, page])]).toEqual([undefined, undefined]);
  await changeRow(pool, "lotteries", at, { ...RUNNING, seed0: Buffer.alloc(32) });
});
test("sheets are told of those things alone that their owner may still import", async () => {
  const { rows } = await pool.query<{ id: string; scope: string }>(
    "select u.id, app.scope_of(u) as scope from users u where u.login = 'fin01'",
  );
  const { id: owner_user_id, scope } = rows[0]!;
  const sheet = {
    owner_user_id,
    id: OTHER,
    scope,
    source: "other-stores",
    file_name: "门店.xlsx",
    status: 0,
    expires_at: "2099-01-01T00:00:00Z",
  };
  await plantRow(pool, "imports", sheet);
  await plantRow(pool, "import_rows", { owner_user_id, import_id: OTHER, line: 1, title: "店", cells: "{}", status: 1 });
  const count = (items: readonly string[]) => holding(items, () => countOf("fin01", "imports-waiting"));
  const others = ["/member/member", "/member/member/import"];
  expect(await count(["/store/other", "/store/other/import"])).toBe(1);
  expect([await count(others), await count(["/store/other/import", ...others])]).toEqual([0, 0]);
  await pool.query("delete from import_rows where owner_user_id = $1", [owner_user_id]);
  await pool.query("delete from imports where owner_user_id = $1", [owner_user_id]);
});
test("each fence alone tells everybody the same", async () => {
  const app = await world.withoutRowSecurity();
  for (const login of LOGINS) {
    const both = await ask(login);
    expect([login, await ask(login, world.through(app))]).toEqual([login, both]);
    firstFence.on = false;
    const alone = await ask(login).finally(() => (firstFence.on = true));
    expect([login, alone]).toEqual([login, both]);
  }
});
test("who asked for a decision is not told of it", async () => {
  const { id } = (await pool.query<{ id: string }>("select id from users where login = 'mch01'")).rows[0]!;
  const before = await countOf("mch01", "activities");
  const at = await plantRow(pool, "activities", { ...UNAUDIT(), no: "1234567899", kind: "new", made_by: id });
  expect(await countOf("mch01", "activities")).toBe(before);
  await changeRow(pool, "activities", at, { ...RUNNING });
});
test("the most urgent come first; a hundred and more are 99+", async () => {
  const at: string[] = [];
  for (let nth = 0; nth < 101; nth++)
    at.push(await plantRow(pool, "other_stores", { ...merchant(), platform: "ele", platform_store_id: `e-${nth}`, name: `店 ${nth}` }));
  const { todos } = await ask("mch01");
  expect(todos.map(({ urgency }) => urgency)).toEqual(todos.map(({ urgency }) => urgency).toSorted((one, other) => one - other));
  const many = todos.find(({ key }) => key === "other-stores")!;
  expect(many).toMatchObject({ count: 99, more: true, to: "/store/other?state=waiting" });
  expect(many.words).toMatch(/^99\+ 家/);
  expect(many.rows).toHaveLength(3);
  for (const one of at) await changeRow(pool, "other_stores", one, { mapped_store_id: OTHER });
});
test.each([
  ["breaks", sql`no_such_table n`],
  ["takes too long", sql`(select pg_sleep(30)::text as id) n`],
] as const)("a kind that %s costs itself and is named", async (_how, from) => {
  const domains = tiedTo(world.services);
  const broken: TodoKind = {
    key: "broken",
    urgency: 1,
    unit: "个",
    title: "坏掉的",
    act: "去看",
    access: "/",
    to: "/",
    waits: () => ({ from, where: sql`true`, id: sql`n.id`, title: sql`n.id`, since: sql`now()` }),
  };
  tie(world.services, [domain({ todos: [broken] }), ...domains]);
  try {
    const { status, body } = await world.send("sp01", { verb: "GET", path: "/api/todos" });
    expect([status, (body as Answer).failed, (body as Answer).todos.length > 0]).toEqual([200, ["坏掉的"], true]);
  } finally {
    tie(world.services, domains);
  }
});

type Steps = OutputOf<typeof listFirstSteps>;
const steps = async (login: Login): Promise<Steps> => (await world.send(login, { verb: "GET", path: "/api/first-steps" })).body as Steps;
test("first steps are proven by what is there, put away for the account, and brought back", async () => {
  const own = await steps("mch01");
  expect(own.steps.map(({ key }) => key)).toEqual(["channel", "store", "device", "cashier", "payment"]);
  expect(own.steps.every(({ done }) => done)).toBe(true);
  expect(own.shown).toBe(false);
  world.keep.on = true;
  const keep = (value: string) =>
    world.send("mch01", { verb: "PUT", path: "/api/preferences/:key", params: { key: "first-steps" }, body: { value } });
  await keep("shown");
  expect((await steps("mch01")).shown).toBe(true);
  await keep("hidden");
  expect((await steps("mch01")).shown).toBe(false);
  world.keep.on = false;
});
test.each(["admin", "sp01", "agent01", "group01", "team01", "sale01", "mch01", "area01"] as const)(
  "%s has first steps of their own",
  async (login) => {
    const { steps: own } = await steps(login);
    expect([login, own.length >= 1, new Set(own.map(({ key }) => key)).size]).toEqual([login, true, own.length]);
  },
);
test("a step that nothing proves is left to do, within the caller's sight", async () => {
  const domains = tiedTo(world.services);
  const step: FirstStep = {
    key: "cards",
    at: 1,
    title: "印名片",
    why: "",
    levels: ["MCH"],
    access: "/store/store",
    to: "/store/store",
    done: ({ merchant: own }) => sql<boolean>`exists (select from merchants m where m.id = ${own} and m.short_name = '印好了')`,
  };
  tie(world.services, [domain({ firstSteps: [step] }), ...domains]);
  try {
    expect(await steps("mch03")).toMatchObject({
      shown: true,
      steps: expect.arrayContaining([expect.objectContaining({ key: "cards", done: false })]),
    });
    expect((await steps("sp01")).steps.map(({ key }) => key)).not.toContain("cards");
  } finally {
    tie(world.services, domains);
  }
});
