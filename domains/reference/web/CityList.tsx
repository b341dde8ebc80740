import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useList } from "@zhangfang/web/list/use-list.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { isEnabled, listDivisions } from "../contract.ts";
import { divisionColumns } from "./division-parts.tsx";
import { ShortNameDrawer } from "./ShortNameDrawer.tsx";

const belowProvince = labelled({ 2: "城市", 3: "区县" });

/** 城市: the cities and districts that addresses can name, by province. */
export function CityList(): ReactNode {
  const list = useList(listDivisions, { defaults: { level: "2" } });
  const edit = usePanel("short-name");
  const edited = list.rows.find(({ code }) => code === edit.id);
  const { data: provinces } = useQuery({
    queryKey: [listDivisions.path, "provinces"],
    queryFn: ({ signal }) => call(listDivisions, { level: 1, pageSize: 50 }, { signal }),
  });
  const province = labelled(Object.fromEntries((provinces?.items ?? []).map(({ code, name }) => [code, name])));
  return (
    <ListScreen
      title="城市"
      unit="个"
      list={list}
      filters={
        <>
          <Choice of={list.field("provinceCode")} label="省份" set={province} />
          <Choice of={list.field("level")} label="级别" set={belowProvince} />
          <Keyword of={list.field("keyword")} label="名称" placeholder="名称、简称或代码" />
          <Choice of={list.field("enabled")} label="状态" set={isEnabled} />
        </>
      }
      columns={divisionColumns(list, edit.open, list.filters["level"] === "3" ? undefined : "个区县")}
      onOpen={false}
    >
      {edited && <ShortNameDrawer key={edited.code} division={edited} onClose={edit.close} />}
    </ListScreen>
  );
}
