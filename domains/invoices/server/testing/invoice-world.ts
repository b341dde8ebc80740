import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { invoiceUrlOf } from "../../../orders/server/index.ts";
import type { Breach } from "@zhangfang/server/book.ts";
import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import { openTillWorld, type TillWorld } from "../../../orders/server/testing/till-world.ts";
import { addTaxSubject, type applyInvoice, type getInvoicePage, setInvoiceSettings, setSubjectStores } from "../../contract/index.ts";
import { applyInvoiceRoute } from "../apply/apply-invoice.ts";
import { getInvoiceFileRoute, getInvoicePageRoute } from "../apply/invoice-page.ts";
import { invoices } from "../index.ts";
import { giveInvoices, openAt, type Opened } from "../provider/open-provider.ts";
import { verifyInvoices } from "../verify-invoices.ts";

const MAIN = fileURLToPath(new URL("../../../../apps/platform-simulator/main.ts", import.meta.url));
/** The platform simulator as a process of its own, on a free port or this one. @throws where it is taken */
export async function startPlatforms(port = 0): Promise<{ readonly host: string; control(body: object): Promise<Said>; stop(): void }> {
  const child = spawn(process.execPath, [MAIN, "--with-parent", "--port", String(port)], { stdio: ["pipe", "pipe", "inherit"] });
  const host = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.once("error", reject).once("exit", () => reject(new Error("the simulator did not start")));
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const found = /http:\/\/([\d.:]+)\//.exec(said);
      if (found) resolve(found[1]!);
    });
  });
  return {
    host,
    control: async (body) =>
      (await (await fetch(`http://${host}/nuonuo/_control`, { method: "POST", body: JSON.stringify(body) })).json()) as Said,
    stop: () => void child.kill(),
  };
}
/** What the platform holds for true. */
export interface Said {
  readonly calls: number;
  readonly blues: readonly { number: string; invoiceNo: string; cents: number; status: string; buyer: string }[];
  readonly reds: readonly { number: string; blue: string; bill: string; redNo: string }[];
}

// Valid numbers of nobody's.
export const SELLER = "91510100MA6CGHJK2C";
export const COMPANY = { buyer: "organisation", title: "成都测试科技有限公司", taxNo: "91510100MA62RTYU1J" } as const;
export const PERSON = { buyer: "person", title: "张小明" } as const;
const FACTS = {
  taxNo: "",
  token: "tok-123456",
  name: "四川蜀味餐饮有限公司",
  drawer: "李娟",
  taxpayer: "general",
  taxCode: "3070401000000000000",
  taxRate: 6000,
  goodsName: "餐饮服务",
  auto: true,
  special: true,
  autoLimitCents: 100_000,
  applyDays: 180,
  redFirst: "organisation",
} as const;
const STEPS_S = [4, 6, 16, 61, 301, 901];

