import { sql } from "kysely";
import type { CodeOf } from "@zhangfang/contract/labelled.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { asPlatform, mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { applymentChannelOf } from "../../../channels/server/index.ts";
import { holdMerchant, mustBeQuiet } from "../../../organisation/server/index.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { askWilling, chooseNumber, tickAfter, type willing as willingState } from "../../contract/index.ts";
import { accountOf } from "../account/account-of.ts";
import { takeNumber } from "../asking/hear.ts";
import { maskedIn, shown } from "../asking/steps.ts";
import { openDossier } from "../dossiers/seals.ts";
import { LOOK_S } from "../rules/ask-times.ts";
import { addEvent } from "./events.ts";

interface Finished {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly mch_id: string;
  readonly sub_mch_id: string;
  readonly rounds: number;
  readonly other_number: boolean;
  readonly content_sealed: string;
}
/** A finished application in sight, held. @throws 404, 409 */
async function finishedOf(tx: Transaction, scope: Scope, id: string): Promise<Finished> {
  const { rows } = await sql<
    Finished & { state: string }
  >`select a.service_provider_id, a.merchant_id, a.mch_id, a.sub_mch_id, a.rounds, a.other_number, a.state, a.content_sealed
    from applyments a where a.id = ${id} and ${inScope(scope, "a", "merchant")} for no key update of a`.execute(tx);
  const [found] = rows;
  if (!found) throw notFound("进件申请");
  if (found.state !== "FINISHED") throw conflict("开通完成后才能办理", "applyment.not-finished");
  return found;
}

/** 选定商户号: the old one stays, or the new one takes its place, unverified. */
export const chooseNumberRoute = implement(chooseNumber, async (ctx, { id, use, standing, opened }) => {
  const { tx, scope, services } = ctx;
  const found = await finishedOf(tx, scope, id);
  const { service_provider_id, merchant_id, mch_id, sub_mch_id } = found;
  // Whoever sets a number by hand at this moment comes before or after.
  await holdMerchant(tx, { service_provider_id, id: merchant_id });
  const moved = await sql`update applyments a set other_number = false where a.service_provider_id = ${service_provider_id} and a.id = ${id}
    and a.other_number`.execute(tx);
  mustChange({ numUpdatedRows: moved.numAffectedRows ?? 0n }, () => conflict("商户号已经选定", "applyment.chosen"));
  const { rows: now } = await sql<{ number: string }>`select coalesce(s.sub_mch_id, s.mch_id) as number from channel_settings s
    where s.service_provider_id = ${service_provider_id} and s.merchant_id = ${merchant_id} and s.channel = 0`.execute(tx);
  if (opened !== sub_mch_id || standing !== (now[0]?.number ?? ""))
    throw conflict("商户号刚刚变过，请看清现在的两个号再选", "applyment.numbers-moved");
  let secretGone = false;
  if (use === "take") {
    const account = await accountOf(tx, services, service_provider_id);
    if (account?.mchId !== mch_id) throw conflict("进件账户换了商户号，换回后再选定", "applyment.other-account");
    await mustBeQuiet(tx, { service_provider_id, id: merchant_id }, { channel: 0, alipay: false });
    const { rows } = await sql<{
      has: boolean;
    }>`select s.app_secret_sealed is not null and s.app_id <> ${account.appId} as has from channel_settings s
      where s.service_provider_id = ${service_provider_id} and s.merchant_id = ${merchant_id} and s.channel = 0`.execute(tx);
    secretGone = rows[0]?.has ?? false;
    await takeNumber(tx, services, { service_provider_id, merchant_id, account, subMchId: sub_mch_id });
  }
  await addEvent(
    tx,
    services,
    { service_provider_id, id, merchant_id },
    {
      kind: "chosen",
      state: "FINISHED",
      round: found.rounds,
      by_name: askerOf(ctx).name,
      said:
        use === "take"
          ? `换成 ${sub_mch_id}，还要验证${secretGone ? "；AppID 换了，原来的 AppSecret 已清掉，微信内付款前请填新的" : ""}`
          : "继续用原来的商户号",
    },
  );
  ctx.note({ targetKind: "applyment", targetId: id, provider: service_provider_id, merchant: merchant_id, after: { use } });
  return { ok: true } as const;
});

