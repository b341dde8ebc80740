import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { attemptView, AttemptStatus, GoodsKind, VoucherPlatform } from "../../contract/index.ts";
import { noCancel } from "../platform/open-platform.ts";

type View = z.input<typeof attemptView>;
export interface ViewRow {
  readonly id: string;
  readonly platform: VoucherPlatform;
  readonly title: string;
  readonly goods_kind: GoodsKind;
  readonly tail: string;
  readonly store_id: string;
  readonly store: string;
  readonly by_name: string;
  readonly status: AttemptStatus;
  readonly message: string;
  readonly pay_cents: number;
  readonly started_at: string;
  readonly verified_at: string | null;
  readonly next_at: string | null;
  readonly tries: number;
  readonly cancel_until: string | null;
  readonly can_cancel: boolean;
  readonly cancel_message: string;
  readonly reversed_at: string | null;
  readonly cancel_reason: string;
  readonly order_id: string | null;
  readonly order_no: string | null;
  readonly order_lives: boolean;
  readonly verify_id: string | null;
  readonly found_used: boolean | null;
  readonly found_verify_id: string | null;
  readonly found_by: string | null;
  readonly found_by_name: string;
}
export const VIEW = sql`a.id, a.platform, v.title, v.goods_kind, v.tail, a.store_id, s.short_name as store, a.by_name, a.status, a.message, a.pay_cents,
  a.started_at, a.verified_at, a.next_at, a.tries, a.cancel_until, a.can_cancel, a.cancel_message, a.reversed_at, a.cancel_reason, a.order_id, o.order_no, coalesce(o.status in (0, 2), false) as order_lives, a.verify_id,
  a.found_used, a.found_verify_id, a.found_by, a.found_by_name`;
export const VIEWED = sql`voucher_verifications a join platform_vouchers v on v.service_provider_id = a.service_provider_id and v.id = a.voucher_id
  join stores s on s.service_provider_id = a.service_provider_id and s.id = a.store_id
  left join pay_orders o on o.service_provider_id = a.service_provider_id and o.id = a.order_id`;

/** As people see it. @param who whether a finding is their own */
function viewOf(services: Services, row: ViewRow, who: string): View {
  const never = noCancel(services, row.platform);
  return {
    id: row.id,
    platform: row.platform,
    title: row.title,
    kind: row.goods_kind,
    tail: row.tail,
    storeId: row.store_id,
    storeName: row.store,
    byName: row.by_name,
    status: row.status,
    needsPerson: [3, 4, 5].includes(row.status) && row.next_at === null,
    message: row.message,
    payCents: row.pay_cents as never,
    startedAt: row.started_at as never,
    verifiedAt: row.verified_at as never,
    nextAt: row.next_at as never,
    tries: row.tries,
    // In an order it goes back by a refund alone.
    cancelUntil: (row.status === 1 && row.can_cancel && !row.order_lives && never === undefined ? row.cancel_until : null) as never,
    cancelMessage: (row.status === 1 && never) || row.cancel_message,
    reversedAt: row.reversed_at as never,
    cancelReason: row.cancel_reason,
    order: row.order_id === null || row.order_no === null ? null : { id: row.order_id, orderNo: row.order_no },
    found:
      row.found_used === null
        ? null
        : { used: row.found_used, verifyId: row.found_verify_id ?? "", byName: row.found_by_name, own: row.found_by === who },
  };
}
const MOST = 200;
/** Attempts by what they are asked for, the newest first. */
export async function readViews(tx: Transaction, services: Services, where: RawBuilder<unknown>, who: string): Promise<View[]> {
  const { rows } = await sql<ViewRow>`select ${VIEW} from ${VIEWED} where ${where} and a.service_provider_id = v.service_provider_id
    order by a.started_at desc, a.id desc limit ${MOST}`.execute(tx);
  return rows.map((row) => viewOf(services, row, who));
}
/** Those with these ids, in the order of the ids. */
export async function viewsOf(
  tx: Transaction,
  services: Services,
  service_provider_id: string,
  ids: readonly string[],
  who: string,
): Promise<View[]> {
  const views = await readViews(tx, services, sql`a.service_provider_id = ${service_provider_id} and a.id = any(${[...ids]}::uuid[])`, who);
  return ids.flatMap((id) => views.find((view) => view.id === id) ?? []);
}
