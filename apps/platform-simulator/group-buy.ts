import { createHash, randomBytes } from "node:crypto";

// 抖音来客 and 快手本地生活 as they are described: vouchers of any number, used at any of three stores. What a code ends in says what goes wrong.
type Json = Readonly<Record<string, unknown>>;
type Answer = { readonly status: number; readonly type: string; readonly text: string; readonly location?: string } | "silence";
type Name = "douyin" | "kuaishou";
interface Use {
  readonly verifyId: string;
  readonly poi: string;
  readonly at_ms: number;
  reversed: boolean;
  reversed_ms?: number;
}
interface Voucher {
  readonly code: string;
  readonly certificate: string;
  readonly times: number;
  readonly uses: Use[];
  refunded: boolean;
  /** 核实 began; clean after half a minute, or by a button. */
  held?: { readonly poi: string; readonly at_ms: number };
  lost: boolean;
}
const HELD_MS = 30_000;
const HOUR_MS = 3_600_000;
const SECRET_BAD = "bad";
/** An application that the merchant has not let in. */
const SECRET_OUTSIDE = "outside";
const STORES = [
  { poi: "7200000000000000001", name: "春熙路店", address: "锦江区春熙路南段 8 号", latitude: 30.6571, longitude: 104.0797 },
  { poi: "7200000000000000002", name: "建设路店", address: "成华区建设路 26 号", latitude: 30.6746, longitude: 104.1083 },
  { poi: "7200000000000000003", name: "天府店", address: "武侯区天府三街 69 号", latitude: 30.5438, longitude: 104.0617 },
];
const GOODS = [
  { id: "1801000000000000001", title: "双人冷锅串串套餐", type: 1, pay: 9_800, market: 16_800 },
  { id: "1801000000000000002", title: "100 元代金券", type: 2, pay: 8_500, market: 10_000 },
  { id: "1801000000000000003", title: "单人小面三次卡", type: 3, pay: 3_000, market: 4_500 },
  { id: "1801000000000000004", title: "四人火锅套餐", type: 1, pay: 26_800, market: 39_800 },
];
/** Ids are numbers beyond 2^53 on the wire: `@` takes the quotes off. */
const num = (id: string): string => `@${id}`;
const json = (body: object, status = 200): Answer => ({
  status,
  type: "application/json; charset=utf-8",
  text: JSON.stringify(body).replaceAll(/"@(\d+)"/g, "$1"),
});
const textOf = (given: unknown): string => (typeof given === "string" ? given : typeof given === "number" ? String(given) : "");
const digitsOf = (text: string, length: number): string =>
  BigInt(`0x${createHash("sha256").update(text).digest("hex").slice(0, 24)}`)
    .toString()
    .padStart(length, "7")
    .slice(0, length);

class Shelf {
  readonly name: Name;
  readonly now_ms: () => number;
  readonly vouchers = new Map<string, Voucher>();
  readonly prepared = new Map<string, { readonly codes: readonly string[]; answer?: object }>();
  readonly tokens = new Set<string>();
  /** Goods that are not sold any more; and whether the list is told to its end. */
  gone: readonly string[] = [];
  /** 抖音's goods have no end, 快手's a first page without goods. */
  cut = false;
  constructor(name: Name, now_ms: () => number) {
    this.name = name;
    this.now_ms = now_ms;
  }
  voucher(code: string): Voucher {
    const known = this.vouchers.get(code);
    if (known) return known;
    const made: Voucher = {
      code,
      certificate: `7${digitsOf(`${this.name}:${code}`, 18)}`,
      times: code.endsWith("03") ? 3 : 1,
      uses: [],
      refunded: false,
      lost: false,
    };
    this.vouchers.set(code, made);
    return made;
  }
  by(mark: string): Voucher | undefined {
    return [...this.vouchers.values()].find((one) => one.certificate === mark || sealOf(one) === mark);
  }
  living(voucher: Voucher): Use[] {
    this.clear(voucher);
    return voucher.uses.filter(({ reversed }) => !reversed);
  }
  free(voucher: Voucher): boolean {
    return !voucher.refunded && this.living(voucher).length < voucher.times;
  }
  use(voucher: Voucher, poi: string, at_ms = this.now_ms()): Use {
    const use = { verifyId: `5${digitsOf(`${voucher.code}:${voucher.uses.length}`, 18)}`, poi, at_ms, reversed: false };
    voucher.uses.push(use);
    return use;
  }
  /** What is clean after its check is used by the platform itself. */
  clear(voucher: Voucher, now = false): void {
    const { held } = voucher;
    if (!held || (!now && this.now_ms() - held.at_ms < HELD_MS)) return;
    delete voucher.held;
    this.use(voucher, held.poi);
  }
}
const sealOf = ({ code }: Voucher): string => `enc_${createHash("sha256").update(code).digest("base64url").slice(0, 30)}`;
const goodsOf = (code: string) => (code.endsWith("03") ? GOODS[2]! : GOODS[Number(code.at(-3) ?? 0) % 2 === 0 ? 0 : 1]!);

