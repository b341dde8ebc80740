import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict, forbidden, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { dropTaxRule, getInvoiceSettings, listTaxRules, setInvoiceSettings, setTaxRule } from "../../contract/index.ts";
import { sealSecret } from "./seals.ts";

/** 开票配置: what stands, or what a provider begins with. */
export const getInvoiceSettingsRoute = implement(getInvoiceSettings, async ({ tx, scope, services }) => {
  const { provider } = scope;
  if (provider === undefined) throw forbidden();
  const row = await tx.selectFrom("invoice_settings").selectAll().where("service_provider_id", "=", provider).executeTakeFirst();
  const { rows } = await sql<{
    n: number;
  }>`select count(*)::int as n from tax_subjects t where t.service_provider_id = ${provider}`.execute(tx);
  return {
    revision: row?.revision ?? 0,
    appKey: row?.app_key ?? "",
    secretSet: row !== undefined,
    active: row === undefined || row.state === "active",
    autoLimitCents: (row?.auto_limit_cents ?? 100_000) as never,
    applyDays: row?.apply_days ?? 180,
    redFirst: (row?.red_first ?? "organisation") as "organisation",
    byName: row?.by_name ?? "",
    updatedAt: (row?.updated_at ?? null) as never,
    subjects: rows[0]!.n,
    notifyUrl: `${services.config.public_url}/notify/invoices/${provider}`,
  };
});
const changed = () => conflict("配置已被他人修改，请刷新后再改", "invoice-settings.changed");
export const setInvoiceSettingsRoute = implement(setInvoiceSettings, async (ctx, given) => {
  const { tx, scope, services, now } = ctx;
  const { provider } = scope;
  if (provider === undefined) throw forbidden();
  const { revision, appKey, appSecret, active, autoLimitCents, applyDays, redFirst } = given;
  if (appSecret === "" && revision === 0) throw invalid("appSecret", "请填写应用密钥");
  const facts = {
    app_key: appKey,
    ...(appSecret !== "" && { app_secret_sealed: sealSecret(services, provider, appSecret) }),
    state: active ? "active" : "paused",
    auto_limit_cents: autoLimitCents,
    apply_days: applyDays,
    red_first: redFirst,
    revision: revision + 1,
    by_name: askerOf(ctx).name,
    updated_at: now,
  };
  const done =
    revision === 0
      ? await tx
          .insertInto("invoice_settings")
          .values({ service_provider_id: provider, app_secret_sealed: "", ...facts })
          .onConflict((twice) => twice.column("service_provider_id").doNothing())
          .executeTakeFirst()
      : await tx
          .updateTable("invoice_settings")
          .set(facts)
          .where("service_provider_id", "=", provider)
          .where("revision", "=", revision)
          .executeTakeFirst();
  mustChange(done, changed);
  ctx.note({
    targetKind: "invoice_settings",
    targetId: provider,
    provider,
    after: { appKey, active, autoLimitCents, applyDays, redFirst, ...(appSecret !== "" && { secret: "changed" }) },
  });
  return { ok: true } as const;
});

/** 税率规则 of whoever asks: a provider's trades, a merchant's categories. */
export const listTaxRulesRoute = implement(listTaxRules, async ({ tx, scope }) => {
  const { rows } =
    await sql<never>`select r.id, r.kind, r.name, r.tax_code as "taxCode", r.tax_rate as "taxRate", r.tax_policy as "taxPolicy",
      r.by_name as "byName", r.created_at as "createdAt"
    from tax_rules r where ${inScope(scope, "r", scope.level === "SP" ? "provider" : "merchant")} and (r.merchant_id is null) = ${scope.level === "SP"}
    order by r.name, r.id`.execute(tx);
  return { items: rows };
});
const MOST_RULES = 200;
export const setTaxRuleRoute = implement(setTaxRule, async (ctx, { name, taxCode, taxRate, taxPolicy }) => {
  const { tx, scope, services, now, now_ms } = ctx;
  const { provider, merchant } = scope;
  if (provider === undefined || (scope.level !== "SP" && merchant === undefined)) throw forbidden();
  if (taxRate !== 0 && taxPolicy !== 0) throw invalid("taxPolicy", "免税、不征税和零税率的税率是 0%");
  const [merchant_id, kind] = scope.level === "SP" ? [null, "trade"] : [merchant!, "category"];
  const { rows: counted } = await sql<{ n: number }>`select count(*)::int as n from tax_rules r where r.service_provider_id = ${provider}
    and r.merchant_id is not distinct from ${merchant_id}::uuid`.execute(tx);
  if (counted[0]!.n >= MOST_RULES) throw conflict(`最多 ${MOST_RULES} 条税率规则`, "tax-rule.most");
  const { rows } = await sql<{
    id: string;
  }>`insert into tax_rules as r (service_provider_id, id, merchant_id, kind, name, tax_code, tax_rate, tax_policy, by_name, created_at)
    values (${provider}, ${services.ids.uuid(now_ms)}, ${merchant_id}, ${kind}, ${name}, ${taxCode}, ${taxRate}, ${taxPolicy}, ${askerOf(ctx).name}, ${now})
    on conflict (service_provider_id, merchant_id, kind, name) do update set tax_code = excluded.tax_code, tax_rate = excluded.tax_rate,
      tax_policy = excluded.tax_policy, by_name = excluded.by_name, created_at = excluded.created_at
    returning r.id`.execute(tx);
  const id = rows[0]!.id;
  ctx.note({ targetKind: "tax_rule", targetId: id, provider, merchant, after: { name, taxCode, taxRate, taxPolicy } });
  return { id };
});
export const dropTaxRuleRoute = implement(dropTaxRule, async (ctx, { id }) => {
  const { tx, scope } = ctx;
  const { rows } = await sql<{ name: string; service_provider_id: string; merchant_id: string | null }>`delete from tax_rules r
    where r.id = ${id} and ${inScope(scope, "r", scope.level === "SP" ? "provider" : "merchant")} and (r.merchant_id is null) = ${scope.level === "SP"}
    returning r.name, r.service_provider_id, r.merchant_id`.execute(tx);
  const [row] = rows;
  if (!row) throw notFound("税率规则");
  ctx.note({
    targetKind: "tax_rule",
    targetId: id,
    provider: row.service_provider_id,
    merchant: row.merchant_id ?? undefined,
    before: { name: row.name },
  });
  return { ok: true } as const;
});
