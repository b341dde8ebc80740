import { sql, type RawBuilder } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { listPage } from "@zhangfang/server/lists/list-page.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { listPrinters, listSpeakers, type HardwareKind } from "../../contract/index.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";

const COMMON = sql`h.id, h.sn, h.name, h.store_id as "storeId", s.short_name as "storeName", h.on_payment as "onPayment", h.on_refund as "onRefund",
  o.status as "lastStatus", coalesce(o.sent_at, o.created_at) as "lastAt", o.message as "lastMessage", h.version, h.created_at as "createdAt", h.vendor`;

/** One page of the devices of a kind, each with the last thing it was to print or say. */
function list<R extends { id: string; createdAt: string }>(
  ctx: Ctx,
  kind: HardwareKind,
  { storeId, keyword, ...input }: ParsedOf<typeof listPrinters>,
  own: RawBuilder<unknown>,
) {
  const like = keyword && likeText(keyword);
  const stores = sql`join stores s on s.service_provider_id = h.service_provider_id and s.id = h.store_id`;
  return listPage<R>(ctx.tx, input, {
    columns: sql`${COMMON}, ${own}`,
    from: sql`store_hardware h ${stores}`,
    where: sql`h.kind = ${kind} and h.state = 'bound' and ${inScope(ctx.scope, "h", "store")} ${storeId ? sql`and h.store_id = ${storeId}` : sql``}
      ${like ? sql`and (h.name ilike ${like} or h.sn ilike ${like} or s.short_name ilike ${like})` : sql``}`,
    order: "h.created_at",
    names: sql`${stores}
    left join merchant_settings m on m.service_provider_id = h.service_provider_id and m.merchant_id = h.merchant_id
    left join lateral (select o.status, o.sent_at, o.created_at, o.message from hardware_outputs o
      where o.service_provider_id = h.service_provider_id and o.hardware_id = h.id order by o.created_at desc, o.id desc limit 1) o on true`,
  });
}

/** 云打印机: the printers in sight. */
export const listPrintersRoute = implement(listPrinters, (ctx, input) =>
  list<RowOf<typeof listPrinters>>(
    ctx,
    "printer",
    input,
    sql`h.key_tail as "keyTail", h.template, h.paper_mm as "paperWidth", h.copies, h.online, h.checked_at as "checkedAt",
      not coalesce(m.print_receipt, true) as "merchantOff"`,
  ),
);
/** 云喇叭: the speakers in sight. */
export const listSpeakersRoute = implement(listSpeakers, (ctx, input) =>
  list<RowOf<typeof listSpeakers>>(ctx, "speaker", input, sql`h.volume, h.protocol, not coalesce(m.speaker, true) as "merchantOff"`),
);
