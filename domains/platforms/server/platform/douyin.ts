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
  type LedgerAsk,
  type LedgerLine,
  listOf,
  NO_RIGHT,
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
  placeOf,
  type StoreThere,
  textOf,
  unknown,
  unnamed,
  type UsesAsk,
  type UseThere,
  type Verified,
  type VerifyAsk,
  type VoucherThere,
  type Worth,
} from "./answers.ts";
import { keyMark } from "../accounts/account-keys.ts";
import { type Ask, recorded, sendTo } from "./call-platform.ts";
import { type Minted, tokenOf } from "./tokens.ts";

// 抖音来客. Source: open.douyin.com, 生活服务 (docs/platforms.md); no call was ever made to the real service.
const CERTIFICATE = "/goodlife/v1/fulfilment/certificate";
const EXPIRED = "2190008";
const HELD = "1229";
/** What staff reads; each is a no that stands. */
const REFUSALS: Readonly<Record<string, string>> = {
  "3000002": "这张券不能在这家门店用",
  "1212": "抖音查不到这张券",
  "1241": "次数不够",
  "45005117": "动态码已过期，请顾客刷新",
  "2119006": "券正在转赠",
  "2119007": "订单还没有支付",
  [NO_RIGHT]: "抖音没有把这个商户授权给应用",
};
/** Its record of uses, and of bills, come by so many. */
const [USES, LINES, GOODS] = ["20", "50", "50"];
const MOST_GOODS = 10_000;

