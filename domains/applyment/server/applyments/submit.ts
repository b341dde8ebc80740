import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict, notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { askApplyment, submitApplyment, voidApplyment } from "../../contract/index.ts";
import { NO_REASON } from "../../contract/codes.ts";
import { type Dossier, fieldOf, isFit, maskOf, textOf } from "../../contract/words.ts";
import { dossierOf, findingsOf, merchantOf, submissionsOf } from "../dossiers/dossier-of.ts";
import { sealDossier } from "../dossiers/seals.ts";
import { LOOK_S, SETTLED_S } from "../rules/ask-times.ts";
import { addEvent } from "./events.ts";

/** 提交审核: what is handed in is a copy; the job sends it. */
export const submitApplymentRoute = implement(submitApplyment, async (ctx, { merchantId, versions, submissions }) => {
  const { tx, scope, services, now, now_ms } = ctx;
  const merchant = await merchantOf(tx, scope, merchantId);
  const { service_provider_id, merchant_id } = merchant;
  const found = await dossierOf(tx, services, merchant, true);
  mustBeSeen(found?.versions ?? {}, versions);
  const findings = await findingsOf(tx, services, merchant, scope, found?.dossier ?? {});
  const errors = findings.filter(({ severity }) => severity === "error").length;
  if (!found || !isFit(findings)) throw conflict(`体检还有 ${errors} 处错误，改好再提交`, "applyment.unfit");
  const { rows } = await sql<{
    id: string;
    state: string;
    rounds: number;
    busy: boolean;
    content_sealed: string;
  }>`select a.id, a.state, a.rounds,
      a.unsent or a.unheard or a.state not in ('EDITTING', 'REJECTED') as busy, a.content_sealed
    from applyments a where a.service_provider_id = ${service_provider_id} and a.merchant_id = ${merchant_id} and a.state not in ('FINISHED', 'CANCELED')
    for no key update of a`.execute(tx);
  const [living] = rows;
  if (living?.busy) throw conflict("这份资料已提交，正在审核", "applyment.on-its-way");
  if ((await submissionsOf(tx, merchant)) !== submissions)
    throw conflict("这份资料刚刚已提交过一次，请看过它的结果再提交", "applyment.on-its-way");
  const { dossier } = found;
  const by_name = askerOf(ctx).name;
  const id = living?.id ?? services.ids.uuid(now_ms);
  const round = (living?.rounds ?? 0) + 1;
  const facts = handedIn(services, { service_provider_id, id, round, now, by_name }, dossier);
  if (living) {
    const moved = await tx
      .updateTable("applyments")
      // An answer that is still on its way to us is about the round before.
      .set({ ...facts, turn: sql`turn + 1` })
      .where("service_provider_id", "=", service_provider_id)
      .where("id", "=", id)
      .where(sql<boolean>`state in ('EDITTING', 'REJECTED') and not unsent and not unheard`)
      .executeTakeFirst();
    mustChange(moved, () => conflict("这份资料已提交，正在审核", "applyment.on-its-way"));
  } else {
    const made = await tx
      .insertInto("applyments")
      .values({ service_provider_id, id, merchant_id, state_at: now, created_at: now, ...facts })
      .onConflict((twice) =>
        twice
          .columns(["service_provider_id", "merchant_id"])
          .where(sql<boolean>`state not in ('FINISHED', 'CANCELED')`)
          .doNothing(),
      )
      .executeTakeFirst();
    mustChange(made, () => conflict("这份资料已提交，正在审核", "applyment.on-its-way"));
  }
  const event = services.ids.uuid(now_ms);
  await addEvent(
    tx,
    services,
    { service_provider_id, id, merchant_id },
    {
      id: event,
      kind: "submitted",
      state: living?.state ?? "EDITTING",
      round,
      by_name,
      content_sealed: sealDossier(services, service_provider_id, `applyment_events:${event}`, dossier),
    },
  );
  ctx.note({ targetKind: "applyment", targetId: id, provider: service_provider_id, merchant: merchant_id, after: { round } });
  return { id };
});

/** What goes out is what the person saw: an account that somebody wrote meanwhile is confirmed anew. @throws 409 with the fields */
function mustBeSeen(there: Readonly<Record<string, number>>, seen: Readonly<Record<string, number>>): void {
  const fields: Record<string, string> = {};
  for (const path of new Set([...Object.keys(there), ...Object.keys(seen)]))
    if ((there[path] ?? 0) !== (seen[path] ?? 0)) fields[path] = `${fieldOf(path)?.label ?? "资料"}已被他人修改，请看过再提交`;
  const [first] = Object.values(fields);
  if (first !== undefined) throw new Refusal(409, "dossier.changed", first, fields);
}

