import { sql, type RawBuilder } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { type Listed, listPage, oneRow } from "@zhangfang/server/lists/list-page.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { getPrinter, getSpeaker, listPrinters, listSpeakers, type HardwareKind } from "../../contract/index.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";

const COMMON = sql`h.id, h.sn, h.name, h.store_id as "storeId", s.short_name as "storeName", h.on_payment as "onPayment", h.on_refund as "onRefund",
  o.status as "lastStatus", coalesce(o.sent_at, o.created_at) as "lastAt", o.message as "lastMessage", h.version, h.created_at as "createdAt", h.vendor`;

const OWN: Readonly<Record<HardwareKind, RawBuilder<unknown>>> = {
  printer: sql`h.key_tail as "keyTail", h.template, h.paper_mm as "paperWidth", h.copies, h.online, h.checked_at as "checkedAt",
    not coalesce(m.print_receipt, true) as "merchantOff"`,
  speaker: sql`h.volume, h.protocol, not coalesce(m.speaker, true) as "merchantOff"`,
};
type Filter = Pick<ParsedOf<typeof listPrinters>, "storeId" | "keyword">;

/** The devices of a kind, each with the last thing it was to print or say. */
function listed(scope: Scope, kind: HardwareKind, { storeId, keyword }: Filter): Listed {
  const like = keyword && likeText(keyword);
  const stores = sql`join stores s on s.service_provider_id = h.service_provider_id and s.id = h.store_id`;
  return {
    columns: sql`${COMMON}, ${OWN[kind]}`,
    from: sql`store_hardware h ${stores}`,
    where: sql`h.kind = ${kind} and h.state = 'bound' and ${inScope(scope, "h", "store")} ${storeId ? sql`and h.store_id = ${storeId}` : sql``}
      ${like ? sql`and (h.name ilike ${like} or h.sn ilike ${like} or s.short_name ilike ${like})` : sql``}`,
    order: "h.created_at",
    names: sql`${stores}
    left join merchant_settings m on m.service_provider_id = h.service_provider_id and m.merchant_id = h.merchant_id
    left join lateral (select o.status, o.sent_at, o.created_at, o.message from hardware_outputs o
      where o.service_provider_id = h.service_provider_id and o.hardware_id = h.id order by o.created_at desc, o.id desc limit 1) o on true`,
  };
}

/** 云打印机: the printers in sight. */
export const listPrintersRoute = implement(listPrinters, ({ tx, scope }, input) =>
  listPage<RowOf<typeof listPrinters>>(tx, input, listed(scope, "printer", input)),
);
export const getPrinterRoute = implement(getPrinter, ({ tx, scope }, { id }) =>
  oneRow<RowOf<typeof listPrinters>>(tx, "云打印机", id, listed(scope, "printer", {})),
);
/** 云喇叭: the speakers in sight. */
export const listSpeakersRoute = implement(listSpeakers, ({ tx, scope }, input) =>
  listPage<RowOf<typeof listSpeakers>>(tx, input, listed(scope, "speaker", input)),
);
export const getSpeakerRoute = implement(getSpeaker, ({ tx, scope }, { id }) =>
  oneRow<RowOf<typeof listSpeakers>>(tx, "云喇叭", id, listed(scope, "speaker", {})),
);