const no = (code: number, description: string) =>
  json({ data: { error_code: code, description }, extra: { error_code: code, description } });
const yes = (data: object) => json({ data: { error_code: 0, description: "success", ...data }, extra: { error_code: 0, description: "" } });
/** 券实付 is 用户实付 and 支付优惠 together. */
interface Price {
  readonly market: number;
  readonly pay: number;
  /** What the platform gives to it: a third as 支付优惠. */
  readonly off: number;
}
const amounts = ({ market, pay, off }: Price): Json => ({
  original_amount: market,
  list_market_amount: market,
  pay_amount: pay - off,
  coupon_pay_amount: pay - (off / 3) * 2,
  merchant_ticket_amount: 0,
  payment_discount_amount: off / 3,
  platform_discount_amount: (off / 3) * 2,
});
const priceOf = (code: string): Price => ({ ...goodsOf(code), off: 300 });
const amountOf = (code: string): Json => amounts(priceOf(code));
/** Of a card of three the first use is dearer than the others. */
const STEPS: readonly Price[] = [
  { market: 1_700, pay: 1_200, off: 120 },
  { market: 1_400, pay: 900, off: 90 },
  { market: 1_400, pay: 900, off: 90 },
];
const stepOf = (nth: number): Json => ({ serial_numb: nth, amount: amounts(STEPS[Math.min(nth, STEPS.length) - 1]!) });
/** What one use of it is worth. */
const worthOf = ({ code, times, uses }: Voucher, use: Use): Price =>
  times > 1 ? STEPS[Math.min(uses.indexOf(use), STEPS.length - 1)]! : priceOf(code);
const skuOf = (code: string): Json => {
  const goods = goodsOf(code);
  return { sku_id: goods.id, title: goods.title, groupon_type: goods.type, market_price: goods.market, account_id: "1" };
};

