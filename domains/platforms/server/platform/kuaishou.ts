import { createHash } from "node:crypto";
import { sameText } from "@zhangfang/server/crypto.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { PlatformAccount } from "../accounts/account-of.ts";
import {
  ALREADY,
  type Answer,
  centsOf,
  type GoodThere,
  held,
  instantOf,
  type Json,
  kindOf,
  listOf,
  NO_CALL,
  NO_TOKEN,
  type Notice,
  objectOf,
  ok,
  type Page,
  type PlatformApi,
  type PrepareAsk,
  type Prepared,
  readJson,
  refused,
  shareOf,
  type StoreThere,
  textOf,
  unknown,
  unnamed,
  type Verified,
  type VerifyAsk,
} from "./answers.ts";
import { type Ask, recorded, sendTo } from "./call-platform.ts";
import { type Minted, tokenOf } from "./tokens.ts";

// 快手本地生活. Source: third parties (docs/platforms.md); no call was ever made to the real service.
const CERTIFICATE = "/goodlife/v1/fulfilment/certificate";
const HELD = "1229";
const REFUSALS: Readonly<Record<string, string>> = {
  "3000002": "这张券不能在这家门店用",
  "1212": "快手查不到这张券",
  "1241": "次数不够",
  "45005117": "动态码已过期，请顾客刷新",
};
const noCall = refused(NO_CALL, "快手没有这个接口");
/** Why nothing is taken back here where calls that no document describes are not made (docs/platforms.md, K3). */
export const KS_NO_CANCEL = "快手的撤销接口还没有核实，请在快手商家端撤销";

