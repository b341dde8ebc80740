import { sql } from "kysely";
import { yuan } from "@zhangfang/contract/money.ts";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import type { Finder } from "../../../../find/server/index.ts";
import { refundStatus, type RefundStatus } from "../../../contract/codes.ts";
import { heldBy, nearOf, partOf } from "../../find-numbers.ts";
import { refundNumberIs } from "./refund-filter.ts";

interface Row {
  readonly id: string;
  readonly no: string;
  readonly numbers: readonly string[];
  readonly store: string | null;
  readonly cents: number;
  readonly at: string;
  readonly status: RefundStatus;
}
/** 退款 by any of their numbers, whole, or six digits in a row of one. */
export const refundFinder: Finder = {
  kind: "refunds",
  title: "退款",
  access: "/dataCentre/payRefund",
  match: ({ text }) => partOf(text) !== undefined,
  find: async ({ tx, scope }, { text }) => {
    const part = partOf(text)!;
    const held = await heldBy({ tx, scope }, "refund", part);
    const columns = sql`r.id, r.refund_no as no, array_remove(array[r.refund_no, r.channel_refund_no], null) as numbers,
      (select s.short_name from stores s where s.service_provider_id = r.service_provider_id and s.id = r.store_id) as store,
      r.value_cents as cents, r.created_at as at, r.status`;
    const { rows } = await sql<Row>`select distinct on (at, id) * from (
        select ${columns} from refunds r where ${inScope(scope, "r")} and ${refundNumberIs(text)}
        union all select ${columns} from refunds r where ${inScope(scope, "r")} and ${held.where}
          and (position(${part} in r.refund_no) > 0 or position(${part} in coalesce(r.channel_refund_no, '')) > 0)) x
      order by at desc, id limit 8`.execute(tx);
    const hits = rows.map(({ id, no, numbers, store, cents, at, status }) => ({
      title: no,
      hint: [store, `¥${yuan(cents)}`, shanghaiTime(at).slice(5, 16), refundStatus.label(status)].filter(Boolean).join(" · "),
      to: `/dataCentre/payRefund?id=${id}`,
      near: nearOf(numbers, part),
    }));
    return { hits, recent: held.recent };
  },
};
