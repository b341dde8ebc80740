import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import type { DemoStore } from "../../demo/tree/tree.ts";
import { invoices } from "@zhangfang/domains/invoices/server/index.ts";
import { forgetInvoices, invoiceCalls, plantSubject } from "@zhangfang/domains/invoices/server/testing/invoice-world.ts";
import type { getInvoicePage } from "@zhangfang/domains/invoices/contract/index.ts";
import { hearDouyin } from "@zhangfang/domains/platforms/contract/index.ts";
import { platforms } from "@zhangfang/domains/platforms/server/index.ts";
import { reconciliation } from "@zhangfang/domains/reconciliation/server/index.ts";
import { groupBuyNotice } from "../group-buy.ts";
import { openNuonuo } from "../nuonuo.ts";
import { openVoucherWorld, type VoucherWorld } from "./voucher-world.ts";

/** A use as the platform has it; `known` where an entry of ours tells it. */
export interface UseThere {
  readonly verifyId: string;
  readonly reversed: boolean;
  readonly known: boolean;
}
/** A store that sells, uses vouchers and issues invoices, all three counterparts over HTTP by the world's own clock. */
export interface DayWorld extends VoucherWorld {
  readonly store: DemoStore;
  invoicing<E extends Endpoint>(login: string, endpoint: E, input: InputOf<E>): Promise<OutputOf<E>>;
  invoicePage(orderId: string): Promise<OutputOf<typeof getInvoicePage>>;
  applyInvoice(orderId: string, cents: number, buyer: object): Promise<unknown>;
  /** Steers the invoice platform. @returns what it holds for true */
  control(given: object): Promise<{
    readonly blues: readonly { number: string; cents: number; status: string }[];
    readonly reds: readonly { blue: string; bill: string; redNo: string }[];
  }>;
  /** What the voucher platform holds for true. */
  shelf(): Promise<readonly { readonly code: string; readonly certificate: string; readonly uses: readonly UseThere[] }[]>;
  tell(notice: { readonly certificate: string; readonly messageId: string; readonly event: string }): Promise<unknown>;
  /** So long the jobs look at what is open, and the channel says yes to refunds. */
  pass(ms: number): Promise<void>;
}

const DAY_MS = 86_400_000;
/** From midnight in UTC to 02:10 in Shanghai. */
const NIGHT_MS = (18 * 60 + 10) * 60_000;
const nextNight = (after_ms: number): number => (Math.floor((after_ms - NIGHT_MS) / DAY_MS) + 1) * DAY_MS + NIGHT_MS;

export async function openDayWorld(): Promise<DayWorld> {
  const world = await openVoucherWorld([invoices, reconciliation]);
  const { services, owner, tree } = world;
  const shop = tree.merchants.mch01;
  const nuonuo = openNuonuo(() => services.clock.now_ms());
  const server = createServer((request, reply) => {
    let body = "";
    request.on("data", (piece) => (body += String(piece)));
    request.on("end", () => {
      const answer = nuonuo(request, body);
      if (answer === undefined || answer === "silence") return void request.socket.destroy();
      reply.writeHead(answer.status, { "content-type": answer.type }).end(answer.text);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const calls = invoiceCalls(world);
  calls.connect(host);
  await plantSubject(calls.call, shop.stores);
  const control: DayWorld["control"] = async (given) =>
    (await fetch(`http://${host}/nuonuo/_control`, { method: "POST", body: JSON.stringify(given) })).json() as never;
  return {
    ...world,
    store: shop.stores[0]!,
    invoicing: calls.call,
    control,
    invoicePage: (id) => calls.page(calls.tokenOf(id)),
    applyInvoice: (id, cents, buyer) => calls.apply(calls.tokenOf(id), cents, buyer),
    async shelf() {
      const there = (await world.steer({ act: "list", platform: "douyin", code: "10000000" })) as {
        vouchers: { code: string; certificate: string; uses: { verifyId: string; reversed: boolean }[] }[];
      };
      const told = await owner<{ verify_id: string }>("select verify_id from platform_entries where kind in ('verify', 'external')");
      const known = new Set(told.map(({ verify_id }) => verify_id));
      return there.vouchers.map(({ uses, ...voucher }) => ({
        ...voucher,
        uses: uses.map((use) => ({ ...use, known: known.has(use.verifyId) })),
      }));
    },
    async tell({ certificate, messageId, event }) {
      const [account] = await owner<{ id: string }>("select id from platform_accounts where platform = 'dy'");
      const at_s = Math.floor(services.clock.now_ms() / 1_000);
      const notice = groupBuyNotice("douyin", { address: "http://127.0.0.1/x", secret: "secret-dy", event, certificate, messageId, at_s });
      const route = platforms.routes.find((one) => one.endpoint === hearDouyin)!;
      return world.askOutside(route, {
        params: { account: account!.id },
        query: {},
        rawBody: Buffer.from(notice.body),
        headers: notice.headers,
      } as never);
    },
    async pass(ms) {
      const until_ms = services.clock.now_ms() + ms;
      // Each night has its own look at what platforms have on record.
      for (let night_ms = nextNight(services.clock.now_ms()); night_ms <= until_ms; night_ms = nextNight(night_ms)) {
        services.clock.advance(night_ms - services.clock.now_ms());
        await world.sweep("take-platform-bills");
      }
      services.clock.advance(until_ms - services.clock.now_ms());
      for (let round = 0; round < 2; round++) {
        await world.sweep(
          "ask-vouchers",
          "issue-invoices",
          "chase-invoice-reds",
          "settle-invoice-orders",
          "ask-invoice-sessions",
          "query-payments",
          "query-refunds",
        );
        await world.runJobs();
        for (const one of world.channel.refunds.values()) if (one.status === "processing") world.channel.decide(one.outRefundNo, "success");
      }
    },
    async anew() {
      await world.anew();
      await forgetInvoices(owner);
      await owner("update tax_subjects set vouchers = false");
      await emptyTables(owner, "recon_differences, recon_days, store_day_closings, store_days");
      await control({ reset: 1, forget: 1 });
      await world.steer({ act: "forget", platform: "douyin", code: "10000000" });
    },
    verify: async () => [...(await world.verify()), ...(await calls.breaches())],
    async close() {
      server.close();
      server.closeAllConnections();
      await world.close();
    },
  };
}
