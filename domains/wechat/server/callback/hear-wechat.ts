import { sql } from "kysely";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { type Fields, readXml, writeXml } from "@zhangfang/server/outside/flat-xml.ts";
import { checkWechatAddress, hearWechat, type MenuButton } from "../../contract/index.ts";
import { type AppKeys, openKeys } from "../apps/app-keys.ts";
import { fanCode } from "../fans/fan-code.ts";
import type { Welcome } from "../fans/fan-facts.ts";
import { type FanEvent, type HeardApp, takeFanEvent } from "../fans/take-event.ts";
import { againWhenLocked } from "../fans/when-locked.ts";
import { replyOf } from "../menus/wx-menu.ts";
import { takeMassResult } from "../notes/mass-results.ts";
import { wxOpen, wxSeal, wxSignature, wxSigned } from "./wx-crypto.ts";

const MOST_BYTES = 20_000;
/** WeChat's time and ours may differ so much; an older message may have been overheard. */
const OLD_S = 600;
export const AHEAD_MS = OLD_S * 1_000;

/** What a message has to be signed and sealed with, and for which AppID. */
interface Sealing extends AppKeys {
  readonly sealedFor: string;
}
interface App extends HeardApp, Sealing {
  readonly name: string;
  /** Whom a message has to name; null: whomever the seal names. */
  readonly original_id: string | null;
}
async function findApp(ctx: Ctx, id: string): Promise<App | undefined> {
  const row = await ctx.platform("find the official account of a message", (tx) =>
    tx
      .selectFrom("wx_apps")
      .select(["service_provider_id", "merchant_id", "id", "app_id", "name", "token_sealed", "aes_key_sealed"])
      .where("id", "=", id)
      .where("state", "=", "active")
      .where("way", "=", "own")
      .executeTakeFirst(),
  );
  return row && { ...row, ...openKeys(ctx.services, row), sealedFor: row.app_id, original_id: null };
}
// An address of nothing is one that no key fits: from outside the two look the same.
const unheard = (): Refusal => new Refusal(401, "SIGNATURE", "消息验签不通过");
export const unread = (): Refusal => new Refusal(400, "BODY", "消息无法读取");

/** The signed words of the address; each may stand there once. @throws 401 */
function wordsOf({ incoming, now_ms }: Ctx) {
  const word = (name: string): string => {
    const given = incoming.query[name];
    return typeof given === "string" ? given : "";
  };
  const timestamp = word("timestamp");
  if (!/^\d{10}$/.test(timestamp) || Math.abs(Number(timestamp) - now_ms / 1000) > OLD_S) throw unheard();
  return { timestamp, nonce: word("nonce"), signature: word("signature"), sealedSignature: word("msg_signature"), echo: word("echostr") };
}

/** 地址校验: the word comes back where it is signed with this account's token. */
export const checkWechatAddressRoute = implement(checkWechatAddress, async (ctx, { appRow }) => {
  const app = await findApp(ctx, appRow);
  const { timestamp, nonce, signature, echo } = wordsOf(ctx);
  if (!app || !wxSigned(signature, app.token, timestamp, nonce)) throw unheard();
  await ctx.platform("an address was taken", (tx) => markVerified(tx, app, ctx.now));
  return echo.slice(0, 200);
});
const markVerified = (tx: Transaction, { service_provider_id, id }: HeardApp, now: string) =>
  sql`update wx_apps set verified_at = ${now} where service_provider_id = ${service_provider_id} and id = ${id}`.execute(tx);
/** Once a minute is enough, and never waited for: what a follower did counts without it. */
const markHeard = (tx: Transaction, { service_provider_id, id }: HeardApp, now: string) =>
  sql`with one as (select a.id from wx_apps a where a.service_provider_id = ${service_provider_id} and a.id = ${id}
      and (a.heard_at is null or a.heard_at < ${now}::timestamptz - interval '1 minute') for no key update skip locked)
    update wx_apps a set heard_at = ${now} from one where a.service_provider_id = ${service_provider_id} and a.id = one.id`.execute(tx);

