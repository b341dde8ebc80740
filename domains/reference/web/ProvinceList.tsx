import type { ReactNode } from "react";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useList } from "@zhangfang/web/list/use-list.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { isEnabled, listDivisions } from "../contract.ts";
import { divisionColumns } from "./division-parts.tsx";
import { ShortNameDrawer } from "./ShortNameDrawer.tsx";

/** 省份: the provinces that addresses can name. */
export function ProvinceList(): ReactNode {
  const list = useList(listDivisions);
  const edit = usePanel("short-name");
  const edited = list.rows.find(({ code }) => code === edit.id);
  return (
    <ListScreen
      title="省份"
      unit="个"
      list={list}
      filters={
        <>
          <Keyword of={list.field("keyword")} label="名称" placeholder="名称、简称或代码" />
          <Choice of={list.field("enabled")} label="状态" set={isEnabled} />
        </>
      }
      columns={divisionColumns(list, edit.open, "个市")}
      onOpen={false}
    >
      {edited && <ShortNameDrawer key={edited.code} division={edited} onClose={edit.close} />}
    </ListScreen>
  );
}
