import { sql } from "kysely";
import { derivedKey } from "@zhangfang/server/config.ts";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { seal, unseal } from "@zhangfang/server/crypto.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { type ChannelAccount, type ChannelGuide, type Outcome, storeChannelOf } from "../../../channels/server/index.ts";
import { accountOf, beginStoreCall, endStoreCall, wordsOf } from "../channel/store-calls.ts";

/** A registration that nobody finished in this time will not be finished. */
const STUCK_MS = 60_000;
const place = (provider: string, id: string) => `guides.phone:${provider}:${id}`;
const keyOf = (services: Services) => derivedKey(services.config.secret, "guides");
export const sealPhone = (services: Services, provider: string, id: string, phone: string): string =>
  seal(keyOf(services), place(provider, id), phone);

interface Guide {
  readonly service_provider_id: string;
  readonly id: string;
  readonly merchant_id: string;
  readonly store_id: string;
  readonly guide_id: string | null;
  readonly status: string;
  readonly wx_store_id: string | null;
  readonly corp_id: string;
  readonly wecom_user_id: string;
  readonly name: string;
  readonly phone_sealed: string;
  readonly qr_code: string;
  readonly avatar: string;
}

/**
 * Tells the channel of a person: registers whom it does not know, changes whom it knows. Whoever may be there already is
 * looked for first, so that a lost answer registers nobody twice. Each step is written down before it is sent.
 * @param fresh the row was made for this call, so that it is not taken again
 */
export async function sendGuide(ctx: Ctx, id: string, fresh: boolean) {
  const { guide, account } = await ctx.transaction(async (tx) => {
    const found = await sql<Guide>`select g.*, w.wx_store_id from guides g
      left join wx_stores w on w.service_provider_id = g.service_provider_id and w.store_id = g.store_id
      where g.id = ${id} and ${inScope(ctx.scope, "g", "store")}`.execute(tx);
    const row = found.rows[0];
    if (!row) throw notFound("服务人员");
    if (row.wx_store_id === null) throw conflict("门店还没有关联微信门店，请先在微信门店里提交");
    const signing = await accountOf(tx, ctx.services, row);
    if (!fresh) {
      const before = new Date(ctx.now_ms - STUCK_MS).toISOString();
      const taken = await sql`update guides set status = 'registering', message = null, updated_at = ${ctx.now}
        where service_provider_id = ${row.service_provider_id} and id = ${id} and (status <> 'registering' or updated_at < ${before})`.execute(
        tx,
      );
      if (taken.numAffectedRows !== 1n) throw conflict("正在登记，请稍后再试");
    }
    return { guide: row, account: signing };
  });
  const outcome = await tell(ctx, guide, account);
  const status = outcome.kind === "ok" ? "active" : outcome.kind === "refused" ? "failed" : "unsure";
  const message = wordsOf(outcome);
  return ctx.transaction(async (tx) => {
    const guide_id = outcome.kind === "ok" ? outcome.value.guideId : guide.guide_id;
    const changed = await sql`update guides set status = ${status}, message = ${message}, guide_id = ${guide_id},
      updated_at = ${new Date(ctx.services.clock.now_ms()).toISOString()}
      where service_provider_id = ${guide.service_provider_id} and id = ${id} and status = 'registering'`.execute(tx);
    if (changed.numAffectedRows !== 1n) throw conflict("服务人员的状态已变化，请刷新后查看");
    await ctx.audit(tx, {
      targetKind: "guide",
      targetId: id,
      after: { status, message, guideId: guide_id },
      provider: guide.service_provider_id,
      merchant: guide.merchant_id,
    });
    return { id, status, message } as const;
  });
}

async function tell(ctx: Ctx, guide: Guide, account: ChannelAccount): Promise<Outcome<{ readonly guideId: string }>> {
  const channel = storeChannelOf(ctx.services);
  const person: ChannelGuide = {
    wxStoreId: guide.wx_store_id ?? "",
    corpId: guide.corp_id,
    wecomUserId: guide.wecom_user_id,
    name: guide.name,
    phone: unseal(keyOf(ctx.services), place(guide.service_provider_id, guide.id), guide.phone_sealed),
    qrCode: guide.qr_code,
    avatar: guide.avatar,
  };
  const step = async <T>(operation: Parameters<typeof beginStoreCall>[3], ask: () => Promise<Outcome<T>>): Promise<Outcome<T>> => {
    const { service_provider_id, merchant_id, store_id, id: guide_row_id } = guide;
    const about = { service_provider_id, merchant_id, store_id, guide_row_id };
    const call = await ctx.transaction((tx) => beginStoreCall(tx, ctx.services, about, operation));
    const outcome = await ask();
    await ctx.transaction((tx) => endStoreCall(tx, ctx.services, call, outcome));
    return outcome;
  };
  let guideId = guide.guide_id;
  if (guideId === null) {
    const there = await step("find-guide", () => channel.findGuide(account, person.wxStoreId, person.wecomUserId));
    if (there.kind !== "ok") return there;
    guideId = there.value?.guideId ?? null;
    if (guideId === null) return step("register-guide", () => channel.registerGuide(account, person));
  }
  const known = guideId;
  const changed = await step("update-guide", () => channel.updateGuide(account, known, person));
  return changed.kind === "ok" ? { kind: "ok", value: { guideId: known } } : changed;
}