function prepare(shelf: Shelf, query: URLSearchParams): Answer {
  const code = query.get("code") ?? /^object_(\d+)$/.exec(query.get("encrypted_data") ?? "")?.[1] ?? "";
  if (!/^\d{8,20}$/.test(code) || code.startsWith("0")) return no(1212, "查不到券");
  if ((shelf.name === "kuaishou") !== code.startsWith("8")) return no(1212, "查不到券");
  if (code.endsWith("02")) return no(3_000_002, "门店不适用");
  const voucher = shelf.voucher(code);
  if (voucher.refunded) return no(1212, "券已退款");
  const token = randomBytes(12).toString("hex");
  // An order of two.
  const order = code.endsWith("09") ? [voucher, shelf.voucher(`${code.slice(0, -2)}19`)] : [voucher];
  shelf.prepared.set(token, { codes: order.map(sealOf) });
  const certificates = order
    .filter((one) => shelf.free(one))
    .map((one) => ({
      certificate_id: num(one.certificate),
      encrypted_code: sealOf(one),
      start_time: Math.floor(shelf.now_ms() / 1_000) - 86_400,
      expire_time: Math.floor(shelf.now_ms() / 1_000) + 30 * 86_400,
      amount: amountOf(code),
      sku: skuOf(code),
      ...(one.times > 1 && {
        time_card: {
          times_count: one.times,
          times_used: shelf.living(one).length,
          ...(shelf.name === "douyin" && { serial_amount_list: STEPS.map((_step, at) => stepOf(at + 1)) }),
        },
      }),
    }));
  return yes({ verify_token: token, order_id: `10${digitsOf(code, 16)}`, certificates });
}
/** The same call again has the same answer. */
function verify(shelf: Shelf, body: Json): Answer {
  const given = shelf.prepared.get(textOf(body["verify_token"]));
  if (!given) return no(1_204, "verify_token 无效");
  if (given.answer) return json(given.answer);
  const poi = textOf(body["poi_id"]);
  const codes = Array.isArray(body["encrypted_codes"]) ? body["encrypted_codes"].map(textOf) : [];
  let silent = false;
  const results = codes.map((code) => {
    const voucher = shelf.by(code);
    if (!voucher || !given.codes.includes(code)) return { result: 1_212, msg: "查不到券", code };
    // Somebody used it in 来客 a moment before.
    if (voucher.code.endsWith("05") && shelf.living(voucher).length === 0)
      shelf.use(voucher, "7200000000000000009", shelf.now_ms() - 120_000);
    if (!shelf.free(voucher)) return { result: 2, msg: "券已核销", code };
    if (voucher.code.endsWith("01")) {
      voucher.held ??= { poi, at_ms: shelf.now_ms() };
      return { result: 1_229, msg: "交易存在风险，平台核实中", code };
    }
    if (voucher.code.endsWith("07") && !voucher.lost) {
      voucher.lost = silent = true;
      return { result: 1, msg: "", code };
    }
    const use = shelf.use(voucher, poi);
    if (voucher.code.endsWith("04") && !voucher.lost) voucher.lost = silent = true;
    return {
      result: 0,
      msg: "success",
      code,
      verify_id: use.verifyId,
      certificate_id: num(voucher.certificate),
      origin_code: voucher.code,
    };
  });
  if (silent) return "silence";
  const answer = { data: { error_code: 0, description: "", verify_results: results }, extra: { error_code: 0 } };
  if (results.every(({ result }) => result === 0)) given.answer = answer;
  return json(answer);
}
function cancel(shelf: Shelf, body: Json): Answer {
  const voucher = shelf.by(textOf(body["certificate_id"]));
  const use = voucher?.uses.find(({ verifyId }) => verifyId === textOf(body["verify_id"]));
  if (!voucher || !use) return no(1_212, "没有这次核销");
  if (voucher.code.endsWith("06")) return no(1_230, "该券不支持撤销");
  if (use.reversed) return no(1_231, "已撤销");
  if (shelf.now_ms() - use.at_ms > HOUR_MS) return no(1_232, "超过撤销时限");
  use.reversed = true;
  use.reversed_ms = shelf.now_ms();
  if (voucher.code.endsWith("08") && !voucher.lost) {
    voucher.lost = true;
    return "silence";
  }
  return yes({});
}
function look(shelf: Shelf, query: URLSearchParams): Answer {
  const voucher = shelf.by(query.get("encrypted_code") ?? "");
  if (!voucher) return no(1_212, "查不到券");
  const last = shelf.living(voucher).at(-1);
  const status = voucher.refunded ? 3 : shelf.free(voucher) ? 1 : 2;
  const use = last && { verify_id: last.verifyId, verify_time: Math.floor(last.at_ms / 1_000), can_cancel: !voucher.code.endsWith("06") };
  return yes({ certificate: { certificate_id: num(voucher.certificate), encrypted_code: sealOf(voucher), status, verify: use ?? {} } });
}
interface Kept {
  readonly voucher: Voucher;
  readonly use: Use;
}
function usesBetween(shelf: Shelf, from_s: number, to_s: number, poi: string | null): Kept[] {
  return [...shelf.vouchers.values()]
    .flatMap((voucher) => {
      shelf.clear(voucher);
      return voucher.uses.map((use) => ({ voucher, use }));
    })
    .filter(({ use }) => use.at_ms >= from_s * 1_000 && use.at_ms <= to_s * 1_000 + 999 && (poi === null || use.poi === poi))
    .toSorted((a, b) => a.use.at_ms - b.use.at_ms || (a.use.verifyId < b.use.verifyId ? -1 : 1));
}
const secondsOf = ({ at_ms }: Use): number => Math.floor(at_ms / 1_000);
function records(shelf: Shelf, query: URLSearchParams): Answer {
  const all = usesBetween(shelf, Number(query.get("start_time")), Number(query.get("end_time")), query.get("poi_ids"));
  const size = Math.min(20, Number(query.get("size") ?? 20));
  const from = Number(query.get("cursor") ?? 0);
  const found = all.slice(from, from + size).map(({ voucher, use }, at) => ({
    verify_id: use.verifyId,
    certificate_id: num(voucher.certificate),
    poi_id: use.poi,
    verify_time: secondsOf(use),
    status: use.reversed ? 2 : 1,
    ...(use.reversed_ms !== undefined && { cancel_time: Math.floor(use.reversed_ms / 1_000) }),
    ...(voucher.times > 1 && {
      verify_amount_info: { times_card_serial_amount: stepOf(voucher.uses.indexOf(use) + 1) },
    }),
    cursor: String(from + at + 1),
    sku: skuOf(voucher.code),
    amount: amountOf(voucher.code),
  }));
  return yes({ records: found, total: all.length });
}
function ledger(shelf: Shelf, query: URLSearchParams): Answer {
  const from_s = Date.parse(`${query.get("bill_date")}T00:00:00+08:00`) / 1_000;
  const all = usesBetween(shelf, from_s, from_s + 86_399, null).filter(({ use }) => !use.reversed && shelf.now_ms() - use.at_ms > HOUR_MS);
  const size = Math.min(50, Number(query.get("size") ?? 50));
  const from = Number(query.get("cursor") ?? 0);
  const lines = all.slice(from, from + size).map(({ voucher, use }) => {
    const price = worthOf(voucher, use);
    const pay = price.pay - price.off;
    const fee = Math.round(pay * 0.006);
    const service = Math.round(pay * 0.025);
    const amount = {
      goods: price.pay - fee - service,
      pay_handling: fee,
      talent_commission: 0,
      total_agent_merchant: 0,
      total_merchant_platform_service: service,
      total_operation_agent: 0,
      ledger_total: price.pay,
      coupon_pay: pay + price.off / 3,
    };
    return {
      ledger_id: use.verifyId,
      certificate_id: num(voucher.certificate),
      verify_id: use.verifyId,
      poi_id: use.poi,
      verify_time: secondsOf(use),
      amount,
    };
  });
  return yes({ ledger_records: lines, cursor: String(from + lines.length), has_more: from + lines.length < all.length });
}
const pageOf = <T>(all: readonly T[], page: number, size: number): readonly T[] => all.slice((page - 1) * size, page * size);

