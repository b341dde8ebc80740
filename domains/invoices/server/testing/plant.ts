import { randomUUID } from "node:crypto";
import type { MerchantKey } from "../../../../apps/server/testing/matrix/people.ts";
import { plant, type Soil } from "../../../../apps/server/testing/world.ts";
import { invoiceUrlOf } from "../../../orders/server/index.ts";
import { sealBuyer } from "../config/seals.ts";
import { giveInvoices } from "../provider/open-provider.ts";
import { UNKNOWN_NUMBER } from "../provider/provider.ts";

/** A merchant's tax subject, and one thing of every kind that hangs on it. */
export interface InvoiceFact {
  readonly id: string;
  readonly merchant: MerchantKey;
  readonly rule: string;
  /** Waits for approval; and what was issued, what failed and what is being taken back. */
  readonly waiting: string;
  readonly issued: string;
  readonly failed: string;
  readonly red: string;
  /** Of the page of the order that waits. */
  readonly token: string;
  readonly orderNo: string;
  readonly storeIds: readonly string[];
}
export interface TradeRuleFact {
  readonly id: string;
  readonly provider: "sp01" | "sp02";
}
const MERCHANTS = ["mch01", "mch02", "mch03"] as const satisfies readonly MerchantKey[];
const TAX_NO = "91510100MA6CGHJK2C";
const CODE = "3070401000000000000";
const BUYER = {
  buyer: "person",
  title: "张小明",
  taxNo: "",
  address: "",
  phone: "",
  bank: "",
  bankAccount: "",
  mail: "",
  mobile: "",
} as const;
const nobody = async () => ({ kind: "refused", code: UNKNOWN_NUMBER, message: "没有" }) as const;

async function addTradeRules(soil: Soil): Promise<readonly TradeRuleFact[]> {
  // Nobody is asked outside.
  giveInvoices(soil.services, {
    provider: {
      issue: nobody,
      query: nobody,
      retrySeal: nobody,
      requestRed: nobody,
      queryRed: nobody,
      revokeRed: nobody,
      quota: nobody,
      session: async () => ({ kind: "ok", value: { state: "ok" } }),
      readNotice: () => [],
    },
    files: () => Promise.reject(new Error("no files")),
    fileHosts: [],
  });
  const facts: TradeRuleFact[] = [];
  for (const provider of ["sp01", "sp02"] as const) {
    const settings = {
      revision: 0,
      appKey: "app-key",
      appSecret: "app-secret",
      active: true,
      autoLimitCents: 0,
      applyDays: 180,
      redFirst: "organisation",
    };
    await soil.send(provider, { verb: "POST", path: "/api/invoices/settings", body: settings });
    const body = { name: "餐饮", taxCode: CODE, taxRate: 0 };
    const answer = await soil.send(provider, { verb: "POST", path: "/api/invoices/tax-rules", body });
    facts.push({ id: (answer.body as { id: string }).id, provider });
  }
  return facts;
}
export const tradeRuleFacts = plant(addTradeRules);

async function addInvoices(soil: Soil): Promise<readonly InvoiceFact[]> {
  const facts: InvoiceFact[] = [];
  for (const merchant of MERCHANTS) {
    const { id: merchant_id, serviceProviderId, stores } = soil.till.tree.merchants[merchant];
    const storeIds = stores.map(({ id }) => id);
    const subject = {
      requestId: randomUUID(),
      taxNo: TAX_NO,
      token: "token",
      name: `开票主体 ${merchant}`,
      drawer: "李娟",
      taxpayer: "general",
      taxCode: CODE,
      taxRate: 0,
      goodsName: "餐饮服务",
      auto: false,
      special: true,
      autoLimitCents: 0,
      applyDays: 180,
      redFirst: "organisation",
    };
    const { id } = (await soil.send(merchant, { verb: "POST", path: "/api/invoices/tax-subjects/add", body: subject })).body as {
      id: string;
    };
    await soil.send(merchant, { verb: "POST", path: "/api/invoices/tax-subjects/stores", body: { id, storeIds, fromDay: "2026-01-01" } });
    const rule = (
      (await soil.send(merchant, { verb: "POST", path: "/api/invoices/tax-rules", body: { name: "饮料", taxCode: CODE, taxRate: 0 } }))
        .body as { id: string }
    ).id;
    const { rows: orders } = await soil.owner.query<{ id: string; store_id: string; order_no: string; cents: number }>(
      `select id, store_id, order_no, (paid_cents - refunded_cents - refunding_cents)::int as cents from pay_orders where merchant_id = $1 and status = 2 and not priced
        order by refunded_cents + refunding_cents, created_at, id limit 2`,
      [merchant_id],
    );
    const made = { waiting: randomUUID(), issued: randomUUID(), failed: randomUUID(), red: randomUUID() };
    const insert = async (
      order: (typeof orders)[number],
      status: number,
      of: readonly { id: string; status: number }[],
      application = randomUUID(),
    ) => {
      const at = [serviceProviderId, merchant_id] as const;
      await soil.owner.query("insert into invoice_orders values ($1, $2, $3, $4, $5)", [
        at[0],
        order.id,
        at[1],
        order.store_id,
        order.cents,
      ]);
      await soil.owner.query(
        `insert into invoice_applications (service_provider_id, merchant_id, id, subject_id, status, kind, buyer, buyer_sealed, title_shown, tax_no_tail, total_cents, source, request_id, by_name, created_at)
          values ($1, $2, $3, $4, $5, 'pc', 'person', $6, '张**', '', $7, 'page', $3, '顾客', now())`,
        [
          ...at,
          application,
          id,
          status,
          sealBuyer(soil.services, { service_provider_id: serviceProviderId, id: application }, BUYER),
          order.cents,
        ],
      );
      await soil.owner.query("insert into invoice_application_orders values ($1, $3, $2, $4, $5, true)", [
        ...at,
        application,
        order.id,
        order.cents,
      ]);
      for (const one of of) {
        const no = soil.services.ids.digits(19);
        await soil.owner.query(
          `insert into invoices (service_provider_id, merchant_id, id, application_id, subject_id, number, status, kind, total_cents, tax_cents, invoice_no, issued_at, created_at)
            values ($1, $2, $3, $4, $5, $6, $7, 'pc', $8, 0, $9, now(), now())`,
          [...at, one.id, application, id, `B${no}`, one.status, order.cents, one.status === 3 ? null : `2${no}`],
        );
        await soil.owner.query("insert into invoice_lines values ($1, $3, $2, 1, $4, '餐饮服务', $5, 0, 0, 1, $6, 0)", [
          ...at,
          one.id,
          order.id,
          CODE,
          order.cents,
        ]);
        if (one.status === 4)
          await soil.owner.query(
            `insert into invoice_reds (service_provider_id, merchant_id, id, invoice_id, number, status, reason, total_cents, sent_at, by_name, created_at)
              values ($1, $2, $3, $4, $5, 2, '01', $6, now(), '店长', now())`,
            [...at, made.red, one.id, `R${no}`, order.cents],
          );
      }
    };
    const [first, second] = orders;
    await insert(first!, 0, [], made.waiting);
    await insert(second!, 1, [
      { id: made.issued, status: 2 },
      { id: made.failed, status: 3 },
      { id: randomUUID(), status: 4 },
    ]);
    facts.push({
      id,
      merchant,
      rule,
      ...made,
      storeIds,
      orderNo: first!.order_no,
      token: invoiceUrlOf(soil.services, first!.id).split("/").at(-1)!,
    });
  }
  return facts;
}
export const invoiceFacts = plant(addInvoices);
