import { sql } from "kysely";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { linkToken } from "@zhangfang/server/files/signed-link.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { addApplymentLink, listApplymentLinks, revokeApplymentLink } from "../../contract/index.ts";
import { merchantOf } from "../dossiers/dossier-of.ts";

export const FILL = "applyment-fill";
const MOST_LIVING = 5;
const DAY_MS = 86_400_000;
/** The page of a link; it names the link and proves itself. */
const urlOf = (services: Pick<Services, "config">, id: string): string =>
  `${services.config.public_url}/fill/${linkToken(services, FILL, id)}`;

type Item = OutputOf<typeof listApplymentLinks>["items"][number];
/** 商户填写链接. */
export const listApplymentLinksRoute = implement(listApplymentLinks, async ({ tx, scope, services, now }, { merchantId }) => {
  const { service_provider_id, merchant_id } = await merchantOf(tx, scope, merchantId);
  const { rows } = await sql<
    Item & { living: boolean }
  >`select l.id, l.steps, l.expires_at as "expiresAt", l.revoked_at as "revokedAt", l.saved_at as "savedAt",
      l.by_name as "byName", l.created_at as "createdAt", l.revoked_at is null and l.expires_at > ${now} as living
    from applyment_links l where l.service_provider_id = ${service_provider_id} and l.merchant_id = ${merchant_id} order by l.created_at desc, l.id desc limit 20`.execute(
    tx,
  );
  return { items: rows.map(({ living, ...row }) => ({ ...row, url: living ? urlOf(services, row.id) : null })) };
});

/** 生成商户填写链接. */
export const addApplymentLinkRoute = implement(addApplymentLink, async (ctx, { merchantId, steps, days }) => {
  const { tx, scope, services, now, now_ms } = ctx;
  const { service_provider_id, merchant_id } = await merchantOf(tx, scope, merchantId);
  // Counted by one at a time.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`applyment-links:${merchant_id}`}, 0))`.execute(tx);
  const { rows } = await sql<{
    n: number;
  }>`select count(*)::int as n from applyment_links l where l.service_provider_id = ${service_provider_id}
    and l.merchant_id = ${merchant_id} and l.revoked_at is null and l.expires_at > ${now}`.execute(tx);
  if (rows[0]!.n >= MOST_LIVING) throw conflict(`还有 ${MOST_LIVING} 个链接能用，请先停用不要的`, "applyment.links");
  const id = services.ids.uuid(now_ms);
  const named = [...new Set(steps)].toSorted((a, b) => a - b);
  await tx
    .insertInto("applyment_links")
    .values({
      service_provider_id,
      id,
      merchant_id,
      steps: named,
      expires_at: new Date(now_ms + days * DAY_MS).toISOString(),
      by_name: askerOf(ctx).name,
      created_at: now,
    })
    .execute();
  ctx.note({
    targetKind: "applyment_link",
    targetId: id,
    provider: service_provider_id,
    merchant: merchant_id,
    after: { steps: named, days },
  });
  return { id };
});

/** 停用商户填写链接: it is over at once. */
export const revokeApplymentLinkRoute = implement(revokeApplymentLink, async (ctx, { id }) => {
  const { tx, scope, now } = ctx;
  const { rows } = await sql<{
    service_provider_id: string;
    merchant_id: string;
  }>`select l.service_provider_id, l.merchant_id from applyment_links l
    join merchants m on m.service_provider_id = l.service_provider_id and m.id = l.merchant_id where l.id = ${id} and ${inScope(scope, "m", "full")}`.execute(
    tx,
  );
  const [found] = rows;
  if (!found) throw notFound("链接");
  const moved =
    await sql`update applyment_links l set revoked_at = ${now} where l.service_provider_id = ${found.service_provider_id} and l.id = ${id}
    and l.revoked_at is null`.execute(tx);
  mustChange({ numUpdatedRows: moved.numAffectedRows ?? 0n }, () => conflict("这个链接已经停用", "applyment.link-over"));
  ctx.note({ targetKind: "applyment_link", targetId: id, provider: found.service_provider_id, merchant: found.merchant_id });
  return { ok: true } as const;
});