/** 登记开通后事项. */
export const tickAfterRoute = implement(tickAfter, async (ctx, { id, thing, done }) => {
  const { tx, scope, now } = ctx;
  const { service_provider_id, merchant_id } = await finishedOf(tx, scope, id);
  if (done)
    await tx
      .insertInto("applyment_checks")
      .values({ service_provider_id, applyment_id: id, merchant_id, thing, by_name: askerOf(ctx).name, done_at: now })
      .onConflict((twice) => twice.columns(["service_provider_id", "applyment_id", "thing"]).doNothing())
      .execute();
  else
    await tx
      .deleteFrom("applyment_checks")
      .where("service_provider_id", "=", service_provider_id)
      .where("applyment_id", "=", id)
      .where("thing", "=", thing)
      .execute();
  ctx.note({ targetKind: "applyment", targetId: id, provider: service_provider_id, merchant: merchant_id, after: { thing, done } });
  return { ok: true } as const;
});

/** 查开户意愿: written down before it is asked, and answered after it. */
export const askWillingRoute = implement(askWilling, async (ctx, { id }) => {
  const { services, scope, now, now_ms } = ctx;
  const callId = services.ids.uuid(now_ms);
  const begun = await ctx.transaction(async (tx) => {
    const found = await finishedOf(tx, scope, id);
    const { service_provider_id, merchant_id } = found;
    // An agent or a team asks with keys that it may not see.
    const account = await asPlatform(tx, () => accountOf(tx, services, service_provider_id));
    if (account?.mchId !== found.mch_id) throw conflict("进件账户换了商户号，换回后再查", "applyment.other-account");
    const moved =
      await sql`update applyments a set willing_at = ${now} where a.service_provider_id = ${service_provider_id} and a.id = ${id}
      and (a.willing_at is null or a.willing_at <= ${new Date(now_ms - LOOK_S * 1000).toISOString()})`.execute(tx);
    if (moved.numAffectedRows !== 1n) return undefined;
    await tx
      .insertInto("applyment_calls")
      .values({ service_provider_id, id: callId, merchant_id, applyment_id: id, operation: "willing", started_at: now })
      .execute();
    return { found, account };
  });
  if (!begun) return { willing: null, message: "刚刚查过，一分钟后再查" };
  const { service_provider_id, merchant_id, sub_mch_id } = begun.found;
  const outcome = await applymentChannelOf(services).willing(begun.account, sub_mch_id);
  services.metrics.channelCalls.inc({ operation: "applyment-willing", outcome: outcome.kind });
  const dossier = openDossier(services, service_provider_id, `applyments:${id}`, begun.found.content_sealed);
  const willing: CodeOf<typeof willingState> | null =
    outcome.kind === "ok" ? (outcome.value.authorized ? "AUTHORIZED" : "UNAUTHORIZED") : null;
  await ctx.transaction(async (tx) => {
    await tx
      .updateTable("applyment_calls")
      .set({ ended_at: new Date(services.clock.now_ms()).toISOString(), ...shown(outcome, dossier) })
      .where("service_provider_id", "=", service_provider_id)
      .where("id", "=", callId)
      .execute();
    if (willing)
      await sql`update applyments a set willing = ${willing} where a.service_provider_id = ${service_provider_id} and a.id = ${id}`.execute(
        tx,
      );
    await ctx.audit(tx, {
      targetKind: "applyment",
      targetId: id,
      provider: service_provider_id,
      merchant: merchant_id,
      after: { willing, outcome: outcome.kind },
    });
  });
  if (outcome.kind === "unknown") return { willing: null, message: "微信支付暂时没有应答，请稍后再查" };
  return { willing, message: outcome.kind === "refused" ? maskedIn(`微信支付没有给结果：${outcome.message}`, dossier).slice(0, 200) : "" };
});
