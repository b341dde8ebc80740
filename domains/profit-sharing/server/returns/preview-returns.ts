import { sql } from "kysely";
import type { z } from "zod";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { refundShare } from "../../contract/index.ts";
import { type LineRow, type OrderRow, shownAccount } from "../rows.ts";
import { heldLines, needReturns, needReturnsAgain, type ReturnNeed } from "./reserve-returns.ts";

type Shares = z.input<typeof refundShare>[];

/** What a refund that is set aside takes back from each receiver, as it is written down. */
export async function returnsOf(tx: Transaction, service_provider_id: string, refund_id: string): Promise<Shares> {
  const { rows } = await sql<
    Shares[number]
  >`select l.alias, ${shownAccount("l")} as account, l.amount_cents as "sharedCents", r.amount_cents as "returnCents",
      case when r.borne then coalesce(r.failure, '不能回退') end as refusal
    from sharing_returns r join sharing_lines l on l.service_provider_id = r.service_provider_id and l.id = r.line_id
    where r.service_provider_id = ${service_provider_id} and r.refund_id = ${refund_id} and r.status in (0, 1, 2, 5) order by r.created_at, l.position`.execute(
    tx,
  );
  return rows;
}

/** What a refund that failed still takes back from each receiver when it is sent again, and what came back for it before. */
export async function previewReturnsAgain(
  tx: Transaction,
  order: OrderRow,
  refund: { readonly id: string; readonly amount_cents: number; readonly fee_back_cents: number },
  bear: boolean,
  now_ms: number,
): Promise<{ shares: Shares; refusal: string | undefined }> {
  const need = await needReturnsAgain(tx, order, refund, bear, now_ms);
  const borne = new Map(need.again.map(({ row, status }) => [row.id, status === 5]));
  const { rows } = await sql<Omit<Shares[number], "refusal"> & { readonly id: string; readonly failure: string | null }>`
    select r.id, l.alias, ${shownAccount("l")} as account, l.amount_cents as "sharedCents", r.amount_cents as "returnCents", r.failure, r.status = 2 as done
    from sharing_returns r join sharing_lines l on l.service_provider_id = r.service_provider_id and l.id = r.line_id
    where r.service_provider_id = ${order.service_provider_id} and r.refund_id = ${refund.id} order by r.created_at, l.position`.execute(
    tx,
  );
  const shares = rows.flatMap(({ id, failure, ...share }): Shares => {
    if (share.done) return [{ ...share, refusal: null }];
    const bears = borne.get(id);
    return bears === undefined ? [] : [{ ...share, refusal: bears ? (failure ?? "没有退回") : null }];
  });
  return { shares: [...shares, ...(await plannedOf(tx, order, need))], refusal: need.refusal };
}

/** What a refund would take back from each receiver and what the merchant would bear, by the rules that reserve it. */
export async function previewReturns(
  tx: Transaction,
  order: OrderRow,
  refund: { readonly amount_cents: number; readonly fee_back_cents: number },
  now_ms: number,
): Promise<{ shares: Shares; refusal: string | undefined }> {
  const need = await needReturns(tx, order, refund, now_ms);
  return { shares: await plannedOf(tx, order, need), refusal: need.refusal };
}
/** What is planned to come from each receiver, or to be borne in its place. */
async function plannedOf(tx: Transaction, order: OrderRow, { plan }: ReturnNeed): Promise<Shares> {
  const lines = plan ? await heldLines(tx, order) : [];
  const shown = await accountsOf(tx, order, lines);
  return lines.flatMap((line) => {
    const part = plan?.parts.find((one) => one.line_id === line.id);
    if (!part || part.back_cents + part.borne_cents === 0) return [];
    const returnCents = part.back_cents + part.borne_cents;
    return [
      {
        alias: line.alias,
        account: shown.get(line.id) ?? "",
        sharedCents: line.amount_cents as never,
        returnCents: returnCents as never,
        refusal: part.refusal,
      },
    ];
  });
}

async function accountsOf(tx: Transaction, order: OrderRow, lines: readonly LineRow[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; account: string }>`select l.id, ${shownAccount("l")} as account from sharing_lines l
    where l.service_provider_id = ${order.service_provider_id} and l.id = any(${lines.map(({ id }) => id)}::uuid[])`.execute(tx);
  return new Map(rows.map(({ id, account }) => [id, account]));
}
