import { randomBytes } from "node:crypto";

/** The one account that there is. */
const APP = { id: "wx7a66616e6764656d", secret: "wechat-simulator" };
const TOKEN_MS = 7_200_000;
/** How long a review takes. */
const REVIEW_MS = 10_000;

type Json = Readonly<Record<string, unknown>>;
type Answer = { readonly status: number; readonly type: string; readonly text: string } | "silence";
interface Holder {
  readonly code: string;
  state: string;
  bonus: number;
  balance: number;
}
interface Card {
  readonly id: string;
  readonly mark: string;
  readonly brand: boolean;
  title: string;
  colour: string;
  description: string;
  bad: boolean;
  reviewed_ms: number;
  readonly holders: Map<string, Holder>;
}
const json = (body: object, status = 200): Answer => ({ status, type: "application/json; charset=utf-8", text: JSON.stringify(body) });
const textOf = (given: unknown): string => (typeof given === "string" ? given : "");
const numberOf = (given: unknown): number => (typeof given === "number" ? given : 0);
const objectOf = (given: unknown): Json => (typeof given === "object" && given !== null ? (given as Json) : {});
const OK = { errcode: 0, errmsg: "ok" };

type Standing = "wait" | "ok" | "bad";
/** What WeChat has. */
class Shelf {
  readonly cards = new Map<string, Card>();
  readonly now_ms: () => number;
  constructor(now_ms: () => number) {
    this.now_ms = now_ms;
  }
  standing(card: Card): Standing {
    return this.now_ms() - card.reviewed_ms < REVIEW_MS ? "wait" : card.bad ? "bad" : "ok";
  }
  add(brand: boolean, mark: string, title: string, colour: string, description: string): Card {
    const id = `p${brand ? "B" : "C"}${randomBytes(12).toString("hex")}`;
    const card = {
      id,
      mark,
      brand,
      title,
      colour,
      description,
      bad: title.includes("违规"),
      reviewed_ms: this.now_ms(),
      holders: new Map(),
    };
    this.cards.set(id, card);
    return card;
  }
  change(card: Card, title: string, colour: string, description: string): boolean {
    const again = title !== card.title;
    Object.assign(card, { title, colour, description, bad: title.includes("违规"), ...(again && { reviewed_ms: this.now_ms() }) });
    return again;
  }
  branded(mark: string): Card | undefined {
    return [...this.cards.values()].find((one) => one.brand && one.mark === mark);
  }
}
function holderOf(card: Card, code: string): Holder {
  const known = card.holders.get(code) ?? { code, state: "NOT_ACTIVATE", bonus: 0, balance: 0 };
  card.holders.set(code, known);
  return known;
}
const OPEN = { wait: "CARD_STATUS_NOT_VERIFY", ok: "CARD_STATUS_VERIFY_OK", bad: "CARD_STATUS_VERIFY_FAIL" };
const BRAND = { wait: "NOT_APPROVE", ok: "APPROVED", bad: "APPROVE_FAIL" };

function legacy(shelf: Shelf, path: string, body: Json): Answer | undefined {
  const card = shelf.cards.get(textOf(body["card_id"]));
  const code = textOf(body["code"]);
  const faulty = (done: () => void): Answer => {
    if (code.endsWith("0001")) return json({ errcode: 40_056, errmsg: "invalid serial code" });
    done();
    return code.endsWith("0002") ? "silence" : json(OK);
  };
  const unknown = json({ errcode: 40_073, errmsg: "invalid card id" });
  switch (path) {
    case "/card/create": {
      const base = objectOf(objectOf(objectOf(body["card"])["member_card"])["base_info"]);
      const title = textOf(base["title"]);
      if (title === "" || title.length > 10) return json({ errcode: 47_001, errmsg: "title" });
      const made = shelf.add(false, "", title, textOf(base["color"]), textOf(base["description"]));
      return json({ ...OK, card_id: made.id });
    }
    case "/card/batchget": {
      const ids = [...shelf.cards.values()].filter(({ brand }) => !brand).map(({ id }) => id);
      const from = numberOf(body["offset"]);
      return json({ ...OK, card_id_list: ids.slice(from, from + numberOf(body["count"])), total_num: ids.length });
    }
    case "/card/get": {
      if (!card) return unknown;
      const base_info = { id: card.id, title: card.title, description: card.description, status: OPEN[shelf.standing(card)] };
      return json({ ...OK, card: { card_type: "MEMBER_CARD", member_card: { base_info } } });
    }
    case "/card/update": {
      if (!card) return unknown;
      const base = objectOf(objectOf(body["member_card"])["base_info"]);
      const again = shelf.change(card, textOf(base["title"]), textOf(base["color"]), textOf(base["description"]));
      return json({ ...OK, send_check: again });
    }
    case "/card/delete":
      return shelf.cards.delete(textOf(body["card_id"])) ? json(OK) : unknown;
    case "/card/membercard/activateuserform/set":
      return card ? json(OK) : unknown;
    case "/card/membercard/activate":
      if (!card) return unknown;
      return faulty(() =>
        Object.assign(holderOf(card, code), {
          state: "EFFECTIVE",
          bonus: numberOf(body["init_bonus"]),
          balance: numberOf(body["init_balance"]),
        }),
      );
    case "/card/membercard/updateuser":
      if (!card?.holders.has(code)) return json({ errcode: 40_056, errmsg: "invalid serial code" });
      return faulty(() => Object.assign(holderOf(card, code), { bonus: numberOf(body["bonus"]), balance: numberOf(body["balance"]) }));
    case "/card/code/unavailable":
      if (!card) return unknown;
      return faulty(() => Object.assign(holderOf(card, code), { state: "UNAVAILABLE" }));
    default:
      return undefined;
  }
}
function brand(shelf: Shelf, path: string, body: Json): Answer | undefined {
  const card = shelf.cards.get(textOf(body["card_id"]));
  const code = textOf(body["user_card_code"]);
  const told = (one: Card): Answer => json({ card_id: one.id, card_state: BRAND[shelf.standing(one)] });
  const unknown = json({ code: "RESOURCE_NOT_EXISTS", message: "卡不存在" });
  const mark = textOf(body["out_card_no"]);
  const faulty = (done: () => void): Answer => {
    if (!card) return unknown;
    if (code.endsWith("0001")) return json({ code: "PARAM_ERROR", message: "用户卡不存在" });
    done();
    return code.endsWith("0002") ? "silence" : json({});
  };
  switch (path) {
    case "/brand/card-member/cards": {
      const known = shelf.branded(mark);
      return told(known ?? shelf.add(true, mark, textOf(body["title"]), textOf(body["background_color"]), textOf(body["description"])));
    }
    case "/brand/card-member/cards/query-by-out-no": {
      const known = shelf.branded(mark);
      return known ? told(known) : unknown;
    }
    case "/brand/card-member/cards/modify":
      if (!card) return unknown;
      shelf.change(card, textOf(body["title"]), textOf(body["background_color"]), textOf(body["description"]));
      return told(card);
    case "/brand/card-member/cards/query":
      return card ? told(card) : unknown;
    case "/brand/card-member/cards/delete":
      return shelf.cards.delete(textOf(body["card_id"])) ? json({}) : unknown;
    case "/brand/card-member/user-cards/confirm":
      return faulty(() => Object.assign(holderOf(card!, code), { state: "EFFECTIVE", bonus: numberOf(body["points"]) }));
    case "/brand/card-member/user-cards/sync-points":
      return faulty(() => Object.assign(holderOf(card!, code), { bonus: numberOf(body["points"]) }));
    case "/brand/card-member/user-cards/modify-state":
      return faulty(() => Object.assign(holderOf(card!, code), { state: textOf(body["user_card_state"]) }));
    default:
      return undefined;
  }
}

