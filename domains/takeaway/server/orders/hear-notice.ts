import { sql } from "kysely";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { authorisationEnded } from "../../../platforms/server/index.ts";
import { type AskedPlatform, beatEle, hearEle, hearMeituan } from "../../contract/index.ts";
import { readJson, textOf, toldOf } from "../platforms/read-json.ts";
import { UNVERIFIED } from "../platforms/unverified.ts";
import { storePlatformOf } from "./keep-order.ts";
import { type AccountAsked, wantOrder } from "./want-order.ts";

const MOST_BYTES = 64_000;
/** What a platform says that something happened to. */
interface Notice {
  readonly message_id: string;
  readonly kind: string;
  readonly shop: string;
  readonly order: string;
}
interface Account {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly id: string;
  readonly app_of: string;
}
const unread = (): Refusal => new Refusal(400, "BODY", "消息无法读取");
const tooMany = (): Refusal => new Refusal(429, "busy", "等待处理的订单太多，请稍后再发", undefined, { "retry-after": "60" });
const ORDER_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** 饿了么 asks whether anybody listens: yes, whosever address it is. */
export const beatEleRoute = implement(beatEle, async () => ({ message: "ok" as const }));
/** 饿了么's message: repeats are answered alike. What nobody can prove is a hint: the order is asked for, and nothing else happens. */
export const hearEleRoute = implement(hearEle, async (ctx, { account }) => {
  await hear(ctx, account, "ele", eleNotice);
  return { message: "ok" as const };
});
export const hearMeituanRoute = implement(hearMeituan, async (ctx, { account }) => {
  await hear(ctx, account, "meituan-wm", meituanNotice);
  return { data: "ok" as const };
});

function eleNotice(text: string): Notice | undefined {
  const told = toldOf(readJson(text));
  const message_id = textOf(told["requestId"]);
  // 饿了么's own trial of the address has none.
  if (message_id === "") return undefined;
  const inner = told["message"];
  const message = typeof inner === "string" && inner !== "" ? toldOf(readJson(inner)) : {};
  const order = textOf(message["orderId"]) || textOf(message["id"]);
  return { message_id, kind: textOf(told["type"], 32), shop: textOf(told["shopId"]) || textOf(message["shopId"]), order };
}
function meituanNotice(text: string): Notice | undefined {
  const form = new URLSearchParams(text);
  const [order, at, status] = ["order_id", "timestamp", "status"].map((name) => textOf(form.get(name) ?? ""));
  if (!order) return undefined;
  const kind = textOf(form.get("notify_type") ?? "", 16) || status!;
  // It numbers no messages: the same news of the same second is the same message.
  return { message_id: `${order}:${kind}:${at}`.slice(0, 64), kind, shop: textOf(form.get("app_poi_code") ?? ""), order };
}

async function hear(ctx: Ctx, id: string, platform: AskedPlatform, read: (text: string) => Notice | undefined): Promise<void> {
  const account = await findAccount(ctx, id, platform);
  if (!account) throw notFound("平台账号");
  if (ctx.incoming.rawBody.length > MOST_BYTES) throw unread();
  const notice = readable(() => read(ctx.incoming.rawBody.toString("utf8")));
  if (notice?.order === "" && platform === "ele" && notice.kind === UNVERIFIED.eleEnded) return noteEnd(ctx, account, platform, notice);
  // Of no order: nothing is to be asked, and nothing is kept.
  if (!notice || notice.order === "") return;
  if (!ORDER_ID.test(notice.order)) throw unread();
  await ctx.platform("hear a takeaway platform", async (tx) => {
    const whose = (await shopsOwn(tx, account, platform, notice.shop)) ?? account;
    const about = { service_provider_id: whose.service_provider_id, merchant_id: whose.merchant_id, account_id: whose.id };
    // An order that waits is asked for anyhow: only what is new leaves a row.
    if (await isWaiting(tx, about, notice.order)) {
      await wantOrder(tx, ctx.services, about, notice.order);
      return;
    }
    const event = { message_id: notice.message_id, kind: notice.kind, platform_order_id: notice.order };
    const heard = await tx
      .insertInto("takeaway_events")
      .values({ ...about, ...event, platform, id: ctx.services.ids.uuid(ctx.now_ms), heard_at: ctx.now })
      .onConflict((twice) => twice.columns(["service_provider_id", "account_id", "message_id"]).doNothing())
      .executeTakeFirst();
    // 美团外卖 numbers no messages: one that somebody made up beforehand must not pass for the real one.
    const told = heard.numInsertedOrUpdatedRows === 1n || platform === "meituan-wm";
    if (told && !(await wantOrder(tx, ctx.services, about, notice.order))) throw tooMany();
  });
}
/**
 * 解除授权. Nobody can prove that either: people are told, and nothing stops by it. An order that is answered takes it back. A repeat, however late,
 * says nothing new, and of an account one an hour is kept: whoever makes messages up fills nothing.
 */
