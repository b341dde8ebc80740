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
/**
 * Applications, by what becomes of each; an issued one may be taken back. Those that the platform does something wrong with come first: each is
 * taken by it before the next is asked for.
 */
const APPLICATIONS = [
  { buyer: PERSON, becomes: "failed", fault: "failed" },
  { buyer: PERSON, becomes: "cancelled", fault: "failed" },
  // It stays 开票中 for a person to look at: the platform says another sum.
  { buyer: COMPANY, becomes: "stuck", fault: "wrong-amount" },
  { buyer: PERSON, becomes: "issued" },
  { buyer: COMPANY, becomes: "issued" },
  { buyer: { ...COMPANY, kind: "bs" }, becomes: "waiting" },
  { buyer: { ...COMPANY, kind: "bs" }, becomes: "rejected" },
  { buyer: ENTERED, becomes: "red" },
  { buyer: REFUSES, becomes: "red" },
  { buyer: PERSON, becomes: "red" },
] as const;
/** Another tax number, over the last store, whose quota is used up: what is applied for there stays 待开票. */
const SHORT = { taxNo: "91510104MA6DXXK8X2", name: "成都锦江小厨餐饮有限公司" };
const TRIES = 60;
type Merchant = DemoTree["merchants"]["mch01"];
type Post = (path: string, body: object, headers?: Readonly<Record<string, string>>) => Promise<Record<string, unknown>>;