/** A round as it begins: a copy of the dossier, to be sent. */
function handedIn(
  services: Services,
  {
    service_provider_id,
    id,
    round,
    now,
    by_name,
  }: { readonly service_provider_id: string; readonly id: string; readonly round: number; readonly now: string; readonly by_name: string },
  dossier: Dossier,
) {
  return {
    content_sealed: sealDossier(services, service_provider_id, `applyments:${id}`, dossier),
    short_name: textOf(dossier, "business.shortName"),
    subject: textOf(dossier, "subject.type"),
    admin_name: maskOf("contact.name", textOf(dossier, "contact.name")),
    admin_phone: maskOf("contact.phone", textOf(dossier, "contact.phone")),
    rounds: round,
    submitted_at: now,
    unsent: true,
    unheard: false,
    refusal: null,
    lost: 0,
    lost_why: null,
    media_again: false,
    asked: 0,
    slow_s: 0,
    alarm: false,
    next_at: now,
    by_name,
  };
}

/** 现在查: once a minute, whether or not a question came of it, and never while a call is on its way. */
export const askApplymentRoute = implement(askApplyment, async ({ tx, scope, now, now_ms }, { id }) => {
  const over = sql<boolean>`a.state = 'FINISHED' or (a.state = 'CANCELED' and a.voided_at is null) or (a.next_at is null and not a.alarm and (a.state <> 'REJECTED'
    or exists (select 1 from jsonb_array_elements(a.rejected) r where r->>'reason' <> ${NO_REASON})))`;
  const { rows } = await sql<{
    service_provider_id: string;
    over: boolean;
  }>`select a.service_provider_id, ${over} as over from applyments a where a.id = ${id} and ${inScope(scope, "a", "merchant")} for no key update of a`.execute(
    tx,
  );
  const [found] = rows;
  if (!found) throw notFound("进件申请");
  if (found.over) throw conflict("现在没有要查的：等资料改好再提交，或已有最后的结果", "applyment.nothing-to-ask");
  const before = new Date(now_ms - LOOK_S * 1000).toISOString();
  const moved =
    await sql`update applyments a set next_at = ${now}, pressed_at = ${now} where a.service_provider_id = ${found.service_provider_id} and a.id = ${id}
    and not (${over}) and (a.asked_at is null or a.asked_at <= ${before}) and (a.pressed_at is null or a.pressed_at <= ${before})
    and not exists (select from applyment_calls c where c.service_provider_id = a.service_provider_id and c.applyment_id = a.id
      and c.ended_at is null and c.started_at > ${before})`.execute(tx);
  mustChange({ numUpdatedRows: moved.numAffectedRows ?? 0n }, () => conflict("刚刚查过，一分钟后再查", "applyment.asked-lately"));
  return { ok: true } as const;
});

/** 作废: WeChat Pay is not told, it has no call for that; what was ever sent is still looked at. */
export const voidApplymentRoute = implement(voidApplyment, async (ctx, { id, reason }) => {
  const { tx, scope, services, now, now_ms } = ctx;
  const { rows } = await sql<{
    service_provider_id: string;
    merchant_id: string;
    rounds: number;
  }>`select a.service_provider_id, a.merchant_id, a.rounds
    from applyments a where a.id = ${id} and ${inScope(scope, "a", "merchant")} for no key update of a`.execute(tx);
  const [found] = rows;
  if (!found) throw notFound("进件申请");
  const later = new Date(now_ms + SETTLED_S * 1000).toISOString();
  const moved =
    await sql`update applyments a set state = 'CANCELED', state_at = ${now}, voided_at = ${now}, turn = a.turn + 1, sign_url = null, alarm = false,
      next_at = case when a.code is null then null else ${later}::timestamptz end
    where a.service_provider_id = ${found.service_provider_id} and a.id = ${id} and a.state in ('EDITTING', 'REJECTED') and not a.unsent and not a.unheard`.execute(
      tx,
    );
  mustChange({ numUpdatedRows: moved.numAffectedRows ?? 0n }, () =>
    conflict("只有编辑中和已驳回的能作废；审核中的请等微信支付的结果", "applyment.not-voidable"),
  );
  await addEvent(
    tx,
    services,
    { ...found, id },
    { kind: "voided", state: "CANCELED", round: found.rounds, said: reason, by_name: askerOf(ctx).name },
  );
  ctx.note({
    targetKind: "applyment",
    targetId: id,
    provider: found.service_provider_id,
    merchant: found.merchant_id,
    after: { voided: reason },
  });
  return { ok: true } as const;
});
