import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { invoiceUrlOf } from "@zhangfang/domains/orders/server/index.ts";
import { openWire } from "./live.ts";
import { signIn, type DemoTree } from "./tree/tree.ts";

const CATERING = "3070401000000000000";
const PERSON = { buyer: "person", title: "张小明", mail: "zhang@example.com" };
const COMPANY = {
  buyer: "organisation",
  title: "成都锦里文化传播有限公司",
  taxNo: "91510100MA62RTYU1J",
  mail: "cw@example.com",
  mobile: "13900007302",
};
// The simulator wants whoever has entered it in their books to confirm.
const ENTERED = { ...COMPANY, title: "已入账贸易（成都）有限公司" };
/** And this one refuses. */
const REFUSES = { ...COMPANY, title: "不认账商贸（成都）有限公司" };
/** Applications, by what becomes of each; an issued one may be taken back. Those that go wrong come first, one after the other. */
const APPLICATIONS = [
  { buyer: PERSON, becomes: "failed" },
  { buyer: PERSON, becomes: "cancelled" },
  { buyer: PERSON, becomes: "issued" },
  { buyer: COMPANY, becomes: "issued" },
  { buyer: { ...COMPANY, kind: "bs" }, becomes: "waiting" },
  { buyer: { ...COMPANY, kind: "bs" }, becomes: "rejected" },
  { buyer: ENTERED, becomes: "red" },
  { buyer: REFUSES, becomes: "red" },
  { buyer: PERSON, becomes: "red" },
] as const;
const TRIES = 60;

/** Invoices of the first merchant: in every state, with one red letter that waits for the buyer. */
export async function fillInvoices(services: Services, tree: DemoTree): Promise<void> {
  const { wire, api } = openWire(services);
  const merchant = tree.merchants.mch01;
  const as = async (login: string) => ({ authorization: `Bearer ${await signIn(services, login)}` });
  const [office, root] = [await as("sp01"), await as("mch01")];
  const post = (path: string, body: object, headers: Readonly<Record<string, string>> = root) =>
    wire.post(`${api}/api/${path}?_t=1`, body, headers);
  const requestId = () => services.ids.uuid(services.clock.now_ms());
  const defaults = { autoLimitCents: 100_000, applyDays: 180, redFirst: "organisation" };
  await post(
    "invoices/settings",
    { revision: 0, appKey: "zhangfang-demo", appSecret: "nuonuo-simulator-secret", active: true, ...defaults },
    office,
  );
  await post("invoices/tax-rules", { name: "餐饮", taxCode: CATERING, taxRate: 6_000 }, office);
  const { id } = await post("invoices/tax-subjects/add", {
    requestId: requestId(),
    taxNo: "91510100MA6CGHJK2C",
    token: "tok-demo-mch01",
    name: "四川蜀味餐饮管理有限公司",
    address: "成都市锦江区春熙路 88 号",
    phone: "02886001234",
    bank: "中国工商银行成都春熙支行",
    bankAccount: "4402239009000123456",
    drawer: "李娟",
    taxpayer: "general",
    taxCode: CATERING,
    taxRate: 6_000,
    goodsName: "餐饮服务",
    auto: true,
    special: true,
    ...defaults,
  });
  await post("invoices/tax-subjects/stores", { id, storeIds: merchant.stores.map((store) => store.id), fromDay: "2026-01-01" });
  await post("invoices/tax-rules", { name: "饮品", taxCode: "1030307010000000000", taxRate: 13_000 });
  await post("invoices/tax-subjects/test", { id });
  const orders = await withScope(services.pool, platformScope("demo orders to invoice"), (tx) =>
    // Not the last ones, which are refunded meanwhile.
    sql<{
      id: string;
      cents: number;
    }>`with o as materialized (select o.id, o.paid_cents as cents, o.paid_at from pay_orders o where o.service_provider_id = ${merchant.serviceProviderId}
        and o.merchant_id = ${merchant.id} and o.status = 2 and o.purpose = 0 and not o.priced and o.refunded_cents + o.refunding_cents = 0
        and o.paid_cents between 1000 and 100000)
      select id, cents from o order by paid_at desc, id offset least(100, (select count(*) from o) / 2) limit ${APPLICATIONS.length}`.execute(
      tx,
    ),
  );
  const simulator = `http://127.0.0.1:${services.config.simulator_port + 2}/nuonuo/_control`;
  const under: Promise<void>[] = [];
  for (const [at, { buyer, becomes }] of APPLICATIONS.entries()) {
    const order = orders.rows[at];
    if (!order) break;
    const fault = becomes === "failed" || becomes === "cancelled" ? "failed" : undefined;
    if (fault) await fetch(simulator, { method: "POST", body: JSON.stringify({ fault }) });
    const token = invoiceUrlOf(services, order.id).split("/").at(-1)!;
    await post("invoice-page/apply", { requestId: requestId(), token, cents: order.cents, ...buyer }, {});
    const settling = settle(services, order.id, becomes, post);
    if (fault) await settling;
    else under.push(settling);
  }
  await Promise.all(under);
}
type Post = (path: string, body: object) => Promise<unknown>;
/** Waits until it stands where the next act finds it, and does that. */
async function settle(services: Services, order_id: string, becomes: (typeof APPLICATIONS)[number]["becomes"], post: Post): Promise<void> {
  const standing = () =>
    withScope(services.pool, platformScope("demo invoices"), async (tx) => {
      const { rows } = await sql<{
        application: string;
        invoice: string | null;
        status: number | null;
      }>`select x.application_id as application, i.id as invoice, i.status
        from invoice_application_orders x left join invoices i on i.service_provider_id = x.service_provider_id and i.application_id = x.application_id
        where x.service_provider_id is not null and x.order_id = ${order_id}`.execute(tx);
      return rows[0];
    });
  if (becomes === "waiting") return;
  for (let tries = 0; tries < TRIES; tries++) {
    const now = await standing();
    if (!now) return;
    if (becomes === "rejected") {
      await post("invoices/applications/decide", { id: now.application, approve: false, why: "抬头和税号不是同一家，请核对后重新申请" });
      return;
    }
    if (now.status === 3 && becomes === "cancelled") await post("invoices/applications/cancel", { id: now.application });
    if (now.status === 3) return;
    if (now.status === 2 && becomes === "red")
      await post("invoices/reds/start", { requestId: services.ids.uuid(services.clock.now_ms()), id: now.invoice, reason: 1 });
    if (now.status === 2) return;
    await wait(500);
  }
}
