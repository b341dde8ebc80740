import type { Selectable } from "kysely";
import type { DB, Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { shareOrderOf } from "../shares/share-order.ts";
import { returnOrderOf } from "../returns/return-order.ts";
import { firstSent } from "../sharing-calls.ts";
import { channelNumber, lockReturn, lockShare, type OrderRow, type Ref, type ReturnRow, type SharingRow } from "../rows.ts";

export type RecordRow = Selectable<DB["sharing_records"]>;
export type Kind = "share" | "return";
/** What a record is about: a share or a return, held together with its order. */
export type Subject = { readonly order: OrderRow; readonly since: string } & (
  | { readonly kind: "share"; readonly row: SharingRow }
  | { readonly kind: "return"; readonly row: ReturnRow }
);

/** @returns undefined where there is none */
export async function lockSubject(tx: Transaction, kind: Kind, ref: Ref): Promise<Subject | undefined> {
  if (kind === "share") {
    const found = await lockShare(tx, ref);
    return found && { kind, order: found.order, row: found.share, since: found.share.sent_at ?? found.share.created_at };
  }
  const found = await lockReturn(tx, ref);
  return found && { kind, ...found, since: await returnSince(tx, found.row) };
}
/** Since when the channel owes an answer: the first sending of the number that counts. */
export const returnSince = async (tx: Transaction, row: ReturnRow): Promise<string> =>
  (await firstSent(tx, row.service_provider_id, channelNumber(row.return_no, row.channel_try), "share-return")) ?? row.created_at;

/** What the channel knows it as, now or in an earlier try. */
export const numberOf = ({ kind, row }: Subject, channel_try = row.channel_try): string =>
  channelNumber(kind === "share" ? row.share_no : row.return_no, channel_try);
/** What a query of it names. */
export const askedOf = (tx: Transaction, services: Services, { kind, order, row }: Subject, channel_try: number) =>
  kind === "share"
    ? shareOrderOf(tx, services, order, { ...row, channel_try }, channelNumber(row.share_no, channel_try))
    : returnOrderOf(tx, order, row, channelNumber(row.return_no, channel_try));
/** The columns that name it in a record or a call. */
export const namedBy = (kind: Kind, id: string) => (kind === "share" ? { sharing_id: id } : { return_id: id });
/** How staff call it. */
export const KIND_NAMES = { share: "分账", return: "回退" } as const;
