import { sql } from "kysely";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { type Ctx, implement } from "@zhangfang/server/calls/call.ts";
import { invalid, Refusal } from "@zhangfang/server/calls/errors.ts";
import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import { idOfToken } from "@zhangfang/server/files/signed-link.ts";
import { regionsOf } from "../../../reference/server/index.ts";
import { addFillFile, getFillPage, saveFillPage } from "../../contract/index.ts";
import { type Dossier, doctor, fieldOf, FIELDS } from "../../contract/words.ts";
import type { Step } from "../../contract/codes.ts";
import { dossierOf, goneOf, isMicroGranted, type MerchantRow } from "../dossiers/dossier-of.ts";
import { type LivingRow, livingOf, lockedBy, shown, untouchedOf, writeDossier } from "../dossiers/write-dossier.ts";
import { drawPicture, notePicture, writePicture } from "../files/file-routes.ts";
import { FILL } from "./link-routes.ts";

interface Link extends MerchantRow {
  readonly id: string;
  readonly steps: readonly Step[];
  readonly expires_at: string;
  readonly brand: string;
}
/** A link takes so many savings and pictures a day. */
const MOST_A_DAY = 500;
/** Pictures of a merchant's own, by all its links; the office keeps room for its own. */
const MOST_PICTURES = 60;
const WHO = "商户（链接）";
export const MERCHANT_LINK = "the merchant's own link to its papers";

/** The link behind a token of ours that is not over; every other is one answer. @throws 404 */
export async function linkOf(ctx: Ctx, tx: Transaction, token: string): Promise<Link> {
  const id = idOfToken(ctx.services, FILL, token);
  const found =
    id === undefined
      ? undefined
      : await sql<Link>`select l.service_provider_id, l.id, l.merchant_id, l.steps, l.expires_at, m.short_name as name,
          coalesce(p.brand_title, p.short_name) as brand
        from applyment_links l join merchants m on m.service_provider_id = l.service_provider_id and m.id = l.merchant_id
        join service_providers p on p.id = l.service_provider_id
        where l.id = ${id} and l.revoked_at is null and l.expires_at > ${ctx.now} and m.state = 'active'
          and p.state = 'active'`.execute(tx);
  const row = found?.rows[0];
  if (!row) throw new Refusal(404, "applyment.link-over", "链接无效或已停用，请向服务商要新的");
  return row;
}
type Filled = OutputOf<typeof saveFillPage>;
/** What stands in the named steps, and nothing of the others. */
async function filledOf(
  ctx: Ctx,
  tx: Transaction,
  link: Link,
  dossier: Dossier,
  versions: Readonly<Record<string, number>>,
  living: LivingRow | undefined,
): Promise<Filled> {
  const named = (path: string): boolean => link.steps.includes(fieldOf(path)?.step as Step);
  const only = <T>(all: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(all).filter(([path]) => named(path)));
  const micro = await isMicroGranted(tx, link.service_provider_id);
  const gone = await goneOf(tx, link.service_provider_id, dossier);
  const findings = doctor(dossier, { today: shanghaiDay(ctx.now_ms), micro, gone, apart: true }).filter(({ path }) => named(path));
  return {
    paths: FIELDS.filter((field) => named(field.path) && field.when(dossier)).map(({ path }) => path),
    values: only(shown(dossier)),
    versions: only(versions),
    findings: findings.map(({ path, severity, text }) => ({ path, severity, text })),
    rejected: rejectedOf(ctx, link, living, dossier).filter(({ path }) => named(path)),
  };
}

/** Why WeChat Pay sent each field back, where nothing was handed in since. A reason that names no field is the office's to place. */
function rejectedOf(ctx: Ctx, link: Link, living: LivingRow | undefined, dossier: Dossier): Filled["rejected"] {
  if (living?.state !== "REJECTED" || living.sending) return [];
  const untouched = untouchedOf(ctx.services, link.service_provider_id, living, dossier);
  const reasons = new Map<string, string>();
  for (const { paths, reason } of living.rejected)
    for (const path of paths) reasons.set(path, reasons.has(path) ? `${reasons.get(path)}；${reason}` : reason);
  const rewritten = new Set(living.rejected.flatMap((one) => Object.keys(one.rewritten ?? {})));
  return [...reasons].map(([path, reason]) => ({ path, reason, untouched: untouched.includes(path) && !rewritten.has(path) }));
}
/** A secret that a link writes counts as changed, whether or not it is: else a link would tell who guesses when the guess is what was sent. */
async function noteRewritten(tx: Transaction, link: Link, living: LivingRow | undefined, paths: readonly string[]): Promise<void> {
  const secret = paths.filter((path) => fieldOf(path)?.secret);
  if (!living || secret.length === 0) return;
  const marks = JSON.stringify(Object.fromEntries(secret.map((path) => [path, true])));
  await sql`update applyments a set rejected = (select coalesce(jsonb_agg(r.one || jsonb_build_object('rewritten', coalesce(r.one->'rewritten', '{}') || ${marks}::jsonb) order by r.n), '[]')
      from jsonb_array_elements(a.rejected) with ordinality as r (one, n))
    where a.service_provider_id = ${link.service_provider_id} and a.id = ${living.id}`.execute(tx);
}

