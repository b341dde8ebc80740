import { sql } from "kysely";
import type { OutputOf, ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { all, is } from "@zhangfang/server/lists/conditions.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { exportColumn, type ExportRow, type ExportSource, fileOf } from "@zhangfang/server/lists/export-source.ts";
import { type Listed, listPage } from "@zhangfang/server/lists/list-page.ts";
import { walletOfTool } from "../../../channels/server/index.ts";
import { z } from "zod";
import { applymentState, subjectType, type SubjectType } from "../../contract/codes.ts";
import { applymentFilters, getApplyment, listApplyments, summariseApplyments } from "../../contract/index.ts";
import { type Dossier, FIELDS, listOf, maskOf } from "../../contract/words.ts";
import { openDossier } from "../dossiers/seals.ts";
import { SIGN_S } from "../rules/ask-times.ts";

const COLUMNS = sql`a.id, a.merchant_id as "merchantId", m.short_name as "merchantName", a.short_name as "shortName", a.code, a.state, a.state_at as "stateAt",
  a.unsent or a.unheard as sending, a.rounds, a.sub_mch_id as "subMchId", a.other_number as "otherNumber", a.alarm, a.submitted_at as "submittedAt",
  a.subject, a.asked_at as "askedAt", a.by_name as "byName", a.created_at as "createdAt"`;
const FROM = sql`applyments a join merchants m on m.service_provider_id = a.service_provider_id and m.id = a.merchant_id`;

type Row = RowOf<typeof listApplyments>;
const applymentsInput = z.object(applymentFilters);
/** The list of applications, for screen and file. */
const applymentsListed = (scope: Scope, filter: z.output<typeof applymentsInput>): Listed => ({
  columns: COLUMNS,
  from: FROM,
  where: all([where(scope, filter), is("a.state", filter.state)]),
  order: "a.created_at",
});
/** 进件申请. */
export const listApplymentsRoute = implement(listApplyments, ({ tx, scope }, input) =>
  listPage<Row>(tx, input, applymentsListed(scope, input)),
);
const isSubject = (code: string): code is SubjectType => subjectType.values.includes(code as SubjectType);
/** What stands in the list; nothing of the dossier itself, which is sealed. */
export const applymentExport: ExportSource<typeof applymentsInput> = {
  name: "applyments",
  title: "进件详情",
  access: "/applyment/info/export",
  input: applymentsInput,
  columns: [
    exportColumn("merchantName", "商户", 18),
    exportColumn("shortName", "商户简称（进件）", 18),
    exportColumn("subject", "主体", 10, "code"),
    exportColumn("state", "状态", 12, "code"),
    exportColumn("stateAt", "从何时起", 20, "time"),
    exportColumn("subMchId", "子商户号", 14),
    exportColumn("askedAt", "最近查询", 20, "time"),
    exportColumn("byName", "提交人", 12),
    exportColumn("rounds", "第几次提交", 10, "count"),
    exportColumn("submittedAt", "提交时间", 20, "time"),
    exportColumn("code", "申请单号", 36),
    exportColumn("createdAt", "创建时间", 20, "time"),
  ],
  // In the list they stand under others.
  always: ["shortName", "rounds", "submittedAt"],
  ...fileOf(applymentsListed, ({ sending: _sending, otherNumber: _other, alarm: _alarm, ...row }: Row): ExportRow => ({
    ...row,
    subject: isSubject(row.subject) ? subjectType.label(row.subject) : "",
    state: applymentState.label(row.state),
  })),
};
const where = (scope: Scope, { merchantId, keyword }: Pick<ParsedOf<typeof listApplyments>, "merchantId" | "keyword">) =>
  all([
    inScope(scope, "a", "merchant"),
    is("a.merchant_id", merchantId),
    keyword !== undefined &&
      sql<boolean>`(m.short_name like ${likeText(keyword)} or a.short_name like ${likeText(keyword)} or a.code = ${keyword} or a.sub_mch_id = ${keyword})`,
  ]);
/** How many stand where. */
export const summariseApplymentsRoute = implement(summariseApplyments, async ({ tx, scope }, input) => {
  const { rows } = await sql<{
    state: string;
    n: number;
  }>`select a.state, count(*)::int as n from ${FROM} where ${where(scope, input)} group by a.state`.execute(tx);
  return { byState: Object.fromEntries(rows.map(({ state, n }) => [state, n])) };
});

type One = OutputOf<typeof getApplyment>;
type Willing = NonNullable<One["after"]>["willing"];
type Settings = NonNullable<NonNullable<One["after"]>["settings"]>;
type Event = Omit<One["events"][number], "changes"> & { readonly content_sealed: string | null };
export const getApplymentRoute = implement(getApplyment, async ({ tx, scope, services, now_ms }, { id }) => {
  const { rows } = await sql<
    Omit<One, "events" | "after"> & {
      service_provider_id: string;
      heard: boolean;
      willing: Willing;
      willingAt: never;
      mchId: string | null;
    }
  >`select ${COLUMNS}, a.service_provider_id, a.admin_name as "adminName",
      a.admin_phone as "adminPhone", a.sign_url as "signUrl", a.message, a.rejected, a.next_at as "nextAt", a.heard_at as "heardAt",
      a.silent_at as "silentAt", a.slow_s as "everyS", a.mch_id as "mchId", a.willing, a.willing_at as "willingAt",
      coalesce(a.heard_at > ${new Date(now_ms - SIGN_S * 1000).toISOString()}, false) as heard
    from ${FROM} where a.id = ${id} and ${inScope(scope, "a", "merchant")}`.execute(tx);
  const [found] = rows;
  if (!found) throw notFound("进件申请");
  const { service_provider_id, heard, mchId: _mchId, willing, willingAt, ...one } = found;
  const events =
    await sql<Event>`select e.id, e.at, e.kind, e.state, e.round, e.said, e.rejected, e.by_name as "byName", e.content_sealed from applyment_events e
    where e.service_provider_id = ${service_provider_id} and e.applyment_id = ${id} order by e.at, e.kind <> 'submitted', e.id`.execute(tx);
  const finished = one.state === "FINISHED" ? await afterOf(tx, { ...found, id }) : null;
  return {
    ...one,
    signUrl: heard ? one.signUrl : null,
    events: withChanges(services, service_provider_id, events.rows).toReversed(),
    after: finished && { ...finished, willing, willingAt },
  };
});
/** What follows the end, as it stands now. */
async function afterOf(
  tx: Transaction,
  {
    service_provider_id,
    id,
    merchantId,
    mchId,
    subMchId,
    stateAt,
  }: Pick<One, "merchantId" | "subMchId" | "stateAt" | "id"> & { service_provider_id: string; mchId: string | null },
): Promise<Omit<NonNullable<One["after"]>, "willing" | "willingAt">> {
  const settings = await sql<Omit<Settings, "ours">>`select s.mch_id as "mchId", s.sub_mch_id as "subMchId", s.verified_at as "verifiedAt",
      s.verify_outcome as "verifyOutcome", s.verify_message as "verifyMessage"
    from channel_settings s where s.service_provider_id = ${service_provider_id} and s.merchant_id = ${merchantId} and s.channel = 0`.execute(
    tx,
  );
  const [there] = settings.rows;
  const ours = there?.mchId === mchId && there.subMchId === subMchId;
  const checks = await sql<
    NonNullable<One["after"]>["checks"][number]
  >`select c.thing, c.by_name as "byName", c.done_at as at from applyment_checks c
    where c.service_provider_id = ${service_provider_id} and c.applyment_id = ${id}`.execute(tx);
  return {
    settings: there ? { ...there, ours } : null,
    firstPaid: ours ? await firstPaidOf(tx, { service_provider_id, id, merchantId, stateAt }) : null,
    checks: checks.rows,
  };
}
/** The first order of a merchant's that was made and paid under the new number: since the end, or since a person chose it. By time of making, which an index carries. */
async function firstPaidOf(
  tx: Transaction,
  { service_provider_id, id, merchantId, stateAt }: Pick<One, "merchantId" | "stateAt" | "id"> & { readonly service_provider_id: string },
): Promise<NonNullable<One["after"]>["firstPaid"]> {
  const chosen = await sql<{ at: string | null }>`select max(e.at) as at from applyment_events e
    where e.service_provider_id = ${service_provider_id} and e.applyment_id = ${id} and e.kind = 'chosen'`.execute(tx);
  const paid = await sql<
    NonNullable<NonNullable<One["after"]>["firstPaid"]>
  >`select o.id as "orderId", o.paid_at as at, o.paid_cents as cents
    from pay_orders o where o.service_provider_id = ${service_provider_id} and o.merchant_id = ${merchantId} and o.created_at >= ${chosen.rows[0]?.at ?? stateAt}
      and o.channel = 0 and o.tool = any(${WECHAT_TOOLS}::int[]) and o.paid_at is not null order by o.created_at, o.id limit 1`.execute(tx);
  return paid.rows[0] ?? null;
}
const WECHAT_TOOLS = Array.from({ length: 10 }, (_none, tool) => tool).filter((tool) => walletOfTool(tool) === "wechat");

/** Beside each submission what it changed since the one before; pictures are counted, secrets masked. */
function withChanges(services: Services, provider: string, events: readonly Event[]): One["events"] {
  let before: Dossier | undefined;
  return events.map(({ content_sealed, ...event }) => {
    if (content_sealed === null) return { ...event, changes: [] };
    const now = openDossier(services, provider, `applyment_events:${event.id}`, content_sealed);
    const changes = before ? changesOf(before, now) : [];
    before = now;
    return { ...event, changes };
  });
}
function changesOf(before: Dossier, now: Dossier): { label: string; before: string; after: string }[] {
  return FIELDS.flatMap((field) => {
    const { path } = field;
    if (JSON.stringify(before[path]) === JSON.stringify(now[path])) return [];
    const said = (dossier: Dossier): string => {
      const texts = listOf(dossier, path);
      if (field.form === "picture" || field.form === "pictures") return `${texts.length} 张`;
      return texts.map((text) => field.options?.label(text) ?? maskOf(path, text)).join("、");
    };
    const isPicture = field.form === "picture" || field.form === "pictures";
    return [{ label: field.label, before: said(before), after: isPicture && said(before) === said(now) ? "换了图片" : said(now) }];
  });
}
