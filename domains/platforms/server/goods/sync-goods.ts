import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { seenStores } from "../../../stores/server/index.ts";
import { getPlatformSync, type Platform, startPlatformSync } from "../../contract/index.ts";
import { mustHold } from "../vouchers/read-vouchers.ts";
import { merchantOf } from "../accounts/account-routes.ts";
import { type PlatformAccount, platformAccountOf } from "../accounts/account-of.ts";
import type { GoodThere, StoreThere } from "../platform/answers.ts";
import { type Adapted, platformApi } from "../platform/open-platform.ts";

const LOAD = platformScope("load a platform's goods");
const TAKEN_MS = 60_000;
const MOST_PAGES = 400;
interface Sync {
  readonly id: string;
  readonly status: 0 | 1 | 2;
  readonly stores: number;
  readonly goods: number;
  readonly why: string;
  readonly byName: string;
  readonly startedAt: never;
  readonly endedAt: never;
}
const COLUMNS = sql`y.id, y.status, y.stores, y.goods, y.why, y.by_name as "byName", y.started_at as "startedAt", y.ended_at as "endedAt"`;

/** 同步: one at a time for an account. @throws 409 where none is there, or one runs */
export const startPlatformSyncRoute = implement(startPlatformSync, async (ctx, { platform, merchantId }) => {
  mustHold(ctx, platform, "/goods/sync");
  const { tx, services, now, now_ms } = ctx;
  const of = await merchantOf(tx, ctx, merchantId);
  const account = await tx
    .selectFrom("platform_accounts")
    .select(["id", "state"])
    .where("service_provider_id", "=", of.service_provider_id)
    .where("merchant_id", "=", of.merchant_id)
    .where("platform", "=", platform)
    .executeTakeFirst();
  if (account?.state !== "active") throw conflict(account ? "平台账户已停用" : "还没有填平台账户，请先填账户", "platform.account");
  const id = services.ids.uuid(now_ms);
  const added = await tx
    .insertInto("platform_syncs")
    .values({ ...of, id, account_id: account.id, status: 0, by_name: askerOf(ctx).name, next_at: now, started_at: now })
    .onConflict((twice) => twice.doNothing())
    .executeTakeFirst();
  if (added.numInsertedOrUpdatedRows !== 1n) throw conflict("正在同步，请等它完成", "platform.syncing");
  ctx.note({
    targetKind: "platform_account",
    targetId: account.id,
    provider: of.service_provider_id,
    merchant: of.merchant_id,
    after: { sync: platform },
  });
  const { rows } =
    await sql<Sync>`select ${COLUMNS} from platform_syncs y where y.service_provider_id = ${of.service_provider_id} and y.id = ${id}`.execute(
      tx,
    );
  return rows[0]!;
});
export const getPlatformSyncRoute = implement(getPlatformSync, async (ctx, { platform, merchantId }) => {
  mustHold(ctx, platform, "/goods");
  if (merchantId === undefined && ctx.scope.merchant === undefined) return { sync: null };
  const of = await merchantOf(ctx.tx, ctx, merchantId);
  const { rows } =
    await sql<Sync>`select ${COLUMNS} from platform_syncs y join platform_accounts a on a.service_provider_id = y.service_provider_id
      and a.id = y.account_id and a.platform = ${platform}
    where y.service_provider_id = ${of.service_provider_id} and y.merchant_id = ${of.merchant_id} order by y.started_at desc, y.id desc limit 1`.execute(
      ctx.tx,
    );
  return { sync: rows[0] ?? null };
});

interface Ref {
  readonly service_provider_id: string;
  readonly id: string;
}
/** Every five seconds: loads that were asked for. One that broke off goes on where it was. */
export const loadGoods = lookAfter<Ref>({
  name: "load-platform-goods",
  every: 5,
  due: async (tx, now) => {
    const { rows } =
      await sql<Ref>`select y.service_provider_id, y.id from platform_syncs y where y.status = 0 and y.next_at <= ${now} order by y.next_at limit 8`.execute(
        tx,
      );
    return rows;
  },
  one: load,
});
/** What the tables take: one row without its number would throw away its whole page. */
const readable = (one: StoreThere | GoodThere): boolean =>
  "poiId" in one
    ? one.poiId !== "" && one.poiId.length <= 64
    : one.goodsId !== "" && one.goodsId.length <= 64 && one.price_cents >= 0 && one.market_cents >= 0;
