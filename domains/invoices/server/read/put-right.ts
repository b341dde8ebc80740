import { sql } from "kysely";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { fetchFilesAgain, takeIssued, takeRed } from "../../contract/index.ts";
import { keepFiles } from "../issue/hear-answers.ts";
import { accountOf, recorded } from "../issue/invoice-calls.ts";
import { invoicesOf } from "../provider/open-provider.ts";
import { heldInvoice, noteOf } from "./held-invoice.ts";

/**
 * 按平台的结果记账: the platform issued another sum. It is asked once more; where it still says the same, the invoice counts with that sum and
 * is taken back in red (01) at once, and what its orders are worth is issued anew.
 */
export const takeIssuedRoute = implement(takeIssued, async (ctx, { id, cents, reason }) => {
  const invoice = await heldInvoice(ctx, id);
  const taken = await sql`update invoices i set take_why = ${reason}, manual = false, asked = 0, next_at = ${ctx.now}
    where i.service_provider_id = ${invoice.service_provider_id} and i.id = ${id} and i.status = 1 and i.manual and i.issued_cents = ${cents}`.execute(
    ctx.tx,
  );
  if (taken.numAffectedRows !== 1n) throw conflict("平台说的金额已变化，或这张已经有结果，请刷新后再看", "invoice.not-other");
  noteOf(ctx, invoice, { 按平台的结果记账: cents, reason });
  return { ok: true } as const;
});

/** 按平台的结果记账 of a red letter: asked once more, it is done with the bureau's sum where that is still the same. */
export const takeRedRoute = implement(takeRed, async (ctx, { id, cents, reason }) => {
  const { rows } = await sql<{
    service_provider_id: string;
    merchant_id: string;
    total_cents: number;
  }>`select r.service_provider_id, r.merchant_id, r.total_cents from invoice_reds r where r.id = ${id} and ${inScope(ctx.scope, "r", "merchant")}
    for no key update`.execute(ctx.tx);
  const [red] = rows;
  if (!red) throw notFound("红字");
  const taken = await sql`update invoice_reds r set take_why = ${reason}, manual = false, asked = 0, next_at = ${ctx.now}
    where r.service_provider_id = ${red.service_provider_id} and r.id = ${id} and r.status = 1 and r.manual and r.said_cents = ${cents}`.execute(
    ctx.tx,
  );
  if (taken.numAffectedRows !== 1n) throw conflict("平台说的红冲金额已变化，或这张已经有结果，请刷新后再看", "invoice.red-not-other");
  ctx.note({
    targetKind: "invoice_red",
    targetId: id,
    provider: red.service_provider_id,
    merchant: red.merchant_id,
    before: { cents: red.total_cents },
    after: { 按平台的结果记账: cents, reason },
  });
  return { ok: true } as const;
});

interface Missing {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly subject_id: string;
  readonly number: string;
  readonly tax_no: string;
  readonly token_sealed: string;
  readonly reds: readonly { readonly id: string; readonly number: string }[];
}
/** 再取文件: the platform is asked for the addresses again, and what is not here is fetched from them. */
export const fetchFilesAgainRoute = implement(fetchFilesAgain, async (ctx, { id }) => {
  const { services } = ctx;
  const of = await ctx.transaction((tx) => readMissing({ tx, scope: ctx.scope }, id));
  const account = await ctx.platform("the account of a tax subject", (tx) => accountOf(tx, services, { ...of, id: of.subject_id }));
  if (!account) throw conflict("服务商没有开票应用，取不了文件", "invoice.no-app");
  const { provider } = invoicesOf(services);
  const { service_provider_id, merchant_id, subject_id, number } = of;
  const about = { service_provider_id, merchant_id, subject_id, about_id: id };
  const blue = await recorded(services, about, { operation: "query", number }, () => provider.query(account, number));
  const found = blue.kind === "ok" && blue.value.state === "issued" ? [{ red_id: null as string | null, files: blue.value.files }] : [];
  for (const red of of.reds) {
    const asked = await recorded(services, { ...about, about_id: red.id }, { operation: "red-query", number: red.number }, () =>
      provider.queryRed(account, red.number),
    );
    if (asked.kind === "ok") found.push({ red_id: red.id, files: asked.value.files });
  }
  const files = found.reduce((sum, one) => sum + one.files.length, 0);
  if (files === 0) throw conflict("平台现在没有给文件地址，请稍后再取，或在平台上下载", "invoice.no-files");
  await ctx.transaction(async (tx) => {
    for (const one of found)
      await keepFiles(tx, services, { service_provider_id, merchant_id, invoice_id: id, red_id: one.red_id }, one.files);
    await ctx.audit(tx, { targetKind: "invoice", targetId: id, provider: service_provider_id, merchant: merchant_id, after: { files } });
  });
  return { files };
});
async function readMissing({ tx, scope }: Pick<Ctx, "tx" | "scope">, id: string): Promise<Missing> {
  const { rows } = await sql<
    Missing & { status: number }
  >`select i.service_provider_id, i.merchant_id, i.subject_id, i.number, i.status, t.tax_no,
      t.token_sealed, (select coalesce(json_agg(json_build_object('id', r.id, 'number', r.number)), '[]'::json) from invoice_reds r
        where r.service_provider_id = i.service_provider_id and r.invoice_id = i.id and r.status = 3) as reds
    from invoices i join tax_subjects t on t.service_provider_id = i.service_provider_id and t.id = i.subject_id
    where i.id = ${id} and ${inScope(scope, "i", "merchant")}`.execute(tx);
  const [row] = rows;
  if (!row) throw notFound("发票");
  if (![2, 4, 5, 6].includes(row.status)) throw conflict("发票还没有开出来，没有文件", "invoice.not-issued");
  return row;
}
