import { sql } from "kysely";

/** What an order `o` came to before anything but vouchers of platforms came off, less the part of it that went back: 带动消费 (marketing.md 9). */
export const DRIVEN = sql<number>`(case when o.status = 3 then 0 else o.gross_cents - o.voucher_cents - round((o.gross_cents - o.voucher_cents)::numeric * o.value_refunded_cents
  / greatest(o.paid_cents + o.stored_value_cents, 1))::bigint end)`;
