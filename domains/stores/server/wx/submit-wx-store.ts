import { sql } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { storeChannelOf } from "../../../channels/server/index.ts";
import { openingWords, submitWxStore, type Opening } from "../../contract/index.ts";
import { accountOf, beginStoreCall, endStoreCall, wordsOf } from "../channel/store-calls.ts";

/** A submission that nobody finished in this time will not be finished. */
const STUCK_MS = 60_000;

/** 提交微信门店: written down before, settled after; where no answer came, nobody knows, and somebody has to look. */
export const submitWxStoreRoute = implement(submitWxStore, async (ctx, { id }) => {
  const { store, account, call, told } = await ctx.transaction(async (tx) => {
    const found = await readStore(ctx, tx, id);
    const about = { service_provider_id: found.service_provider_id, merchant_id: found.merchant_id, store_id: id };
    const signing = await accountOf(tx, ctx.services, about);
    const addressCode = await codeOf(tx, found);
    if (!found.address || !addressCode) throw conflict("请先填写门店的地区和详细地址");
    await claim(ctx, tx, about);
    const asked = {
      number: found.number,
      brandName: found.merchant_name,
      name: found.short_name,
      addressCode,
      address: found.address,
      latitude: found.latitude,
      longitude: found.longitude,
      phone: found.phone,
      hours: openingWords(found.opening),
    };
    return { store: about, account: signing, call: await beginStoreCall(tx, ctx.services, about, "open-store"), told: asked };
  });
  const outcome = await storeChannelOf(ctx.services).openStore(account, told);
  const status = outcome.kind === "ok" ? "auditing" : outcome.kind === "refused" ? "failed" : "unsure";
  const message = wordsOf(outcome);
  const wx_store_id = outcome.kind === "ok" ? outcome.value.wxStoreId : null;
  return ctx.transaction(async (tx) => {
    await endStoreCall(tx, ctx.services, call, outcome);
    mustChange(
      await tx
        .updateTable("wx_stores")
        .set({ status, message, wx_store_id, updated_at: new Date(ctx.services.clock.now_ms()).toISOString() })
        .where("service_provider_id", "=", store.service_provider_id)
        .where("store_id", "=", id)
        .where("status", "=", "creating")
        .executeTakeFirst(),
      () => conflict("门店的状态已变化，请刷新后查看"),
    );
    await ctx.audit(tx, {
      targetKind: "wx-store",
      targetId: id,
      after: { status, message, wxStoreId: wx_store_id },
      provider: store.service_provider_id,
      merchant: store.merchant_id,
    });
    return { status, message };
  });
});

interface Found {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly merchant_name: string;
  readonly number: string;
  readonly short_name: string;
  readonly province: string | null;
  readonly city: string | null;
  readonly district: string | null;
  readonly address: string | null;
  readonly phone: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly opening: Opening | null;
}
async function readStore(ctx: Ctx, tx: Transaction, id: string): Promise<Found> {
  const found = await sql<Found>`select s.*, m.short_name as merchant_name from stores s
    join merchants m on m.service_provider_id = s.service_provider_id and m.id = s.merchant_id
    where s.id = ${id} and ${inScope(ctx.scope, "s")}`.execute(tx);
  if (!found.rows[0]) throw notFound("门店");
  return found.rows[0];
}
/** Six digits of where the store lies: its district, or its city where none is told. */
async function codeOf(tx: Transaction, { province, city, district }: Found): Promise<string | undefined> {
  const found = await sql<{ code: string }>`
    select rpad(left(coalesce(d.code, c.code), 6), 6, '0') as code from divisions p
    join divisions c on c.parent_code = p.code and (c.name = ${city} or (p.name = ${city} and c.name in ('市辖区', '县')))
    left join divisions d on d.parent_code = c.code and d.name = ${district}
    where p.level = 1 and p.name = ${province} order by d.code nulls last, c.code limit 1`.execute(tx);
  return found.rows[0]?.code;
}
/** Takes the store for this submission. @throws 409 where it is at the channel already or on its way */
async function claim(
  ctx: Ctx,
  tx: Transaction,
  store: { service_provider_id: string; merchant_id: string; store_id: string },
): Promise<void> {
  const before = new Date(ctx.now_ms - STUCK_MS).toISOString();
  const taken = await sql`insert into wx_stores as w (service_provider_id, store_id, merchant_id, status, created_at, updated_at)
    values (${store.service_provider_id}, ${store.store_id}, ${store.merchant_id}, 'creating', ${ctx.now}, ${ctx.now})
    on conflict (service_provider_id, store_id) do update set status = 'creating', message = null, updated_at = ${ctx.now}
    where w.status in ('failed', 'unsure') or (w.status = 'creating' and w.updated_at < ${before})`.execute(tx);
  if (taken.numAffectedRows !== 1n) throw conflict("门店已提交或已关联，请刷新后查看");
}
