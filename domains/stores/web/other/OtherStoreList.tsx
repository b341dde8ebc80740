import { type ReactNode, Suspense } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { type Column, columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import { ImportDrawer } from "../../../imports/web/index.ts";
import { listOtherStores, otherStoreState, saveOtherStore, storePlatform, summariseOtherStores } from "../../contract/index.ts";
import { OtherStoreDrawer } from "./OtherStoreDrawer.tsx";

/** 其他门店: stores of 抖音, 快手, 饿了么 and 美团, each mapped to one of the merchant's own or waiting for it. */
export function OtherStoreList(): ReactNode {
  const { level } = useUser();
  const list = useList(listOtherStores);
  const sums = useSummary(summariseOtherStores, list.filters).data;
  const [edit, importing] = [usePanel("edit"), usePanel("import")];
  const adding = (
    <>
      <Act of={["/store/other/import"]}>
        <Button onClick={() => importing.open()}>批量导入</Button>
      </Act>
      <Act of={saveOtherStore}>
        <Button tone="primary" onClick={() => edit.open()}>
          新增映射
        </Button>
      </Act>
    </>
  );
  return (
    <ListScreen
      title="其他门店"
      unit="家"
      list={list}
      tabs={{
        of: list.field("state"),
        set: otherStoreState,
        counts: sums && Object.fromEntries(sums.perState.map(({ state, count }) => [state, count])),
      }}
      filters={
        <>
          <Keyword of={list.field("keyword")} label="门店" placeholder="平台名称 / 本店名称 / 平台门店编号" />
          <Choice of={list.field("platform")} label="平台" set={storePlatform} />
          <OrgFilter of={list} levels={["merchantId"]} />
        </>
      }
      actions={adding}
      columns={otherColumns(edit.open, level === "MCH")}
      onOpen={(row) => edit.open(row.id)}
      hrefOf={(row) => edit.hrefOf(row.id)}
      empty={{ text: "还没有其他平台的门店", action: adding }}
    >
      {edit.id && <OtherStoreDrawer key={edit.id} id={edit.id} onClose={edit.close} />}
      {importing.id && (
        <Suspense>
          <ImportDrawer source="other-stores" panel={importing} onMade={list.refresh} />
        </Suspense>
      )}
    </ListScreen>
  );
}

type Row = RowOf<typeof listOtherStores>;
function otherColumns(edit: (id: string) => void, own: boolean): Column<Row>[] {
  const c = columns<Row>();
  return [
    c.code("platform", "平台", storePlatform, { width: 80 }),
    c.link("platformStoreId", "平台门店编号", (row) => edit(row.id), { width: 180 }),
    c.text("name", "平台门店名称", { width: 200 }),
    c.text("merchantName", "商户", own ? { hidden: true } : { width: 120 }),
    c.text("storeName", "映射门店", { width: 200, note: noteOf }),
    c.code("state", "状态", otherStoreState, { width: 88 }),
    c.time("updatedAt", "更新时间", { width: 168 }),
    c.actions(
      (row) => (
        <Act of={saveOtherStore}>
          <Button tone="link" onClick={() => edit(row.id)}>
            {row.storeId === null ? "映射" : "修改"}
          </Button>
        </Act>
      ),
      { width: 72 },
    ),
  ];
}
/** What stands for a store, or what one that waits looks like. */
function noteOf({ storeId, isPrimary, mappedFrom, suggestedName, suggestedWhy }: Row): string {
  if (storeId === null) return suggestedName === null ? "" : `像是 ${suggestedName}（${suggestedWhy}）`;
  return [isPrimary && "主门店", mappedFrom !== null && `${mappedFrom} 起`].filter(Boolean).join("，");
}