function ask(shelf: Shelf, path: string, query: URLSearchParams, headers: Json, body: Json): Answer {
  if (shelf.name === "douyin" && path === "/oauth/client_token/") {
    if (textOf(body["client_secret"]) === SECRET_BAD) return json({ data: { error_code: 2_190_003, description: "client_secret 错误" } });
    const token = `clt.${textOf(body["client_secret"]) === SECRET_OUTSIDE ? SECRET_OUTSIDE : ""}${randomBytes(16).toString("hex")}`;
    shelf.tokens.add(token);
    return json({ data: { error_code: 0, access_token: token, expires_in: 7_200 }, message: "success" });
  }
  if (shelf.name === "kuaishou" && path === "/oauth2/refresh_token") {
    if (query.get("app_secret") === SECRET_BAD) return json({ result: 100_200_100, error_msg: "app_secret 错误" });
    const token = randomBytes(16).toString("hex");
    shelf.tokens.add(token);
    return json({ result: 1, access_token: token, refresh_token: `r${randomBytes(8).toString("hex")}`, expires_in: 172_800 });
  }
  if (!shelf.tokens.has(textOf(headers["access-token"]))) return no(2_190_008, "access_token 已过期");
  if (textOf(headers["access-token"]).includes(SECRET_OUTSIDE)) return no(2_119_005, "应用没有得到商户授权");
  const certificate = "/goodlife/v1/fulfilment/certificate";
  switch (path.replace(/\/$/, "")) {
    case `${certificate}/prepare`:
      return prepare(shelf, query);
    case `${certificate}/verify`:
      return verify(shelf, body);
    case `${certificate}/cancel`:
      return cancel(shelf, body);
    case "/goodlife/v1/shop/poi/query": {
      const stores = pageOf(STORES, Number(query.get("page") ?? 1), Number(query.get("size") ?? 50));
      const pois =
        shelf.name === "douyin"
          ? stores.map(({ poi, name, ...place }) => ({ poi: { poi_id: num(poi), poi_name: name, ...place } }))
          : stores.map(({ poi, name }) => ({ poi_id: poi, poi_name: name }));
      return yes({ pois, total: STORES.length });
    }
  }
  if (shelf.name === "kuaishou")
    return path === "/goodlife/v1/item/itemlist/batch/query"
      ? shelf.cut && query.get("page") === "1"
        ? yes({ total: 51 })
        : yes({
            total: GOODS.length,
            items: GOODS.filter(({ id }) => !shelf.gone.includes(id)).map(({ id, title, type, pay, market }) => ({
              item_id: id,
              title,
              groupon_type: type,
              status: 1,
              price: pay,
              market_price: market,
              stock: 200,
              sold_count: 31,
              poi_ids: STORES.map(({ poi }) => poi),
            })),
          })
      : json({ message: "没有这个接口" }, 404);
  switch (path.replace(/\/$/, "")) {
    case `${certificate}/get`:
      return look(shelf, query);
    case `${certificate}/verify_record/query`:
      return records(shelf, query);
    case "/goodlife/v1/settle/ledger/query":
      return ledger(shelf, query);
    case "/goodlife/v1/goods/product/online/query": {
      const products = GOODS.filter(({ id }) => !shelf.gone.includes(id)).map(({ id, title, type, pay, market }, at) => ({
        online_status: id === GOODS[3]!.id ? 2 : 1,
        product: { product_id: id, product_name: title, groupon_type: type, pois: STORES.map(({ poi }) => ({ poi_id: num(poi) })) },
        sku: { sku_id: id, actual_amount: pay, origin_amount: market, stock: { stock_qty: 500 - at }, sold_count: 120 + at },
      }));
      return yes({ products, has_more: shelf.cut, next_cursor: "" });
    }
  }
  return json({ message: "没有这个接口" }, 404);
}

