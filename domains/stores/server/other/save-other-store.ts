import { sql } from "kysely";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Author } from "@zhangfang/server/calls/call.ts";
import { asPlatform, type Transaction } from "@zhangfang/server/database/db.ts";
import { invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { saveOtherStore } from "../../contract/index.ts";

/** 保存其他门店. */
export const saveOtherStoreRoute = implement(saveOtherStore, async (ctx, input) => {
  const { id, told } = await writeOtherStore(ctx, ctx.tx, input);
  ctx.note(told);
  return { id };
});

/** Saves a platform's store and the own store it is mapped to; both must be of one merchant in sight. @returns its id, and the audit note for whoever writes it */
export async function writeOtherStore(
  author: Pick<Author, "services" | "scope" | "now" | "now_ms">,
  tx: Transaction,
  input: ParsedOf<typeof saveOtherStore>,
) {
  const storeId = input.storeId ?? null;
  const { scope } = author;
  const merchant = (
    await sql<{ service_provider_id: string }>`
    select m.service_provider_id from merchants m where m.id = ${input.merchantId} and ${inScope(scope, "m", "merchant")}
      and (${storeId}::uuid is null or exists (select 1 from stores s where s.service_provider_id = m.service_provider_id and s.merchant_id = m.id and s.id = ${storeId} and ${inScope(scope, "s")}))`.execute(
      tx,
    )
  ).rows[0];
  if (!merchant) throw notFound("门店");
  const known = await tx
    .selectFrom("other_stores")
    .select(["mapped_store_id", "is_primary", "mapped_from"])
    .where("service_provider_id", "=", merchant.service_provider_id)
    .where("merchant_id", "=", input.merchantId)
    .where("platform", "=", input.platform)
    .where("platform_store_id", "=", input.platformStoreId)
    .forUpdate()
    .executeTakeFirst();
  const mapped_from = firstDay(known, { storeId, fromDay: input.fromDay }, shanghaiDay(author.now));
  if (mapped_from !== null && mapped_from !== known?.mapped_from)
    await mustBeOpen(tx, { ...merchant, merchant_id: input.merchantId }, [known?.mapped_store_id ?? null, storeId], mapped_from);
  if (storeId !== null && storeId !== known?.mapped_store_id) await mustBeFree(tx, merchant.service_provider_id, input);
  const saved = { name: input.name, mapped_store_id: storeId, mapped_from, is_primary: false, updated_at: author.now };
  const row = await tx
    .insertInto("other_stores")
    .values({
      service_provider_id: merchant.service_provider_id,
      id: author.services.ids.uuid(author.now_ms),
      merchant_id: input.merchantId,
      platform: input.platform,
      platform_store_id: input.platformStoreId,
      ...saved,
    })
    .onConflict((conflicting) =>
      conflicting.columns(["service_provider_id", "merchant_id", "platform", "platform_store_id"]).doUpdateSet(saved),
    )
    .returning("id")
    .executeTakeFirstOrThrow();
  const stays = known?.is_primary === true && known.mapped_store_id === storeId;
  if (storeId !== null)
    await placePrimary(tx, { ...input, provider: merchant.service_provider_id, id: row.id, storeId, wanted: input.primary ?? stays });
  const told = {
    targetKind: "other-store",
    targetId: row.id,
    after: {
      platform: input.platform,
      platformStoreId: input.platformStoreId,
      storeId,
      ...(mapped_from !== null && { mappedFrom: mapped_from }),
    },
    provider: merchant.service_provider_id,
    merchant: input.merchantId,
  };
  return { id: row.id, told };
}

/**
 * From when a mapping holds: null is all that there is, for one that is the first. Another one begins today or on the day that is given, which
 * is none before the present one's: what that has keeps its store. @throws 400 at `fromDay`
 */
function firstDay(
  known: { readonly mapped_store_id: string | null; readonly mapped_from: string | null } | undefined,
  { storeId, fromDay }: { readonly storeId: string | null; readonly fromDay: string | undefined },
  today: string,
): string | null {
  if (fromDay !== undefined && fromDay > today) throw invalid("fromDay", "生效日不能晚于今天");
  const same = (known?.mapped_store_id ?? null) === storeId;
  if (same && (fromDay === undefined || fromDay === known?.mapped_from)) return known?.mapped_from ?? null;
  if (same) throw invalid("fromDay", "映射的门店没有变，生效日不用改");
  if (known && known.mapped_from !== null && (fromDay ?? today) < known.mapped_from)
    throw invalid("fromDay", `现在的映射从 ${known.mapped_from} 起，新的不能更早`);
  const first = known === undefined || (known.mapped_store_id === null && known.mapped_from === null);
  return fromDay ?? (first ? null : today);
}

/**
 * A platform's store is one store's at a moment, whoever of the provider's merchants maps it; but at 美团 whoever owns an application of 外卖 numbers
 * its stores (unverified), so that two merchants may both have a 1001. @throws 400 at `platformStoreId`
 */
async function mustBeFree(
  tx: Transaction,
  provider: string,
  { merchantId, platform, platformStoreId }: Pick<ParsedOf<typeof saveOtherStore>, "merchantId" | "platform" | "platformStoreId">,
): Promise<void> {
  if (platform === "meituan") return;
  const taken = await asPlatform(tx, async () => {
    // Two that map it at once come one after the other.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`shop:${provider}:${platform}:${platformStoreId}`}, 0))`.execute(tx);
    const { rows } = await sql`select from other_stores o where o.service_provider_id = ${provider} and o.platform = ${platform}
      and o.platform_store_id = ${platformStoreId} and o.merchant_id <> ${merchantId} and o.mapped_store_id is not null limit 1`.execute(
      tx,
    );
    return rows.length > 0;
  });
  if (taken) throw invalid("platformStoreId", "另一家商户已映射了这家平台门店，请核对；确是本商户的，请联系服务商");
}

/** What stands in a closed 门店日 keeps its store. @throws 400 at `fromDay` */
async function mustBeOpen(
  tx: Transaction,
  { service_provider_id, merchant_id }: { readonly service_provider_id: string; readonly merchant_id: string },
  stores: readonly (string | null)[],
  since: string,
): Promise<void> {
  const ids = stores.filter((store) => store !== null);
  const { rows } = await sql<{
    day: string | null;
  }>`select app.closed_since(${service_provider_id}, ${merchant_id}, ${ids}::uuid[], ${since}) as day`.execute(tx);
  const day = rows[0]?.day;
  if (day) throw invalid("fromDay", `${day} 的门店日已结，生效日要在它之后`);
}
interface Primary {
  readonly provider: string;
  readonly merchantId: string;
  readonly platform: string;
  readonly id: string;
  readonly storeId: string;
  readonly wanted: boolean;
}
/** One of a platform's stores stands for the own one: the one that is wanted, else the first. */
async function placePrimary(tx: Transaction, { provider, merchantId, platform, id, storeId, wanted }: Primary): Promise<void> {
  const same = sql`o.service_provider_id = ${provider} and o.merchant_id = ${merchantId} and o.platform = ${platform} and o.mapped_store_id = ${storeId}`;
  if (wanted)
    await sql`update other_stores o set is_primary = false where ${same} and o.service_provider_id = ${provider} and o.id <> ${id} and o.is_primary`.execute(
      tx,
    );
  await sql`update other_stores p set is_primary = true where p.service_provider_id = ${provider} and p.id = ${id}
    and not exists (select 1 from other_stores o where ${same} and o.is_primary)`.execute(tx);
}
