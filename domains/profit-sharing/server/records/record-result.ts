import { sql } from "kysely";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { recordResult, recordReturn, recordShare, sharingWallet } from "../../contract/index.ts";
import { linesOf, type Ref, walletOf } from "../rows.ts";
import { isLong } from "../tell-waiting.ts";
import { askChannel } from "./ask-channel.ts";
import { KIND_NAMES, type Kind, lockSubject, namedBy, numberOf, type Subject } from "./subject.ts";
import { wake } from "./wake.ts";

type Given = ParsedOf<typeof recordReturn> & { readonly lineIds?: readonly string[] };

/** 登记分账结果: who of the receivers got theirs. */
export const recordShareRoute = implement(recordShare, (ctx, given) => record(ctx, "share", given));
/** 登记回退结果. */
export const recordReturnRoute = implement(recordReturn, (ctx, given) => record(ctx, "return", given));

async function record(ctx: Ctx, kind: Kind, given: Given): Promise<{ recordId: string }> {
  const named = await ctx.transaction((tx) => findSubject(ctx, tx, kind, given.id));
  await mustBeSilent(ctx, kind, named);
  return ctx.transaction(async (tx) => {
    const found = await mustWait(ctx, tx, kind, named);
    if (given.happenedOn > shanghaiDay(ctx.now_ms) || given.happenedOn < shanghaiDay(found.row.created_at))
      throw invalid("happenedOn", "日期应在提交之后、今天之前");
    const got = await receiversOf(tx, found, given);
    const recordId = ctx.services.ids.uuid(ctx.now_ms);
    const { service_provider_id, merchant_id, store_id, id, channel_try } = found.row;
    const number = numberOf(found);
    const added = await tx
      .insertInto("sharing_records")
      .values({
        service_provider_id,
        id: recordId,
        merchant_id,
        store_id,
        ...namedBy(kind, id),
        channel_try,
        number,
        result: given.result,
        line_ids: got,
        channel_no: given.channelNo ?? null,
        happened_on: given.happenedOn,
        note: given.note,
        by_user: ctx.principal.actorId ?? ctx.principal.id,
        by_name: nameOf(ctx),
        created_at: ctx.now,
      })
      // The index is found by the words of its condition: a parameter in their place is none of them once a plan is kept.
      .onConflict((twice) =>
        twice
          .columns(["service_provider_id", "number"])
          .where(sql<boolean>`state in ('waiting', 'confirmed', 'settled')`)
          .doNothing(),
      )
      .executeTakeFirst();
    if (added.numInsertedOrUpdatedRows !== 1n) throw conflict("已有登记等待复核");
    await ctx.audit(tx, {
      targetKind: kind === "share" ? "sharing" : "share-return",
      targetId: id,
      provider: service_provider_id,
      merchant: merchant_id,
      after: {
        number,
        amount: yuan(found.row.amount_cents),
        result: recordResult.label(given.result),
        channelNo: given.channelNo,
        note: given.note,
      },
    });
    return { recordId };
  });
}

/** Who says it, as their colleagues know them. */
export function nameOf({ principal }: Ctx): string {
  const name = principal.session?.["first_name"];
  return typeof name === "string" && name !== "" ? name : principal.name;
}
/** @throws 404 */
async function findSubject({ scope }: Ctx, tx: Transaction, kind: Kind, id: string): Promise<Ref> {
  const found =
    kind === "share"
      ? await tx
          .selectFrom("sharing_orders as s")
          .select(["s.service_provider_id", "s.id"])
          .where("s.id", "=", id)
          .where(inScope(scope, "s"))
          .executeTakeFirst()
      : await tx
          .selectFrom("sharing_returns as s")
          .select(["s.service_provider_id", "s.id"])
          .where("s.id", "=", id)
          .where(inScope(scope, "s"))
          .executeTakeFirst();
  if (!found) throw notFound(kind === "share" ? "分账" : "分账回退");
  return found;
}
/** One that is on its way, held, for so long that people may say what became of it. @throws 409 */
export async function mustWait(ctx: Ctx, tx: Transaction, kind: Kind, ref: Ref): Promise<Subject> {
  const found = await lockSubject(tx, kind, ref);
  if (found?.row.status !== 1) throw conflict(`这笔${KIND_NAMES[kind]}已有结果，不需要登记，请刷新后查看`);
  if (!isLong(found.since, ctx.now_ms)) throw conflict("提交满一天仍没有结果，才能人工登记");
  return found;
}
/** Asks the channel once more: its own answer is taken, whatever people know. @throws 409 where it has one */
export async function mustBeSilent(ctx: Ctx, kind: Kind, ref: Ref): Promise<void> {
  const { row, order } = await ctx.transaction((tx) => mustWait(ctx, tx, kind, ref));
  const answer = await askChannel(ctx.services, kind, ref, row.channel_try);
  if (answer.kind === "none") return;
  const channel = sharingWallet.label(walletOf(order));
  if (answer.kind === "processing") throw conflict(`${channel}答复这笔${KIND_NAMES[kind]}仍在处理中，以通道为准，不能登记`);
  await ctx.transaction((tx) => wake(tx, ctx.services, kind, ref, ctx.now));
  throw conflict(`${channel}已经给出结果，以通道为准，不再登记；一分钟内入账，请稍后刷新`);
}
/** The lines that are said to be done. @throws 400 */
async function receiversOf(tx: Transaction, found: Subject, { result, lineIds = [] }: Given): Promise<string[]> {
  if (found.kind === "return") return [];
  if (found.row.kind === "unfreeze") {
    if (result === "failed") throw invalid("result", "完结没有未到账的结果，请等通道答复");
    return [];
  }
  const lines = await linesOf(tx, found.row);
  const got = lines.filter(({ id }) => lineIds.includes(id)).map(({ id }) => id);
  if (result === "done" && got.length === 0) throw invalid("lineIds", "请选择已到账的接收方");
  if (got.length !== new Set(lineIds).size) throw invalid("lineIds", "接收方不在这笔分账里，请刷新后再选");
  return got;
}