/** Loads what was asked for. Whatever breaks in it ends it: one that stayed open would let nobody start another. */
export async function load(services: Services, ref: Ref): Promise<void> {
  await loadPages(services, ref).catch(async (error: unknown) => {
    services.log.error({ err: error, sync: ref.id }, "a load of a platform's goods broke off");
    await end(services, ref, 2, "没有同步完，出错了，已同步的留着，请再同步一次");
  });
}
async function loadPages(services: Services, ref: Ref): Promise<void> {
  const taken = await withScope(services.pool, LOAD, async (tx) => {
    const now_ms = services.clock.now_ms();
    const { rows } = await sql<{
      merchant_id: string;
      account_id: string;
      cursor: string;
      started_at: string;
      platform: Platform;
    }>`update platform_syncs y
      set next_at = ${new Date(now_ms + TAKEN_MS).toISOString()}
      from platform_accounts a where y.service_provider_id = ${ref.service_provider_id} and y.id = ${ref.id} and y.status = 0
        and y.next_at <= ${new Date(now_ms).toISOString()} and a.service_provider_id = y.service_provider_id and a.id = y.account_id
      returning y.merchant_id, y.account_id, y.cursor, y.started_at, a.platform`.execute(tx);
    const row = rows[0];
    const account = row && (await platformAccountOf(tx, services, { ...ref, merchant_id: row.merchant_id, platform: row.platform }));
    return row && { ...row, account };
  });
  if (!taken) return;
  if (!taken.account) return end(services, ref, 2, "没有应用替这个账户签名");
  const { account } = taken;
  const api = platformApi(services, account);
  // Stores first: goods name them.
  let [what, cursor] = taken.cursor.startsWith("goods:") ? ["goods", taken.cursor.slice(6)] : ["stores", taken.cursor.slice(7)];
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer = what === "stores" ? await api.stores(cursor) : await api.products(cursor);
    if (answer.kind !== "ok")
      return end(services, ref, 2, answer.kind === "refused" ? answer.message : "平台没有应答，已同步的留着，请再同步一次");
    const { next, cut = false } = answer.value;
    const items = (answer.value.items as readonly (StoreThere | GoodThere)[]).filter(readable);
    const over = what === "goods" && next === null;
    // Of a page that was not whole nothing goes on, here or in a process after this one: goods of it would count as gone.
    const step = cut ? `${what}:${cursor}` : next === null ? "goods:" : `${what}:${next}`;
    await withScope(services.pool, LOAD, async (tx) => {
      const now_ms = services.clock.now_ms();
      // Not before the load began, whatever clock it goes on by: what is older was not seen by it.
      const now = new Date(Math.max(now_ms, Date.parse(taken.started_at))).toISOString();
      if (what === "stores") await seenStores(tx, services, { ...account, platform: account.platform as Adapted }, items as never);
      else await putGoods(tx, services, account, answer.value.items as readonly GoodThere[], now);
      await sql`update platform_syncs y set cursor = ${step}, stores = y.stores + ${what === "stores" ? items.length : 0},
          goods = y.goods + ${what === "goods" ? items.length : 0}, next_at = ${new Date(now_ms + TAKEN_MS).toISOString()}
        where y.service_provider_id = ${ref.service_provider_id} and y.id = ${ref.id} and y.status = 0`.execute(tx);
    });
    if (cut) return end(services, ref, 2, "平台没有把商品给全，没给到的还是原来的状态");
    if (over) return end(services, ref, 1, "");
    if (next === null) [what, cursor] = ["goods", ""];
    else cursor = next;
  }
  return end(services, ref, 2, "平台给的页数太多，先停在这里");
}
/** Keeps what a page of goods tells; what could not be read is there all the same. */
async function putGoods(
  tx: Transaction,
  services: Services,
  { service_provider_id, merchant_id, platform, id: account_id }: PlatformAccount,
  goods: readonly GoodThere[],
  seen_at: string,
): Promise<void> {
  for (const { goodsId, title, goods_kind, onSale, price_cents, market_cents, stock, sold, poiIds } of goods.filter(readable)) {
    const set = { title, goods_kind, status: onSale ? 1 : 2, price_cents, market_cents, stock, sold, poi_ids: [...poiIds], seen_at };
    const where = { service_provider_id, merchant_id, platform, account_id, id: services.ids.uuid(services.clock.now_ms()) };
    await tx
      .insertInto("platform_goods")
      .values({ ...where, goods_id: goodsId, ...set })
      .onConflict((twice) => twice.columns(["service_provider_id", "account_id", "goods_id"]).doUpdateSet(set))
      .execute();
  }
  const unread = goods.filter((one) => !readable(one)).map(({ goodsId }) => goodsId);
  await sql`update platform_goods g set seen_at = ${seen_at} where g.service_provider_id = ${service_provider_id}
    and g.account_id = ${account_id} and g.goods_id = any(${unread}::text[])`.execute(tx);
}
/** Ends a load. One that came whole also ends what it did not see: the platform sells it no more. */
const end = (services: Services, ref: Ref, status: 1 | 2, why: string): Promise<void> =>
  withScope(services.pool, LOAD, async (tx) => {
    await sql`with ended as (update platform_syncs y set status = ${status}, why = ${why}, next_at = null,
        ended_at = ${new Date(services.clock.now_ms()).toISOString()}
        where y.service_provider_id = ${ref.service_provider_id} and y.id = ${ref.id} and y.status = 0 returning y.account_id, y.started_at)
      update platform_goods g set status = 2 from ended
      where ${status} = 1 and g.service_provider_id = ${ref.service_provider_id} and g.account_id = ended.account_id and g.status = 1
        and g.seen_at < ended.started_at`.execute(tx);
  });
