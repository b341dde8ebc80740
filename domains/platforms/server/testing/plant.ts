import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { MerchantKey } from "../../../../apps/server/testing/matrix/people.ts";
import { plant, type Soil } from "../../../../apps/server/testing/world.ts";
import { givePlatforms } from "../platform/open-platform.ts";

/** A merchant's account at 抖音, with what came about by it at the merchant's first store. */
export interface PlatformFact {
  readonly merchant: MerchantKey;
  readonly store: number;
  readonly storeId: string;
  readonly account: string;
  /** A voucher that was used, and its attempt. */
  readonly id: string;
  readonly attempt: string;
  /** An attempt that people have to look at, and one with what somebody else found. */
  readonly stuck: string;
  readonly found: string;
  readonly goods: string;
}
const MERCHANTS = ["mch01", "mch02", "mch03"] as const satisfies readonly MerchantKey[];
const GOODS = '"amount":{"coupon_pay_amount":9800,"list_market_amount":16800},"sku":{"sku_id":"1801","title":"双人套餐","groupon_type":1}';
/** A 抖音 of few words: any code is a voucher, what ends in 4 is never answered. It ends with its process. */
async function answerAsDouyin({ services }: Soil): Promise<void> {
  const server = createServer((request, reply) => {
    let body = "";
    request.on("data", (piece) => (body += String(piece)));
    request.on("end", () => {
      const url = new URL(request.url ?? "", "http://127.0.0.1");
      const code = url.searchParams.get("code") ?? /"(?:enc)(\d+)"/.exec(body)?.[1] ?? "";
      if (url.pathname.endsWith("/verify/") && code.endsWith("4")) return void request.socket.destroy();
      const told = url.pathname.endsWith("/client_token/")
        ? '"access_token":"token","expires_in":7200'
        : url.pathname.endsWith("/prepare/")
          ? `"verify_token":"v","order_id":"1","certificates":[${code.startsWith("0") ? "" : `{"certificate_id":"c${code}","encrypted_code":"enc${code}",${GOODS}}`}]`
          : url.pathname.endsWith("/verify/") && code !== ""
            ? `"verify_results":[{"result":0,"verify_id":"u${code}","certificate_id":"c${code}"}]`
            : '"pois":[]';
      reply.writeHead(200).end(`{"data":{"error_code":0,${told}}}`);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  server.unref();
  givePlatforms(services, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}
async function addPlatforms(soil: Soil): Promise<readonly PlatformFact[]> {
  await answerAsDouyin(soil);
  const facts: PlatformFact[] = [];
  for (const merchant of MERCHANTS) {
    const { serviceProviderId, id: merchantId, stores } = soil.till.tree.merchants[merchant];
    const storeId = stores[0]!.id;
    const post = async <T>(path: string, body: object): Promise<T> => {
      const answer = await soil.send(merchant, { verb: "POST", path, body });
      if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
      return answer.body as T;
    };
    const account = {
      platform: "dy",
      revision: 0,
      accountNo: `LK-${merchant}`,
      appOf: "merchant",
      appKey: `key-${merchant}`,
      secret: "secret",
    };
    const { id } = await post<{ id: string }>("/api/platforms/account/save", account);
    const attempts: { id: string }[] = [];
    for (const end of ["20", "04", "14"]) {
      const { ticket } = await post<{ ticket: string }>("/api/platforms/desk/prepare", { storeId, scan: `1${facts.length}0000800${end}` });
      attempts.push(...(await post<{ id: string }[]>("/api/platforms/desk/verify", { requestId: randomUUID(), storeId, ticket })));
    }
    const [used, stuck, found] = attempts;
    await soil.owner.query("update voucher_verifications set next_at = null where id = any($1)", [[stuck!.id, found!.id]]);
    await soil.owner.query(
      "update voucher_verifications set found_used = false, found_by = gen_random_uuid(), found_by_name = '小周', found_at = now() where id = $1",
      [found!.id],
    );
    const goods = randomUUID();
    await soil.owner.query(
      `insert into platform_goods (service_provider_id, id, merchant_id, account_id, platform, goods_id, title, goods_kind, status, price_cents, market_cents, seen_at)
        values ($1, $2, $3, $4, 'dy', '1801', $5, 1, 1, 9800, 16800, now())`,
      [serviceProviderId, goods, merchantId, id, `套餐 ${merchant}`],
    );
    const { rows } = await soil.owner.query<{ voucher_id: string }>("select voucher_id from voucher_verifications where id = $1", [
      used!.id,
    ]);
    facts.push({
      merchant,
      store: 0,
      storeId,
      account: id,
      id: rows[0]!.voucher_id,
      attempt: used!.id,
      stuck: stuck!.id,
      found: found!.id,
      goods,
    });
  }
  return facts;
}
export const platformFacts = plant(addPlatforms);