/** A notice as the platform sends it. */
export function groupBuyNotice(
  name: Name,
  {
    address,
    secret,
    event,
    certificate,
    messageId,
    account = "LK001",
    at_s = Math.floor(Date.now() / 1_000),
  }: {
    readonly account?: string;
    /** When it was sent. */
    readonly at_s?: number;
    readonly address: string;
    readonly secret: string;
    readonly event: string;
    readonly certificate: string;
    readonly messageId: string;
  },
) {
  if (name === "douyin") {
    const body = JSON.stringify({
      event: "life_trade_certificate_notify",
      client_key: "app",
      content: JSON.stringify({
        action: event,
        msg_time: at_s,
        certificate: { order_id: "1", certificate_id: certificate, account_id: account },
      }),
    });
    const signature = createHash("sha1")
      .update(secret + body)
      .digest("hex");
    return { url: address, body, headers: { "content-type": "application/json", "x-douyin-signature": signature, "msg-id": messageId } };
  }
  const body = JSON.stringify({ message_id: messageId, event, certificate_id: certificate });
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const sign = createHash("sha256").update(`${secret}&timestamp=${timestamp}&http_body=${body}`).digest("hex");
  return { url: `${address}?timestamp=${timestamp}&sign=${sign}`, body, headers: { "content-type": "application/json" } };
}

