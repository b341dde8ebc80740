import type { ReactNode } from "react";
import { call } from "@zhangfang/web/api/api.ts";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { OrgFilter, OWNERS, SELLERS } from "@zhangfang/web/filter/OrgFilter.tsx";
import { Sought, type Seek } from "@zhangfang/web/filter/Sought.tsx";
import type { List } from "@zhangfang/web/list/use-list.ts";
import { listDevices } from "../../../devices/contract/index.ts";
import { ProductFilter } from "../../../mall/web/index.ts";
import { PaidHowFilters } from "../../../orders/web/index.ts";
import { listCashiers } from "../../../stores/contract/index.ts";
import { against, type listPayStatistics } from "../../contract/index.ts";

export type Report = List<typeof listPayStatistics>;

/** Which days, whose, and what they are held against. @param whole today is none of them yet */
export function ReportFilters({ list, whole = false }: { list: Report; whole?: boolean }): ReactNode {
  return (
    <>
      <DateRange of={list.range("from", "to")} label="统计日期" whole={whole} live={!whole} />
      <Choice of={list.field("against")} label="对比" set={against} none="不对比" />
      {list.filters["against"] === "chosen" && <DateRange of={list.range("beforeFrom", "beforeTo")} label="对比日期" />}
      <OrgFilter of={list} levels={OWNERS} />
    </>
  );
}

/** Who sold it, which goods, how was paid, by whom it was rung up, and when in a day or week. */
export function MoreReportFilters({ list }: { list: Report }): ReactNode {
  const { merchantId, storeId } = list.filters;
  const seekIn =
    (endpoint: typeof listCashiers): Seek =>
    async ({ search, id }, signal) => {
      const keyword = search.trim().slice(0, 32);
      const within = { ...(merchantId && { merchantId }), ...(storeId && { storeId }), ...(keyword && { keyword }) };
      const found = await call(endpoint, id ? { id } : within, { signal, quiet: true });
      return found.map((one) => ({ id: one.id, name: storeId ? one.name : `${one.name} · ${one.storeName}` }));
    };
  return (
    <>
      <OrgFilter of={list} levels={SELLERS} />
      <ProductFilter of={list.field("product")} />
      <Sought of={list.field("cashierId")} label="收银员" seek={seekIn(listCashiers)} within={[merchantId, storeId]} />
      <Sought of={list.field("deviceId")} label="设备" seek={seekIn(listDevices)} within={[merchantId, storeId]} />
      <PaidHowFilters list={list} />
    </>
  );
}