/** What a message says, once its signature and its seal are right. Of an address of nothing no key fits. @throws 401, 400 */
export function openMessage(ctx: Ctx, keys: Sealing | undefined): { readonly fields: Fields; readonly nonce: string } {
  const words = wordsOf(ctx);
  const raw = ctx.incoming.rawBody;
  if (raw.length > MOST_BYTES) throw unread();
  if (!keys) throw unheard();
  return { fields: opened(keys, words, readXml(raw.toString("utf8"))), nonce: words.nonce };
}
export const hearWechatRoute = implement(hearWechat, async (ctx, { appRow }) => hearApp(ctx, await findApp(ctx, appRow)));
/** 消息: verified before anything in it is read; what it brings is committed before WeChat hears an answer. */
export async function hearApp(ctx: Ctx, app: App | undefined): Promise<string> {
  const { fields, nonce } = openMessage(ctx, app);
  if (!app || (app.original_id !== null && fields["ToUserName"] !== app.original_id)) throw unheard();
  const event = eventOf(fields, ctx.now_ms);
  // WeChat waits for five seconds, a lock for two.
  const reply = await againWhenLocked(2, () =>
    ctx.platform("hear an official account", async (tx) => {
      const taken = event && (await takeFanEvent(tx, ctx.services, app, event));
      if (fields["MsgType"] === "event" && fields["Event"] === "MASSSENDJOBFINISH") await takeMassResult(tx, ctx.services, app, fields);
      if (!taken) return answerToTap(tx, app, fields);
      const { fan_id, welcomes } = taken;
      return welcomes.length > 0 ? welcomeText(ctx, app, fan_id, welcomes) : "";
    }),
  );
  await ctx.platform("an official account was heard", (tx) => markHeard(tx, app, ctx.now));
  const openId = fields["FromUserName"] ?? "";
  if (reply === "" || !OPEN_ID.test(openId)) return "success";
  const at = Math.floor(ctx.now_ms / 1000).toString();
  const text = writeXml({
    ToUserName: openId,
    FromUserName: fields["ToUserName"] ?? "",
    CreateTime: at,
    MsgType: "text",
    Content: reply,
  });
  return sealedReply(app, at, nonce, text);
}

const OPEN_ID = /^[\w-]{10,64}$/;
/** A tap on a button of the menu: the answer of the menu that has it. A published one may not be known as live yet; the KEY comes from the answer itself. */
async function answerToTap(tx: Transaction, { service_provider_id, id }: HeardApp, fields: Fields): Promise<string> {
  if (fields["MsgType"] !== "event" || fields["Event"] !== "CLICK") return "";
  const { rows } = await sql<{
    menu: MenuButton[];
  }>`select coalesce(m.live, '[]') || coalesce(m.sent, '[]') as menu from wx_menus m where m.service_provider_id = ${service_provider_id}
    and m.app_row = ${id}`.execute(tx);
  return replyOf(rows[0]?.menu ?? [], fields["EventKey"] ?? "") ?? "";
}
/** What stands in a sealed message. Of a plain one the signature covers the time alone, and anybody's words could stand in it. @throws 401 */
function opened(app: Sealing, { timestamp, nonce, sealedSignature }: ReturnType<typeof wordsOf>, outer: Fields): Fields {
  const encrypted = outer["Encrypt"];
  if (encrypted === undefined || !wxSigned(sealedSignature, app.token, timestamp, nonce, encrypted)) throw unheard();
  const inner = wxOpen(app.aesKey, encrypted);
  if (!inner || inner.appId !== app.sealedFor) throw unheard();
  return readXml(inner.text);
}
function sealedReply({ aesKey, sealedFor, token }: Sealing, timestamp: string, nonce: string, text: string): string {
  const encrypted = wxSeal(aesKey, sealedFor, text);
  const MsgSignature = wxSignature(token, timestamp, nonce, encrypted);
  return writeXml({ Encrypt: encrypted, MsgSignature, TimeStamp: timestamp, Nonce: nonce });
}

const EVENTS: Readonly<Record<string, FanEvent["event"]>> = { subscribe: "subscribe", unsubscribe: "unsubscribe", scan: "scan" };
/** Who follows, leaves or scans a code; nothing of every other message. @throws 400 where it names nobody or no time */
function eventOf(fields: Fields, now_ms: number): FanEvent | undefined {
  const event = EVENTS[(fields["Event"] ?? "").toLowerCase()];
  if (fields["MsgType"] !== "event" || event === undefined) return undefined;
  const openId = fields["FromUserName"] ?? "";
  const seconds = fields["CreateTime"] ?? "";
  if (!OPEN_ID.test(openId) || !/^\d{9,10}$/.test(seconds)) throw unread();
  // By its own time, also where our clock is behind: one that is told again is the same one.
  const at_ms = Number(seconds) * 1000;
  if (at_ms > now_ms + AHEAD_MS) throw unread();
  const eventKey = (fields["EventKey"] ?? "").slice(0, 128);
  // Whoever follows by a code is told with a word before its scene.
  const scene = event === "scan" ? eventKey : eventKey.startsWith(QR) ? eventKey.slice(QR.length) : "";
  return { openId, event, eventKey, scene, at: new Date(at_ms).toISOString() };
}
const QR = "qrscene_";

const WORDS: Readonly<Record<Welcome["outcome"], string>> = {
  offered: "点这里领取",
  owed: "已放进你的会员页",
  review: "领的人多，等店里确认",
  refused: "这次没有领到",
  known: "已经给过你",
  over: "活动没有在进行",
};
/** What a new follower reads. */
function welcomeText({ services }: Ctx, { merchant_id, name }: App, fan_id: string, welcomes: readonly Welcome[]): string {
  const lines = welcomes.map(({ name: activity, worth, outcome }) => `「${activity}」送 ${worth}，${WORDS[outcome]}`);
  const page = `${services.config.public_url}/m/${merchant_id}`;
  const way = welcomes.some(({ outcome }) => outcome === "offered") ? `#fan/${fanCode(services, fan_id)}` : "";
  return `欢迎关注${name}！${lines.join("；")}：${page}${way}`;
}