/** 商户填写资料. */
export const getFillPageRoute = implement(getFillPage, (ctx, { token }) =>
  ctx.platform(MERCHANT_LINK, async (tx) => {
    const link = await linkOf(ctx, tx, token);
    const found = await dossierOf(tx, ctx.services, link);
    const living = await livingOf(tx, link);
    return {
      ...(await filledOf(ctx, tx, link, found?.dossier ?? {}, found?.versions ?? {}, living)),
      brandName: link.brand,
      merchantName: link.name,
      steps: [...link.steps],
      micro: await isMicroGranted(tx, link.service_provider_id),
      until: link.expires_at as never,
      closed: lockedBy(living) ?? null,
      // Districts are not asked for.
      regions: (await regionsOf(tx)).map((one) => ({ ...one, cities: one.cities.map((city) => ({ ...city, districts: [] })) })),
    };
  }),
);

/** Counts a saving at a link. @throws 429 after too many of a day */
async function count(ctx: Ctx, tx: Transaction, token: string, { service_provider_id, id }: Link): Promise<void> {
  const day = shanghaiDay(ctx.now_ms);
  const moved =
    await sql`update applyment_links l set saved_at = ${ctx.now}, saves_on = ${day}, saves = case when l.saves_on = ${day} then l.saves + 1 else 1 end
    where l.service_provider_id = ${service_provider_id} and l.id = ${id} and l.revoked_at is null and l.expires_at > ${ctx.now}
      and (l.saves_on is distinct from ${day}::date or l.saves < ${MOST_A_DAY})`.execute(tx);
  // Taken back while this waited for it: that is another answer than too many.
  if (moved.numAffectedRows !== 1n) await linkOf(ctx, tx, token);
  mustChange({ numUpdatedRows: moved.numAffectedRows ?? 0n }, () => new Refusal(429, "too-many", "今天保存得太多，请明天再填"));
}
/** 商户填写开户资料: what is not of the named steps is refused before anything is written. */
export const saveFillPageRoute = implement(saveFillPage, (ctx, { token, changes }) =>
  ctx.platform(MERCHANT_LINK, async (tx) => {
    const link = await linkOf(ctx, tx, token);
    if (changes.some(({ path }) => !link.steps.includes(fieldOf(path)?.step as Step))) throw invalid("changes", "这一栏不在链接的范围里");
    await count(ctx, tx, token, link);
    const { id, content, versions } = await writeDossier(tx, ctx.services, link, { changes, by_name: WHO, now_ms: ctx.now_ms });
    await noteRewritten(
      tx,
      link,
      await livingOf(tx, link),
      changes.map(({ path }) => path),
    );
    await ctx.audit(tx, {
      targetKind: "dossier",
      targetId: id,
      provider: link.service_provider_id,
      merchant: link.merchant_id,
      after: { link: link.id, fields: changes.map(({ path }) => path) },
    });
    return filledOf(ctx, tx, link, content, versions, await livingOf(tx, link));
  }),
);
/** 商户上传进件图片: drawn between two short transactions, so that neither the link nor a connection is held meanwhile. */
export const addFillFileRoute = implement(addFillFile, async (ctx, { token, base64 }) => {
  await ctx.platform(MERCHANT_LINK, (tx) => linkOf(ctx, tx, token));
  const bytes = await drawPicture(base64);
  const id = await ctx.platform(MERCHANT_LINK, async (tx) => {
    const link = await linkOf(ctx, tx, token);
    await count(ctx, tx, token, link);
    const noted = await notePicture(tx, ctx.services, link, { bytes, by_name: WHO, now_ms: ctx.now_ms, most: MOST_PICTURES });
    await ctx.audit(tx, {
      targetKind: "applyment_file",
      targetId: noted,
      provider: link.service_provider_id,
      merchant: link.merchant_id,
      after: { link: link.id, bytes: bytes.length },
    });
    return noted;
  });
  await writePicture(ctx.services, id, bytes);
  return { id };
});
