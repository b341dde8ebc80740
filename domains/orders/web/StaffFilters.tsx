import type { ReactNode } from "react";
import { call } from "@zhangfang/web/api/api.ts";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { Sought, type Seek } from "@zhangfang/web/filter/Sought.tsx";
import type { List } from "@zhangfang/web/list/use-list.ts";
import { listDevices } from "../../devices/contract/index.ts";
import { listCashiers } from "../../stores/contract/index.ts";
import { dayOfWeek, hourOfDay, lacking, type listPayOrders, type listRefunds } from "../contract/index.ts";

/** Who rang it up, and where: searched by name, number or store, within the merchant and store that are chosen. */
export function StaffFilters({ list }: { list: List<typeof listPayOrders> | List<typeof listRefunds> }): ReactNode {
  const { merchantId, storeId } = list.filters;
  const within = { ...(merchantId && { merchantId }), ...(storeId && { storeId }) };
  const seekIn =
    (endpoint: typeof listCashiers): Seek =>
    async ({ search, id }, signal) => {
      const keyword = search.trim().slice(0, 32);
      const found = await call(endpoint, id ? { id } : { ...within, ...(keyword && { keyword }) }, { signal, quiet: true });
      return found.map((one) => ({ id: one.id, name: storeId ? one.name : `${one.name} · ${one.storeName}` }));
    };
  return (
    <>
      <Sought of={list.field("cashierId")} label="收银员" seek={seekIn(listCashiers)} within={[merchantId, storeId]} />
      <Sought of={list.field("deviceId")} label="设备" seek={seekIn(listDevices)} within={[merchantId, storeId]} />
    </>
  );
}

/** The hour and weekday of the moment that the dates mean, and what belongs to nobody; figures of the statistics lead here with them. */
export function TimeFilters({ list }: { list: List<typeof listPayOrders> | List<typeof listRefunds> }): ReactNode {
  return (
    <>
      <Choice of={list.field("hour")} label="时段" set={hourOfDay} />
      <Choice of={list.field("weekday")} label="星期" set={dayOfWeek} />
      <Choice of={list.field("lacking")} label="归属" set={lacking} several />
    </>
  );
}