/**
 * WeChat's member cards behind an access token: the legacy cgi-bin calls, and a brand card-member API as this project imagines it until the
 * official text is read. A code counts as taken by its customer. Faults go by the end of a code: 0001 is refused, 0002 is done and not
 * answered. A card whose name holds 违规 fails its review.
 */
export function openWechatCards(now_ms: () => number): (url: string, method: string, body: string) => Answer | undefined {
  const shelf = new Shelf(now_ms);
  const tokens = new Map<string, number>();
  return (url, method, text) => {
    const { pathname, searchParams } = new URL(url, "http://simulator");
    if (method === "GET" && pathname === "/wechat-cards") return { status: 200, type: "text/html; charset=utf-8", text: pageOf(shelf) };
    if (method === "GET" && pathname === "/cgi-bin/token") {
      if (searchParams.get("appid") !== APP.id || searchParams.get("secret") !== APP.secret)
        return json({ errcode: 40_001, errmsg: "invalid credential" });
      const access_token = randomBytes(24).toString("hex");
      tokens.set(access_token, now_ms() + TOKEN_MS);
      return json({ access_token, expires_in: TOKEN_MS / 1_000 });
    }
    if (method !== "POST" || !(pathname.startsWith("/card/") || pathname.startsWith("/brand/"))) return undefined;
    const until_ms = tokens.get(searchParams.get("access_token") ?? "");
    if (until_ms === undefined) return json({ errcode: 40_001, errmsg: "invalid credential" });
    if (until_ms < now_ms()) return json({ errcode: 42_001, errmsg: "access_token expired" });
    const body = objectOf(JSON.parse(text));
    return pathname.startsWith("/brand/") ? brand(shelf, pathname, body) : legacy(shelf, pathname, body);
  };
}

const html = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
/** What WeChat has, the newest first. */
function pageOf(shelf: Shelf): string {
  const WORDS = { wait: "待审核", ok: "已通过", bad: "未通过" };
  const rows = [...shelf.cards.values()]
    .toReversed()
    .map((card) => {
      const some = [...card.holders.values()].slice(-10).map(({ code, state: now, bonus }) => `${html(code)} ${html(now)} ${bonus} 分`);
      return `<tr><td>${html(card.title)}<br>${html(card.id)}</td><td>${card.brand ? "品牌" : "公众平台"}</td><td>${WORDS[shelf.standing(card)]}</td><td>${card.holders.size} 人<br>${some.join("<br>")}</td></tr>`;
    })
    .join("");
  return `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><meta http-equiv="refresh" content="3"><meta name="viewport" content="width=device-width">
<title>微信会员卡模拟器</title><style>body{font:16px/1.6 system-ui;margin:24px;max-width:960px}table{border-collapse:collapse;width:100%}td{padding:8px;border-bottom:1px solid #ddd;vertical-align:top}</style>
<h1>微信会员卡模拟器</h1><p>提交后 10 秒审核；卡名含「违规」的不通过。卡号以 0001 结尾会被拒绝，0002 结尾会收下但不应答。</p>
${rows ? `<table>${rows}</table>` : "<p>还没有会员卡。</p>"}</html>`;
}