/** Invoices of the first merchant: in every state, with one red letter that waits for the buyer. */
export async function fillInvoices(services: Services, tree: DemoTree): Promise<void> {
  const { wire, api } = openWire(services);
  const merchant = tree.merchants.mch01;
  const as = async (login: string) => ({ authorization: `Bearer ${await signIn(services, login)}` });
  const [office, root] = [await as("sp01"), await as("mch01")];
  const post: Post = (path, body, headers = root) => wire.post(`${api}/api/${path}?_t=1`, body, headers);
  const control = (given: object) =>
    fetch(`http://127.0.0.1:${services.config.simulator_port + 2}/nuonuo/_control`, { method: "POST", body: JSON.stringify(given) });
  await openSubjects(services, merchant, post, office);
  await control({ tax: SHORT.taxNo, quota: 0 });
  const apply = ({ id, cents }: Order, buyer: object) => {
    const token = invoiceUrlOf(services, id).split("/").at(-1)!;
    return post("invoice-page/apply", { requestId: services.ids.uuid(services.clock.now_ms()), token, cents, ...buyer }, {});
  };
  const [last] = await ordersOf(services, merchant, merchant.stores.slice(-1), 1);
  if (last) await apply(last, PERSON);
  const orders = await ordersOf(services, merchant, merchant.stores.slice(0, -1), APPLICATIONS.length);
  const under: Promise<void>[] = [];
  for (const [at, { buyer, becomes, ...more }] of APPLICATIONS.entries()) {
    const order = orders[at];
    if (!order) break;
    if ("fault" in more) await control({ fault: more.fault });
    await apply(order, buyer);
    if ("fault" in more) await until(services, order.id, ({ taken }) => taken);
    under.push(settle(services, order.id, becomes, post));
  }
  await Promise.all(under);
}
/** The provider's application and rates, and the merchant's two tax numbers over its stores. */
async function openSubjects(services: Services, merchant: Merchant, post: Post, office: Readonly<Record<string, string>>): Promise<void> {
  const defaults = { autoLimitCents: 100_000, applyDays: 180, redFirst: "organisation" };
  await post(
    "invoices/settings",
    { revision: 0, appKey: "zhangfang-demo", appSecret: "nuonuo-simulator-secret", active: true, ...defaults },
    office,
  );
  await post("invoices/tax-rules", { name: "餐饮", taxCode: CATERING, taxRate: 6_000 }, office);
  const add = async (facts: object, stores: Merchant["stores"]): Promise<void> => {
    const { id } = await post("invoices/tax-subjects/add", {
      requestId: services.ids.uuid(services.clock.now_ms()),
      token: "tok-demo-mch01",
      drawer: "李娟",
      taxpayer: "general",
      taxCode: CATERING,
      taxRate: 6_000,
      goodsName: "餐饮服务",
      auto: true,
      special: true,
      ...defaults,
      ...facts,
    });
    await post("invoices/tax-subjects/stores", { id, storeIds: stores.map((store) => store.id), fromDay: "2026-01-01" });
    await post("invoices/tax-subjects/test", { id });
  };
  await add(SHORT, merchant.stores.slice(-1));
  await add(
    {
      taxNo: "91510100MA6CGHJK2C",
      name: "四川蜀味餐饮管理有限公司",
      address: "成都市锦江区春熙路 88 号",
      phone: "02886001234",
      bank: "中国工商银行成都春熙支行",
      bankAccount: "4402239009000123456",
    },
    merchant.stores.slice(0, -1),
  );
  await post("invoices/tax-rules", { name: "饮品", taxCode: "1030307010000000000", taxRate: 13_000 });
}
interface Order {
  readonly id: string;
  readonly cents: number;
}
/** Paid ones of these stores; not the last, which are refunded meanwhile. */
function ordersOf(services: Services, merchant: Merchant, stores: Merchant["stores"], count: number): Promise<readonly Order[]> {
  return withScope(services.pool, platformScope("demo orders to invoice"), async (tx) => {
    const { rows } =
      await sql<Order>`with o as materialized (select o.id, o.paid_cents as cents, o.paid_at from pay_orders o where o.service_provider_id = ${merchant.serviceProviderId}
        and o.merchant_id = ${merchant.id} and o.store_id = any(${stores.map(({ id }) => id)}::uuid[]) and o.status = 2 and o.purpose = 0 and not o.priced
        and o.refunded_cents + o.refunding_cents = 0 and o.paid_cents between 1000 and 100000)
      select id, cents from o order by paid_at desc, id offset least(100, (select count(*) from o) / 2) limit ${count}`.execute(tx);
    return rows;
  });
}
interface Standing {
  readonly application: string;
  readonly invoice: string | null;
  readonly status: number | null;
  /** Whether the platform has taken it. */
  readonly taken: boolean;
}
/** Waits until an order's invoice stands so. @returns how it stands; nothing where it does not come to that */
async function until(services: Services, order_id: string, stands: (now: Standing) => boolean): Promise<Standing | undefined> {
  for (let tries = 0; tries < TRIES; tries++) {
    const now = await withScope(services.pool, platformScope("demo invoices"), async (tx) => {
      const { rows } = await sql<Standing>`select x.application_id as application, i.id as invoice, i.status, i.serial is not null as taken
        from invoice_application_orders x left join invoices i on i.service_provider_id = x.service_provider_id and i.application_id = x.application_id
        where x.service_provider_id is not null and x.order_id = ${order_id}`.execute(tx);
      return rows[0];
    });
    if (!now || stands(now)) return now;
    await wait(500);
  }
  return undefined;
}
/** Waits until it stands where the next act finds it, and does that. */
async function settle(services: Services, order_id: string, becomes: (typeof APPLICATIONS)[number]["becomes"], post: Post): Promise<void> {
  if (becomes === "waiting" || becomes === "stuck") return;
  const now = await until(services, order_id, ({ status }) => becomes === "rejected" || status === 2 || status === 3);
  if (!now) return;
  if (becomes === "rejected")
    await post("invoices/applications/decide", {
      id: now.application,
      approve: false,
      why: "抬头和税号不是同一家，请核对后重新申请",
    });
  if (becomes === "cancelled" && now.status === 3) await post("invoices/applications/cancel", { id: now.application });
  if (becomes === "red" && now.status === 2)
    await post("invoices/reds/start", { requestId: services.ids.uuid(services.clock.now_ms()), id: now.invoice, reason: 1 });
}