export interface InvoiceWorld extends TillWorld {
  readonly subject: string;
  call<E extends Endpoint>(login: string, endpoint: E, input: InputOf<E>): Promise<OutputOf<E>>;
  control(body: object): Promise<Said>;
  /** A paid order of mch01; answers its id and the token of its page. */
  paid(cents: number, more?: object, store?: number): Promise<{ id: string; orderNo: string; tillNo: string; token: string }>;
  tokenOf(orderId: string): string;
  page(token: string): Promise<OutputOf<typeof getInvoicePage>>;
  /** What a file's address gives. @throws 404 */
  file(url: string): Promise<{ readonly contentType: string }>;
  apply(token: string, cents: number, more?: Partial<InputOf<typeof applyInvoice>>): Promise<{ status: number }>;
  /** The jobs, as many times as the platform is asked in half an hour. */
  run(rounds?: number): Promise<void>;
  status(application: "invoices" | "invoice_reds" | "invoice_applications"): Promise<number[]>;
  refund(tillNo: string, amountCents: number): Promise<string>;
  settleRefund(refundNo: string): Promise<void>;
  breaches(): Promise<unknown[]>;
  clean(): Promise<void>;
}
type Calls = Pick<InvoiceWorld, "call" | "tokenOf" | "page" | "apply" | "file">;
/** This room's calls over a world: by people, and by whoever has an order's link. */
export function invoiceCalls(world: TillWorld): Calls & { readonly breaches: () => Promise<Breach[]>; connect(host: string): void } {
  const { services } = world;
  const call = async <E extends Endpoint>(login: string, endpoint: E, input: InputOf<E>) =>
    (await world.ask(
      login,
      invoices.routes.find((one) => one.endpoint === endpoint)!,
      input as object,
    )) as OutputOf<E>;
  const nobody = (route: (typeof invoices.routes)[number], input: object) =>
    world.askOutside(
      route,
      route.endpoint.source === "query" ? ({ params: input } as never) : ({ body: input, rawBody: Buffer.alloc(0) } as never),
    );
  return {
    call,
    tokenOf: (id) => invoiceUrlOf(services, id).split("/").at(-1)!,
    file: (url) => nobody(getInvoiceFileRoute, { token: url.split("/").at(-1)! }) as never,
    page: (token) => nobody(getInvoicePageRoute, { token }) as never,
    apply: (token, cents, more = {}) => nobody(applyInvoiceRoute, { requestId: randomUUID(), token, cents, ...PERSON, ...more }) as never,
    breaches: () => world.look(verifyInvoices),
    connect: (host) => giveInvoices(services, openAt(services, host)),
  };
}
/** The provider's application, and a tax number over these stores. @returns the subject's id */
export async function plantSubject(call: InvoiceWorld["call"], stores: readonly { readonly id: string }[]): Promise<string> {
  await call("sp01", setInvoiceSettings, {
    revision: 0,
    appKey: "zhangfang-demo",
    appSecret: "nuonuo-simulator-secret",
    active: true,
    autoLimitCents: 100_000 as never,
    applyDays: 180,
    redFirst: "organisation",
  });
  const { id } = await call("mch01", addTaxSubject, {
    requestId: randomUUID(),
    ...FACTS,
    taxNo: SELLER,
    autoLimitCents: FACTS.autoLimitCents as never,
  });
  await call("mch01", setSubjectStores, { id, storeIds: stores.map(({ id }) => id), fromDay: "2026-01-01" });
  return id;
}
/** Nothing was applied for or issued yet. */
export async function forgetInvoices(owner: TillWorld["owner"]): Promise<void> {
  await emptyTables(
    owner,
    "invoice_orders, invoice_applications, invoice_application_orders, invoices, invoice_lines, invoice_reds, invoice_files, invoice_calls, invoice_deliveries",
  );
  await owner(
    "update tax_subjects set session = 'ok', session_at = null, session_next_at = null, quota_cents = null, quota_at = null, auto = true, auto_limit_cents = 100000, most_cents = null, most_lines = 100, state = 'active', red_first = 'organisation'",
  );
}
/** The world of tills with this room over it, speaking with the real simulator process. */
export async function openInvoiceWorld(wrap: (opened: Opened) => Opened = (opened) => opened): Promise<InvoiceWorld> {
  const world = await openTillWorld({ above: [invoices] });
  const platforms = await startPlatforms();
  const { services, owner, tree } = world;
  giveInvoices(services, wrap(openAt(services, platforms.host)));
  const shop = tree.merchants.mch01;
  const { call, tokenOf, page, apply, file } = invoiceCalls(world);
  const subject = await plantSubject(call, shop.stores);
  let n = 0;
  const settleRefund = async (refundNo: string): Promise<void> => {
    world.channel.decide(refundNo, "success");
    services.clock.advance(60_000);
    await world.sweep("query-refunds");
    await world.runJobs();
  };
  return {
    ...world,
    subject,
    tokenOf,
    settleRefund,
    call,
    control: platforms.control,
    async paid(cents, more = {}, store = 0) {
      const tillNo = `I${++n}`;
      await world.till(shop.stores[store]!, "createTillOrder", {
        tillNo,
        tradeType: "MICROPAY",
        authCode: "130000000000000009",
        subject: "午餐",
        grossCents: cents as never,
        ...more,
      });
      await world.runJobs();
      const [order] = await owner<{ id: string; order_no: string; status: number }>(
        "select id, order_no, status from pay_orders where till_no = $1",
        [tillNo],
      );
      if (order?.status !== 2) throw new Error("not paid");
      return { id: order.id, orderNo: order.order_no, tillNo, token: tokenOf(order.id) };
    },
    file,
    page,
    apply,
    async run(rounds = STEPS_S.length) {
      for (const wait_s of STEPS_S.slice(0, rounds)) {
        await world.sweep("settle-invoice-orders", "issue-invoices", "chase-invoice-reds", "ask-invoice-sessions", "fetch-invoice-files");
        services.clock.advance(wait_s * 1000);
      }
      await world.sweep("issue-invoices", "chase-invoice-reds", "fetch-invoice-files");
    },
    status: async (table) =>
      (await owner<{ status: number }>(`select status from ${table} order by created_at, id`)).map(({ status }) => status),
    async refund(tillNo, amountCents) {
      const { refundNo } = await world.till(shop.stores[0]!, "refundTillOrder", {
        requestId: randomUUID(),
        tillNo,
        amountCents: amountCents as never,
        reason: "退菜",
      });
      await world.runJobs();
      await settleRefund(refundNo);
      return refundNo;
    },
    breaches: async () => [...(await world.verify()), ...(await world.look(verifyInvoices))],
    async clean() {
      await world.forget();
      await forgetInvoices(owner);
      await platforms.control({ reset: 1, tax: SELLER, session: "1", quota: 10_000_000_000 });
      world.channel.forget();
    },
    close: async () => {
      platforms.stop();
      await world.close();
    },
  };
}
