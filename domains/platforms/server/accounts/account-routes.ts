import { sql } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, forbidden, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { asPlatform, mustChange, type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { inScope, platformScope } from "@zhangfang/server/database/scope.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { accountItems, getPlatformAccount, provePlatformAccount, savePlatformAccount, savePlatformApp } from "../../contract/index.ts";
import { platformApi } from "../platform/open-platform.ts";
import { forgetTokens } from "../platform/tokens.ts";
import { placeInAccount, placeInApp, sealKey } from "./account-keys.ts";
import { platformAccountOf } from "./account-of.ts";

const LOOK = platformScope("a merchant's platform account");
export interface MerchantOf {
  readonly service_provider_id: string;
  readonly merchant_id: string;
}
/** The merchant that is meant: one's own, or for a provider the one that is named. @throws 400, 404 */
export async function merchantOf(tx: Transaction, { scope }: Pick<Ctx, "scope">, merchantId: string | undefined): Promise<MerchantOf> {
  const id = merchantId ?? scope.merchant;
  if (id === undefined) throw invalid("merchantId", "请选择商户");
  const { rows } = await sql<MerchantOf>`select m.service_provider_id, m.id as merchant_id from merchants m
    where m.id = ${id} and ${inScope(scope, "m", "merchant")}`.execute(tx);
  if (!rows[0]) throw notFound("商户");
  return rows[0];
}

const NOTICES = { dy: "douyin", ks: "kuaishou", ele: "ele", "meituan-wm": "meituan-wm" } as const;
/** One call serves several platforms: the item of this one has to be held. @throws 403 */
function mustHold({ principal }: Ctx, platform: string, what: "see" | "edit"): void {
  if (!principal.holds([accountItems(platform)[what === "see" ? 0 : 1]])) throw forbidden();
}
/** 平台账户: what is there, never the secrets. */
export const getPlatformAccountRoute = implement(getPlatformAccount, async (ctx, { platform, merchantId }) => {
  mustHold(ctx, platform, "see");
  const { tx, scope, services } = ctx;
  const app = await tx
    .selectFrom("platform_apps")
    .select(["app_key", "revision"])
    .where("service_provider_id", "=", scope.provider ?? "00000000-0000-0000-0000-000000000000")
    .where("platform", "=", platform)
    .executeTakeFirst();
  const providerApp = app ? { appKey: app.app_key, revision: app.revision } : null;
  if (merchantId === undefined && scope.merchant === undefined) return { account: null, providerApp };
  const of = await merchantOf(tx, ctx, merchantId);
  const row = await tx
    .selectFrom("platform_accounts")
    .selectAll()
    .where("service_provider_id", "=", of.service_provider_id)
    .where("merchant_id", "=", of.merchant_id)
    .where("platform", "=", platform)
    .executeTakeFirst();
  if (!row) return { account: null, providerApp };
  return {
    account: {
      id: row.id,
      accountNo: row.account_no,
      appOf: row.app_of as "merchant",
      appKey: row.app_key ?? "",
      hasSecret: row.secret_sealed !== null,
      hasSignSecret: row.sign_secret_sealed !== null,
      hasRefresh: row.refresh_sealed !== null,
      takeRate: row.take_rate,
      state: row.state as "active",
      provedAt: row.proved_at as never,
      endedAt: row.ended_at as never,
      revision: row.revision,
      noticeUrl: `${services.config.public_url}/notify/${NOTICES[platform]}/${row.id}`,
    },
    providerApp,
  };
});

/** Whose accounts are one merchant's: with a provider's application whoever names another's would read and use it. */
const OF_ONE: readonly string[] = ["dy", "ks"];
/** @throws 400 at the field where the account number cannot be taken for this merchant's */
async function mustBeTheirs(
  { tx, scope }: Ctx,
  { service_provider_id, merchant_id }: MerchantOf,
  { platform, accountNo, appOf }: { readonly platform: string; readonly accountNo: string; readonly appOf: string },
  known: { readonly app_of: string; readonly account_no: string } | undefined,
): Promise<void> {
  // The provider's application is let into every merchant's account: whose a number is, the provider says.
  if (appOf === "provider" && scope.level !== "SP" && (known?.app_of !== "provider" || known.account_no !== accountNo))
    throw invalid(known?.app_of === "provider" ? "accountNo" : "appOf", "用服务商的应用，要由服务商来填账户号，请联系服务商");
  if (!OF_ONE.includes(platform)) return;
  const { rows } = await asPlatform(tx, () =>
    sql`select 1 from platform_accounts a where a.service_provider_id = ${service_provider_id} and a.platform = ${platform}
      and a.account_no = ${accountNo} and a.merchant_id <> ${merchant_id}`.execute(tx),
  );
  if (rows.length > 0) throw invalid("accountNo", "另一家商户已填了这个账户号，请核对；确是本商户的，请联系服务商");
}
const changed = () => conflict("账户已被他人修改，请刷新后再改", "platform.changed");
/** Nothing is known of keys that were just saved. */
const UNTRIED = { proved_at: null, ended_at: null } as const;
/** 填账户. What is left out of the secrets stays; new keys end the tokens that the old ones made. */
export const savePlatformAccountRoute = implement(savePlatformAccount, async (ctx, input) => {
  const { tx, services, now, now_ms } = ctx;
  mustHold(ctx, input.platform, "edit");
  const { platform, revision, accountNo, appOf, appKey, secret, signSecret, refreshToken, takeRate, active } = input;
  const of = await merchantOf(tx, ctx, input.merchantId);
  const known = await tx
    .selectFrom("platform_accounts")
    .selectAll()
    .where("service_provider_id", "=", of.service_provider_id)
    .where("merchant_id", "=", of.merchant_id)
    .where("platform", "=", platform)
    .forUpdate()
    .executeTakeFirst();
  if ((known?.revision ?? 0) !== revision) throw changed();
  const id = known?.id ?? services.ids.uuid(now_ms);
  const row = { service_provider_id: of.service_provider_id, id };
  const [own, key] = [appOf === "merchant", appKey === "" ? undefined : appKey];
  if (own && key === undefined) throw invalid("appKey", "请填写应用标识");
  const otherKey = known !== undefined && own && known.app_key !== key;
  await mustBeTheirs(ctx, of, input, known);
  if (own && !secret && (!known?.secret_sealed || otherKey))
    throw invalid("secret", otherKey ? "换了应用标识，请同时填写它的密钥" : "请填写应用密钥");
  const sealed = (column: "secret" | "sign_secret" | "refresh", text: string | undefined) =>
    text ? { [`${column}_sealed`]: sealKey(services, placeInAccount(column, row), text) } : {};
  const set = {
    account_no: accountNo,
    app_of: appOf,
    ...(own
      ? {
          app_key: key!,
          ...sealed("secret", secret),
          // Another application signs with another one.
          ...(otherKey && { sign_secret_sealed: null }),
          ...sealed("sign_secret", signSecret),
        }
      : { app_key: null, secret_sealed: null, sign_secret_sealed: null }),
    ...sealed("refresh", refreshToken),
    take_rate: takeRate,
    state: active ? "active" : "paused",
    ...UNTRIED,
    by_name: askerOf(ctx).name,
    updated_at: now,
  };
  if (known) {
    const done = await tx
      .updateTable("platform_accounts")
      .set({ ...set, revision: revision + 1 })
      .where("service_provider_id", "=", of.service_provider_id)
      .where("id", "=", id)
      .where("revision", "=", revision)
      .executeTakeFirst();
    mustChange(done, changed);
  } else {
    const added = await tx
      .insertInto("platform_accounts")
      .values({ ...of, id, platform, ...set, created_at: now })
      .onConflict((twice) => twice.columns(["service_provider_id", "merchant_id", "platform"]).doNothing())
      .executeTakeFirst();
    if (added.numInsertedOrUpdatedRows !== 1n) throw changed();
  }
  const moved = otherKey || (known !== undefined && known.app_of !== appOf) || Boolean(refreshToken);
  if (secret || moved) await forgetTokens(tx, { ...row, platform }, [`account:${id}`], { grant: moved });
  ctx.note({
    targetKind: "platform_account",
    targetId: id,
    provider: of.service_provider_id,
    merchant: of.merchant_id,
    after: { platform, accountNo, appOf, takeRate, active, ...(secret && { secret: "changed" }) },
  });
  return { id };
});

/** 服务商的应用. */
export const savePlatformAppRoute = implement(savePlatformApp, async (ctx, { platform, revision, appKey, secret, signSecret }) => {
  mustHold(ctx, platform, "edit");
  const { tx, scope, services, now } = ctx;
  const { provider } = scope;
  if (scope.level !== "SP" || provider === undefined) throw forbidden();
  const row = { service_provider_id: provider, platform };
  const known = await tx
    .selectFrom("platform_apps")
    .selectAll()
    .where("service_provider_id", "=", provider)
    .where("platform", "=", platform)
    .forUpdate()
    .executeTakeFirst();
  if ((known?.revision ?? 0) !== revision) throw changed();
  if (!secret && known?.app_key !== appKey) throw invalid("secret", known ? "换了应用标识，请同时填写它的密钥" : "请填写应用密钥");
  const set = {
    app_key: appKey,
    secret_sealed: secret ? sealKey(services, placeInApp("secret", row), secret) : known!.secret_sealed,
    ...(known && known.app_key !== appKey && { sign_secret_sealed: null }),
    ...(signSecret && { sign_secret_sealed: sealKey(services, placeInApp("sign_secret", row), signSecret) }),
    by_name: askerOf(ctx).name,
    updated_at: now,
    revision: revision + 1,
  };
  const done = known
    ? await tx
        .updateTable("platform_apps")
        .set(set)
        .where("service_provider_id", "=", provider)
        .where("platform", "=", platform)
        .where("revision", "=", revision)
        .executeTakeFirst()
    : await tx
        .insertInto("platform_apps")
        .values({ ...row, ...set })
        .onConflict((twice) => twice.columns(["service_provider_id", "platform"]).doNothing())
        .executeTakeFirst();
  if (("numUpdatedRows" in done ? done.numUpdatedRows : done.numInsertedOrUpdatedRows) !== 1n) throw changed();
  // Whoever chose it signs with the new keys from now on, and has proved nothing with them.
  const { rows: users } = await sql<{ id: string }>`update platform_accounts a set proved_at = null
    where a.service_provider_id = ${provider} and a.platform = ${platform} and a.app_of = 'provider' returning a.id`.execute(tx);
  const holders = users.map(({ id }) => `account:${id}`);
  await forgetTokens(tx, row, holders, { grant: known !== undefined && known.app_key !== appKey });
  ctx.note({ targetKind: "platform_app", targetId: provider, provider, after: { platform, appKey, ...(secret && { secret: "changed" }) } });
  return { ok: true } as const;
});

/** 测试连接: whoever gets the stores has shown that the keys are good. */
export const provePlatformAccountRoute = implement(provePlatformAccount, async (ctx, { platform, merchantId }) => {
  mustHold(ctx, platform, "edit");
  const { services } = ctx;
  const of = await ctx.transaction((tx) => merchantOf(tx, ctx, merchantId), { readOnly: true });
  const account = await withScope(services.pool, LOOK, (tx) => platformAccountOf(tx, services, { ...of, platform }), { readOnly: true });
  if (!account) return { proved: false, words: "还没有填账户，或者还没有应用替它签名" };
  const answer = await platformApi(services, account).stores("");
  const proved = answer.kind === "ok";
  await ctx.transaction(async (tx) => {
    // Only what was looked at has proved anything: keys may have been changed meanwhile.
    if (proved)
      await asPlatform(tx, () =>
        sql`update platform_accounts a set proved_at = ${ctx.now} where a.service_provider_id = ${of.service_provider_id} and a.id = ${account.id}
          and a.revision = ${account.revision} and (${account.appRevision}::int is null or exists (select from platform_apps p
            where p.service_provider_id = a.service_provider_id and p.platform = a.platform and p.revision = ${account.appRevision}))`.execute(
          tx,
        ),
      );
    await ctx.audit(tx, {
      targetKind: "platform_account",
      targetId: account.id,
      provider: of.service_provider_id,
      merchant: of.merchant_id,
      after: { proved },
    });
  });
  if (proved) return { proved, words: `连上了，平台给了 ${answer.value.items.length} 家门店` };
  return { proved, words: answer.kind === "refused" ? answer.message : "平台没有应答，不知道密钥对不对，请稍后再试" };
});