type Asked = { readonly url: string; readonly method: string; readonly headers: Json; readonly body: string };
/** Both platforms, and the page that steers them at /group-buy. */
export function openGroupBuy(now_ms: () => number): (asked: Asked) => Answer | Promise<Answer> | undefined {
  const shelves: Readonly<Record<Name, Shelf>> = { douyin: new Shelf("douyin", now_ms), kuaishou: new Shelf("kuaishou", now_ms) };
  return ({ url: given, method, headers, body }) => {
    const url = new URL(given, "http://127.0.0.1");
    const [, first = "", ...rest] = url.pathname.split("/");
    if (first === "v.douyin.com") {
      const code = rest[0] ?? "";
      return { status: 302, type: "text/plain", text: "", location: `https://www.iesdouyin.com/share/voucher?object_id=object_${code}` };
    }
    if (first === "douyin" || first === "kuaishou")
      return ask(shelves[first], `/${rest.join("/")}`, url.searchParams, headers, body === "" ? {} : (JSON.parse(body) as Json));
    if (first !== "group-buy") return undefined;
    if (method === "GET") return { status: 200, type: "text/html; charset=utf-8", text: pageOfVouchers(shelves) };
    return steer(shelves, JSON.parse(body) as Json);
  };
}
async function steer(shelves: Readonly<Record<Name, Shelf>>, given: Json): Promise<Answer> {
  const shelf = shelves[given["platform"] === "kuaishou" ? "kuaishou" : "douyin"];
  if (given["act"] === "goods") {
    shelf.gone = Array.isArray(given["gone"]) ? given["gone"].map(textOf) : [];
    shelf.cut = given["cut"] === true;
    return json({ gone: shelf.gone });
  }
  const voucher = shelf.voucher(textOf(given["code"]));
  switch (given["act"]) {
    case "clear":
      shelf.clear(voucher, true);
      break;
    case "refund":
      voucher.refunded = true;
      break;
    case "use":
      shelf.use(voucher, textOf(given["poi"]) || STORES[0]!.poi);
      break;
    case "reverse":
      for (const use of voucher.uses.filter(({ reversed }) => !reversed)) {
        use.reversed = true;
        use.reversed_ms = shelf.now_ms();
      }
      break;
    case "list":
      return json({
        vouchers: [...shelf.vouchers.values()].map((one) => {
          shelf.clear(one);
          return {
            code: one.code,
            certificate: one.certificate,
            uses: one.uses.map(({ verifyId, reversed, poi }) => ({ verifyId, reversed, poi })),
          };
        }),
      });
    case "forget":
      shelf.vouchers.clear();
      break;
    case "forget-tokens":
      shelf.tokens.clear();
      break;
    case "notify": {
      // It calls this machine alone.
      const address = textOf(given["address"]);
      if (!/^http:\/\/(127\.0\.0\.1|localhost)(:\d+)?\//.test(address)) return json({ message: "地址须在本机" }, 400);
      const notice = groupBuyNotice(shelf.name, {
        address,
        secret: textOf(given["secret"]),
        event: textOf(given["event"]),
        certificate: voucher.certificate,
        messageId: randomBytes(8).toString("hex"),
      });
      const answer = await fetch(notice.url, { method: "POST", headers: notice.headers, body: notice.body });
      return json({ status: answer.status });
    }
  }
  return json({ certificate: voucher.certificate, uses: voucher.uses.length });
}
function pageOfVouchers(shelves: Readonly<Record<Name, Shelf>>): string {
  const rows = Object.values(shelves)
    .flatMap((shelf) => [...shelf.vouchers.values()].map((voucher) => ({ shelf, voucher })))
    .toReversed()
    .slice(0, 100)
    .map(({ shelf, voucher }) => {
      const said = voucher.refunded ? "已退款" : voucher.held ? "核实中" : shelf.free(voucher) ? "可用" : "已核销";
      const button = (act: string, label: string) =>
        `<button data-act="${act}" data-platform="${shelf.name}" data-code="${voucher.code}">${label}</button>`;
      return `<tr><td>${shelf.name === "douyin" ? "抖音" : "快手"}</td><td>${voucher.code}</td><td>${goodsOf(voucher.code).title}</td><td>${said} ${voucher.uses.length}</td><td>${voucher.held ? button("clear", "核实通过") : ""}${button("use", "在商家端核销")}${button("refund", "退款")}</td></tr>`;
    })
    .join("");
  return `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>团购平台模拟器</title>
<style>body{font:16px/1.6 system-ui;margin:24px;max-width:960px}table{border-collapse:collapse;width:100%}td{padding:8px;border-bottom:1px solid #ddd}button{font:inherit;margin-right:8px}</style>
<h1>团购平台模拟器</h1><p>任何 8 到 20 位数字都是一张券：8 开头是快手的，其他是抖音的，0 开头查不到。结尾：01 平台核实，02 门店不适用，03 次卡，04 核了但没有应答，05 刚在来客核过，06 不让撤销，07 没核也没有应答，08 撤销了但没有应答，09 一单两张。</p>
${rows ? `<table>${rows}</table>` : "<p>还没有人扫过券。</p>"}
<script>document.onclick=async(e)=>{const{act,platform,code}=e.target.dataset;if(!act)return;await fetch("/group-buy",{method:"POST",body:JSON.stringify({act,platform,code})});location.reload()}</script></html>`;
}