export class Douyin implements PlatformApi {
  readonly #services: Services;
  readonly #account: PlatformAccount;
  readonly #baseUrl: string;
  constructor(services: Services, account: PlatformAccount, baseUrl: string) {
    this.#services = services;
    this.#account = account;
    this.#baseUrl = baseUrl;
  }
  async #mint(): Promise<Answer<Minted>> {
    const body = { client_key: this.#account.appKey, client_secret: this.#account.secret, grant_type: "client_credential" };
    const ask: Ask = { operation: "token", method: "POST", path: "/oauth/client_token/", body };
    return recorded(this.#services, this.#account, ask, async () => {
      const data = objectOf((await sendTo(this.#baseUrl, ask))["data"]);
      const code = textOf(data["error_code"]);
      if (code !== "0") return refused(code, textOf(data["description"]) || "抖音不认这个应用");
      return ok({ token: textOf(data["access_token"]), lasts_s: centsOf(data["expires_in"]) });
    });
  }
  #call(ask: Ask): Promise<Answer<Json>> {
    return recorded(this.#services, this.#account, ask, async () => {
      let dead: string | undefined;
      for (;;) {
        // A token is of the application and of its secret: who knows the key alone has none.
        const holder = `app:${keyMark(this.#services, this.#account.appKey, this.#account.secret)}`;
        const token = await tokenOf(this.#services, this.#account, holder, () => this.#mint(), dead);
        if (token.kind === "refused") return refused(NO_TOKEN, token.message);
        if (token.kind !== "ok") return token;
        const answer = await sendTo(this.#baseUrl, {
          ...ask,
          headers: { "access-token": token.value, "rpc-transit-life-account": this.#account.accountNo },
        });
        const [data, extra] = [objectOf(answer["data"]), objectOf(answer["extra"])];
        const codes = [textOf(data["error_code"]), textOf(extra["error_code"])].filter((one) => one !== "");
        // An answer that says neither yes nor no is none.
        if (codes.length === 0) return unknown("抖音的应答看不懂");
        const code = codes.find((one) => one !== "0") ?? "0";
        if (code === EXPIRED && dead === undefined) {
          dead = token.value;
          continue;
        }
        if (code === "0") return ok(data);
        const said = textOf(data["description"]) || textOf(extra["description"]);
        if (code === HELD) return held(said || "抖音在核实这张券");
        if (code === "1208" || code === "2") return refused(ALREADY, "抖音说这张券核过了");
        return REFUSALS[code] === undefined ? unknown(said || "抖音没有说清", code) : refused(code, REFUSALS[code]);
      }
    });
  }
  async stores(cursor: string): Promise<Answer<Page<StoreThere>>> {
    const page = cursor === "" ? "1" : cursor;
    const answer = await this.#call({
      operation: "stores",
      method: "GET",
      path: "/goodlife/v1/shop/poi/query/",
      query: { account_id: this.#account.accountNo, page, size: GOODS },
    });
    if (answer.kind !== "ok") return answer;
    const items = listOf(answer.value["pois"]).map(({ poi }): StoreThere => {
      const one = objectOf(poi);
      return { poiId: textOf(one["poi_id"]), name: textOf(one["poi_name"]), address: textOf(one["address"]), ...placeOf(one) };
    });
    const more = Number(page) * Number(GOODS) < centsOf(answer.value["total"]);
    return ok({ items: items.filter(({ poiId }) => poiId !== ""), next: more ? String(Number(page) + 1) : null });
  }
  async products(cursor: string): Promise<Answer<Page<GoodThere>>> {
    const query = { account_id: this.#account.accountNo, cursor, count: GOODS };
    const answer = await this.#call({ operation: "products", method: "GET", path: "/goodlife/v1/goods/product/online/query/", query });
    if (answer.kind !== "ok") return answer;
    const items = listOf(answer.value["products"]).map((one) => goodOf(one, this.#account));
    const more = answer.value["has_more"] === true;
    const said = textOf(answer.value["next_cursor"]);
    const next = more && said !== "" && Number(cursor || 0) < MOST_GOODS ? said : null;
    return ok({ items, next, cut: (more && next === null) || !Array.isArray(answer.value["products"]) });
  }
  async prepare({ poiId, code, encryptedData }: PrepareAsk): Promise<Answer<Prepared>> {
    const query = {
      poi_id: poiId,
      ...(code !== undefined && { code }),
      ...(encryptedData !== undefined && { encrypted_data: encryptedData }),
    };
    const answer = await this.#call({ operation: "prepare", method: "GET", path: `${CERTIFICATE}/prepare/`, query });
    if (answer.kind !== "ok") return answer;
    const vouchers = listOf(answer.value["certificates"]).map((one) => {
      const sku = objectOf(one["sku"]);
      const card = objectOf(one["time_card"]);
      const times = Math.max(1, centsOf(card["times_count"]));
      const used = Math.min(Math.max(0, centsOf(card["times_used"])), times);
      const whole = worthOf(objectOf(one["amount"]));
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
        use: useOf(card, whole, used + 1, times),
      };
    });
    return ok({ verifyToken: textOf(answer.value["verify_token"]), orderNo: textOf(answer.value["order_id"]), vouchers });
  }
  async verify({ verifyToken, poiId, orderNo, encryptedCodes }: VerifyAsk, about: string): Promise<Answer<readonly Answer<Verified>[]>> {
    const body = { verify_token: verifyToken, poi_id: poiId, encrypted_codes: encryptedCodes, order_id: orderNo };
    const answer = await this.#call({ operation: "verify", about, method: "POST", path: `${CERTIFICATE}/verify/`, body });
    if (answer.kind !== "ok") return answer;
    const results = listOf(answer.value["verify_results"]);
    return ok(
      encryptedCodes.map((code, place) => {
        const one = results.find((result) => textOf(result["code"]) === code) ?? unnamed(results[place]);
        if (one === undefined) return unknown("抖音没有说到这张券");
        const result = textOf(one["result"]);
        if (result === "") return unknown("抖音没有说核了没有");
        if (result === HELD) return held(textOf(one["msg"]) || "抖音在核实这张券");
        if (result === "2" || result === "1208") return refused(ALREADY, "抖音说这张券核过了");
        if (result !== "0") return refused(result, REFUSALS[result] ?? (textOf(one["msg"]).slice(0, 60) || "抖音没有核销"));
        const [verifyId, certificateId] = [textOf(one["verify_id"]), textOf(one["certificate_id"])];
        return verifyId === "" || certificateId === "" ? unknown("抖音没有给核销号") : ok({ verifyId, certificateId });
      }),
    );
  }
  async query(encryptedCode: string, about: string): Promise<Answer<VoucherThere>> {
    const answer = await this.#call({
      operation: "query",
      about,
      method: "GET",
      path: `${CERTIFICATE}/get/`,
      query: { encrypted_code: encryptedCode },
    });
    if (answer.kind !== "ok") return answer;
    const one = objectOf(answer.value["certificate"]);
    const use = objectOf(one["verify"]);
    const status = STATUS[textOf(one["status"])];
    if (status === undefined) return unknown(`券状态 ${textOf(one["status"])}`);
    return ok({
      status,
      certificateId: textOf(one["certificate_id"]),
      verifyId: textOf(use["verify_id"]),
      canCancel: use["can_cancel"] !== false,
      usedAt: instantOf(use["verify_time"]),
    });
  }
  async cancel({ verifyId, certificateId }: Verified, about: string): Promise<Answer<true>> {
    const body = { verify_id: verifyId, certificate_id: certificateId };
    const answer = await this.#call({ operation: "cancel", about, method: "POST", path: `${CERTIFICATE}/cancel/`, body });
    if (answer.kind === "ok") return ok(true as const);
    if (answer.kind === "refused" && answer.code === NO_TOKEN) return unknown(answer.message);
    // An answered no stands, whatever its number: the platform has the last word.
    return answer.kind === "unknown" && answer.code !== undefined ? refused(answer.code, answer.reason) : answer;
  }
  async verifications({ from_s, to_s, poiId, cursor }: UsesAsk): Promise<Answer<Page<UseThere>>> {
    const query = {
      account_id: this.#account.accountNo,
      cursor: cursor || "0",
      size: USES,
      start_time: String(from_s),
      end_time: String(to_s),
      ...(poiId && { poi_ids: poiId }),
    };
    const answer = await this.#call({ operation: "verifications", method: "GET", path: `${CERTIFICATE}/verify_record/query/`, query });
    if (answer.kind !== "ok") return answer;
    const found = listOf(answer.value["records_v2"] ?? answer.value["records"]);
    const items = found.map((one) => {
      const sku = objectOf(one["sku"]);
      // Of a 次卡 what this use is worth stands by itself.
      const serial = objectOf(objectOf(one["verify_amount_info"])["times_card_serial_amount"]);
      return {
        verifyId: textOf(one["verify_id"]),
        certificateId: textOf(one["certificate_id"]),
        poiId: textOf(one["poi_id"] ?? objectOf(one["poi_info"])["poi_id"]),
        at: instantOf(one["verify_time"]) ?? new Date(0).toISOString(),
        reversed: textOf(one["status"]) === "2",
        reversedAt: instantOf(one["cancel_time"]),
        goodsId: textOf(sku["sku_id"]),
        title: textOf(sku["title"]).slice(0, 100),
        goods_kind: kindOf(sku["groupon_type"]),
        orderNo: textOf(one["order_id"]),
        ...worthOf(objectOf(serial["amount"] ?? one["amount"])),
      };
    });
    const last = found.at(-1);
    return ok({ items, next: found.length < Number(USES) || !last ? null : textOf(last["cursor"]) || null });
  }
  async ledger({ day, cursor }: LedgerAsk): Promise<Answer<Page<LedgerLine>>> {
    const query = { account_id: this.#account.accountNo, bill_date: day, cursor: cursor || "0", size: LINES };
    const answer = await this.#call({ operation: "ledger", about: day, method: "GET", path: "/goodlife/v1/settle/ledger/query/", query });
    if (answer.kind !== "ok") return answer;
    const items = listOf(answer.value["ledger_records"]).map((one) => {
      const amount = objectOf(one["amount"]);
      return {
        lineNo: textOf(one["ledger_id"]),
        certificateId: textOf(one["certificate_id"]),
        verifyId: textOf(one["verify_id"]),
        poiId: textOf(one["poi_id"]),
        orderNo: textOf(one["order_id"]),
        at: instantOf(one["verify_time"]) ?? new Date(0).toISOString(),
        goods_cents: centsOf(amount["goods"]),
        fee_cents: centsOf(amount["pay_handling"]),
        talent_cents: centsOf(amount["talent_commission"]),
        agency_cents: centsOf(amount["total_agent_merchant"]),
        provider_cents: centsOf(amount["total_service_provider"]),
        platform_fee_cents: centsOf(amount["total_merchant_platform_service"]),
        operator_cents: centsOf(amount["total_operation_agent"]),
        total_cents: centsOf(amount["ledger_total"]),
      };
    });
    const next = textOf(answer.value["cursor"]);
    return ok({ items, next: answer.value["has_more"] === true && next !== "" ? next : null });
  }
}
/** Status numbers of 券: 1 and 2 were seen, the rest are not verified. */
const STATUS: Readonly<Record<string, "free" | "used" | "refunded" | "over">> = { "1": "free", "2": "used", "3": "refunded", "4": "over" };

/** 券实付 (`coupon_pay_amount`) is 用户实付 and 支付优惠 together; the latter is the platform's money. */
function worthOf(amount: Json): Worth {
  const discount = centsOf(amount["payment_discount_amount"]);
  const paid = amount["pay_amount"];
  return {
    face_cents: centsOf(amount["list_market_amount"]) || centsOf(amount["original_amount"]),
    pay_cents: typeof paid === "number" ? centsOf(paid) : Math.max(0, centsOf(amount["coupon_pay_amount"]) - discount),
    merchant_ticket_cents: centsOf(amount["merchant_ticket_amount"]),
    platform_ticket_cents: centsOf(amount["platform_discount_amount"]) + discount,
  };
}
/** What the n-th use of a 次卡 is worth: its own line, which differs from the others' in a 阶梯次卡, else an even part. */
function useOf(card: Json, whole: Worth, nth: number, times: number): Worth {
  if (times === 1) return whole;
  const own = listOf(card["serial_amount_list"]).find((one) => textOf(one["serial_numb"]) === String(nth));
  return own ? worthOf(objectOf(own["amount"])) : shareOf(whole, nth, times);
}
/** A provider's application is told no POI and no stock. */
function goodOf(one: Json, { appOf }: PlatformAccount) {
  const [product, sku] = [objectOf(one["product"]), objectOf(one["sku"])];
  const stock = objectOf(sku["stock"]);
  const told = appOf === "merchant";
  return {
    goodsId: textOf(sku["sku_id"]) || textOf(product["product_id"]),
    title: textOf(product["product_name"]).slice(0, 100),
    goods_kind: product["product_type"] === 11 ? (2 as const) : kindOf(product["groupon_type"]),
    onSale: textOf(one["online_status"]) === "1",
    price_cents: centsOf(sku["actual_amount"]),
    market_cents: centsOf(sku["origin_amount"]),
    stock: told && typeof stock["stock_qty"] === "number" ? stock["stock_qty"] : null,
    sold: told && typeof sku["sold_count"] === "number" ? sku["sold_count"] : null,
    poiIds: told ? listOf(product["pois"]).map(({ poi_id }) => textOf(poi_id)) : [],
  };
}

/** X-Douyin-Signature is sha1 of the secret and the body. @returns nothing where it is not signed with this account's secret */
export function readDouyinNotice(
  account: PlatformAccount,
  raw: Buffer,
  headers: Readonly<Record<string, string | undefined>>,
): Notice | undefined {
  const signed = createHash("sha1").update(account.signSecret).update(raw).digest("hex");
  if (!sameText(signed, headers["x-douyin-signature"] ?? "")) return undefined;
  const body = readJson(raw.toString("utf8"));
  const content = contentOf(body);
  const certificate = objectOf(content["certificate"]);
  const [event, id] = [textOf(content["action"] ?? body["event"]).slice(0, 40), textOf(certificate["certificate_id"])];
  const sent = textOf(content["msg_time"]);
  return {
    // Msg-Id is not signed, and the same for each time that a voucher is used, or taken back.
    messageId: sent === "" ? createHash("sha256").update(raw).digest("hex") : `${event}:${id}:${sent}`.slice(0, 120),
    event,
    certificateIds: id === "" ? [] : [id.slice(0, 64)],
    accountNo: textOf(certificate["account_id"]),
  };
}
const contentOf = (body: Json): Json => (typeof body["content"] === "string" ? readJson(body["content"]) : objectOf(body["content"]));
/** When an address is set up at 抖音, it sends a number that is to come back; it is not said to be signed. @returns nothing of other calls */
export function douyinChallenge(raw: Buffer): number | string | undefined {
  try {
    const body = readJson(raw.toString("utf8"));
    const challenge = body["event"] === "verify_webhook" ? contentOf(body)["challenge"] : undefined;
    return typeof challenge === "number" || (typeof challenge === "string" && /^\w{1,64}$/.test(challenge)) ? challenge : undefined;
  } catch {
    return undefined;
  }
}