async function noteEnd(ctx: Ctx, account: Account, platform: AskedPlatform, { message_id, kind, shop }: Notice): Promise<void> {
  await ctx.platform("hear that an authorisation ended", async (tx) => {
    const whose = account.app_of === "provider" ? await shopsOwn(tx, account, platform, shop) : account;
    if (!whose) return;
    const { service_provider_id, merchant_id, id: account_id } = whose;
    const { rows } =
      await sql`select from takeaway_events e where e.service_provider_id = ${service_provider_id} and e.account_id = ${account_id}
      and (e.message_id = ${message_id} or e.kind = ${kind} and e.heard_at > ${ctx.now}::timestamptz - interval '1 hour') limit 1`.execute(
        tx,
      );
    if (rows.length > 0 || !(await authorisationEnded(tx, { service_provider_id, account_id }, ctx.now))) return;
    const id = ctx.services.ids.uuid(ctx.now_ms);
    const event = { service_provider_id, merchant_id, account_id, message_id, kind, platform, id, heard_at: ctx.now };
    await tx.insertInto("takeaway_events").values(event).execute();
  });
}
/** What its reader throws is no message. @throws 400 */
function readable<T>(read: () => T): T {
  try {
    return read();
  } catch {
    throw unread();
  }
}

const findAccount = (ctx: Ctx, id: string, platform: AskedPlatform): Promise<Account | undefined> =>
  ctx.platform("find the account of a takeaway notice", (tx) =>
    tx
      .selectFrom("platform_accounts")
      .select(["service_provider_id", "merchant_id", "id", "app_of"])
      .where("id", "=", id)
      .where("platform", "=", platform)
      .where("state", "=", "active")
      .executeTakeFirst(),
  );
/**
 * Under whose account a provider's application asks: it has one address for all its merchants, and the shop that is named says whose it is, where
 * exactly one has mapped it. That anybody may have made up; whose order it is, is decided by the answer.
 * @returns nothing where it says nothing
 */
async function shopsOwn(tx: Transaction, account: Account, platform: AskedPlatform, shop: string): Promise<Account | undefined> {
  if (account.app_of !== "provider" || shop === "") return undefined;
  const { rows } = await sql<Account>`select a.service_provider_id, a.merchant_id, a.id, a.app_of from other_stores s
    join platform_accounts a on a.service_provider_id = s.service_provider_id and a.merchant_id = s.merchant_id and a.platform = ${platform}
      and a.app_of = 'provider' and a.state = 'active'
    where s.service_provider_id = ${account.service_provider_id} and s.platform = ${storePlatformOf(platform)!} and s.platform_store_id = ${shop}
    limit 2`.execute(tx);
  return rows.length === 1 ? rows[0] : undefined;
}
async function isWaiting(tx: Transaction, about: AccountAsked, order: string): Promise<boolean> {
  const row = await tx
    .selectFrom("takeaway_fetches")
    .select("id")
    .where("service_provider_id", "=", about.service_provider_id)
    .where("account_id", "=", about.account_id)
    .where("platform_order_id", "=", order)
    .where("next_at", "is not", null)
    .executeTakeFirst();
  return row !== undefined;
}