export class Kuaishou implements PlatformApi {
  readonly #services: Services;
  readonly #account: PlatformAccount;
  readonly #baseUrl: string;
  readonly #unverified: boolean;
  /** @param unverified whether what no document says is tried as well: to take a use back */
  constructor(services: Services, account: PlatformAccount, baseUrl: string, unverified: boolean) {
    this.#services = services;
    this.#account = account;
    this.#baseUrl = baseUrl;
    this.#unverified = unverified;
  }
  async #mint(refresh: string | undefined): Promise<Answer<Minted>> {
    const from = refresh ?? this.#account.refreshToken;
    if (from === undefined) return refused("no-grant", "快手还没有授权，请先填授权后的 refresh_token");
    const query = { grant_type: "refresh_token", refresh_token: from, app_id: this.#account.appKey, app_secret: this.#account.secret };
    const ask: Ask = { operation: "token", method: "GET", path: "/oauth2/refresh_token", query };
    return recorded(this.#services, this.#account, ask, async () => {
      const answer = await sendTo(this.#baseUrl, ask);
      if (textOf(answer["result"]) !== "1") return refused(textOf(answer["result"]), textOf(answer["error_msg"]) || "快手不认这个授权");
      const next = textOf(answer["refresh_token"]);
      return ok({ token: textOf(answer["access_token"]), lasts_s: centsOf(answer["expires_in"]), ...(next !== "" && { refresh: next }) });
    });
  }
  #call(ask: Ask): Promise<Answer<Json>> {
    return recorded(this.#services, this.#account, ask, async () => {
      let dead: string | undefined;
      for (;;) {
        const token = await tokenOf(this.#services, this.#account, `account:${this.#account.id}`, (from) => this.#mint(from), dead);
        if (token.kind === "refused") return refused(NO_TOKEN, token.message);
        if (token.kind !== "ok") return token;
        const answer = await sendTo(this.#baseUrl, { ...ask, headers: { "access-token": token.value } });
        const data = objectOf(answer["data"]);
        const code = textOf(data["error_code"]) || textOf(answer["error_code"]);
        if (code === "2190008" && dead === undefined) {
          dead = token.value;
          continue;
        }
        if (code === "0") return ok(data);
        const said = textOf(data["description"]) || textOf(answer["error_msg"]);
        if (code === HELD) return held(said || "快手在核实这张券");
        if (code === "1208" || code === "2") return refused(ALREADY, "快手说这张券核过了");
        // Busy, too often, a token that is over: what is on no list is no definite no.
        if (REFUSALS[code] === undefined) return unknown(said.slice(0, 60) || "快手没有说清", code === "" ? undefined : code);
        return refused(code, REFUSALS[code]);
      }
    });
  }
  async stores(cursor: string): Promise<Answer<Page<StoreThere>>> {
    const page = cursor === "" ? "1" : cursor;
    const answer = await this.#call({
      operation: "stores",
      method: "GET",
      path: "/goodlife/v1/shop/poi/query",
      query: { page, size: "50" },
    });
    if (answer.kind !== "ok") return answer;
    const items = listOf(answer.value["pois"]).map((one) => ({ poiId: textOf(one["poi_id"]), name: textOf(one["poi_name"]) }));
    const more = Number(page) * 50 < centsOf(answer.value["total"]);
    return ok({ items: items.filter(({ poiId }) => poiId !== ""), next: more ? String(Number(page) + 1) : null });
  }
  async products(cursor: string): Promise<Answer<Page<GoodThere>>> {
    const page = cursor === "" ? "1" : cursor;
    const answer = await this.#call({
      operation: "products",
      method: "GET",
      path: "/goodlife/v1/item/itemlist/batch/query",
      query: { page, size: "50" },
    });
    if (answer.kind !== "ok") return answer;
    const items = listOf(answer.value["items"]).map((one) => ({
      goodsId: textOf(one["item_id"]),
      title: textOf(one["title"]).slice(0, 100),
      goods_kind: kindOf(one["groupon_type"]),
      onSale: textOf(one["status"]) === "1",
      price_cents: centsOf(one["price"]),
      market_cents: centsOf(one["market_price"]),
      stock: typeof one["stock"] === "number" ? one["stock"] : null,
      sold: typeof one["sold_count"] === "number" ? one["sold_count"] : null,
      poiIds: Array.isArray(one["poi_ids"]) ? one["poi_ids"].map(textOf) : [],
    }));
    const more = Number(page) * 50 < centsOf(answer.value["total"]);
    const cut = !Array.isArray(answer.value["items"]) || typeof answer.value["total"] !== "number";
    return ok({ items, next: more ? String(Number(page) + 1) : null, cut });
  }
  async prepare({ poiId, code, encryptedData }: PrepareAsk): Promise<Answer<Prepared>> {
    const query = {
      poi_id: poiId,
      ...(code !== undefined && { code }),
      ...(encryptedData !== undefined && { encrypted_data: encryptedData }),
    };
    const answer = await this.#call({ operation: "prepare", method: "GET", path: `${CERTIFICATE}/prepare`, query });
    if (answer.kind !== "ok") return answer;
    const vouchers = listOf(answer.value["certificates"]).map((one) => {
      const [sku, amount, card] = [objectOf(one["sku"]), objectOf(one["amount"]), objectOf(one["time_card"])];
      const times = Math.max(1, centsOf(card["times_count"]));
      const used = Math.min(Math.max(0, centsOf(card["times_used"])), times);
      const whole = {
        face_cents: centsOf(amount["original_amount"]),
        pay_cents: centsOf(amount["pay_amount"]),
        merchant_ticket_cents: centsOf(amount["merchant_ticket_amount"]),
        platform_ticket_cents: centsOf(amount["platform_discount_amount"]) + centsOf(amount["payment_discount_amount"]),
      };
      return {
        certificateId: textOf(one["certificate_id"]),
        encryptedCode: textOf(one["encrypted_code"]),
        goodsId: textOf(sku["sku_id"]),
        title: textOf(sku["title"]).slice(0, 100),
        goods_kind: kindOf(sku["groupon_type"]),
        ends_at: instantOf(one["expire_time"]),
        times,
        used,
        ...whole,
        use: shareOf(whole, Math.min(used + 1, times), times),
      };
    });
    return ok({ verifyToken: textOf(answer.value["verify_token"]), orderNo: textOf(answer.value["order_id"]), vouchers });
  }
  async verify({ verifyToken, poiId, orderNo, encryptedCodes }: VerifyAsk, about: string): Promise<Answer<readonly Answer<Verified>[]>> {
    const body = { verify_token: verifyToken, poi_id: poiId, order_id: orderNo, encrypted_codes: encryptedCodes };
    const answer = await this.#call({ operation: "verify", about, method: "POST", path: `${CERTIFICATE}/verify`, body });
    if (answer.kind !== "ok") return answer;
    const results = listOf(answer.value["verify_results"]);
    return ok(
      encryptedCodes.map((code, place) => {
        const one = results.find((result) => textOf(result["code"]) === code) ?? unnamed(results[place]);
        if (one === undefined) return unknown("快手没有说到这张券");
        const result = textOf(one["result"]);
        if (result === "") return unknown("快手没有说核了没有");
        if (result === HELD) return held(textOf(one["msg"]) || "快手在核实这张券");
        if (result === "2" || result === "1208") return refused(ALREADY, "快手说这张券核过了");
        if (result !== "0" && REFUSALS[result] === undefined) return unknown(textOf(one["msg"]).slice(0, 60) || "快手没有说清", result);
        if (result !== "0") return refused(result, REFUSALS[result]!);
        const [verifyId, certificateId] = [textOf(one["verify_id"]), textOf(one["certificate_id"])];
        return verifyId === "" || certificateId === "" ? unknown("快手没有给核销号") : ok({ verifyId, certificateId });
      }),
    );
  }
  // No document says how it is asked: what is unknown is sent again, then looked at by people.
  query(): Promise<Answer<never>> {
    return Promise.resolve(noCall);
  }
  async cancel({ verifyId, certificateId }: Verified, about: string): Promise<Answer<true>> {
    if (!this.#unverified) return refused(NO_CALL, KS_NO_CANCEL);
    const body = { verify_id: verifyId, certificate_id: certificateId };
    const answer = await this.#call({ operation: "cancel", about, method: "POST", path: `${CERTIFICATE}/cancel`, body });
    if (answer.kind === "ok") return ok(true as const);
    if (answer.kind === "refused" && answer.code === NO_TOKEN) return unknown(answer.message);
    return answer.kind === "unknown" && answer.code !== undefined ? refused(answer.code, answer.reason) : answer;
  }
  verifications(): Promise<Answer<never>> {
    return Promise.resolve(noCall);
  }
  ledger(): Promise<Answer<never>> {
    return Promise.resolve(noCall);
  }
}

/** sign is sha256 of `signSecret&sorted params&http_body`. @returns nothing where it is not signed with this account's secret */
export function readKuaishouNotice(account: PlatformAccount, raw: Buffer, query: Readonly<Record<string, unknown>>): Notice | undefined {
  const params = Object.entries(query)
    .filter((pair): pair is [string, string] => typeof pair[1] === "string" && pair[0] !== "sign")
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`);
  const text = [account.signSecret, ...params, `http_body=${raw.toString("utf8")}`].join("&");
  const sign = query["sign"];
  if (!sameText(createHash("sha256").update(text).digest("hex"), typeof sign === "string" ? sign : "")) return undefined;
  const body = readJson(raw.toString("utf8"));
  const ids = [textOf(body["certificate_id"]), ...listOf(body["certificates"]).map(({ certificate_id }) => textOf(certificate_id))];
  return {
    messageId: textOf(body["message_id"] ?? body["msg_id"]).slice(0, 64),
    event: textOf(body["event"]).slice(0, 40),
    certificateIds: ids.filter((one) => one !== "").slice(0, 50),
    accountNo: "",
  };
}
