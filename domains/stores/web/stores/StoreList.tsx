import { type ReactNode, Suspense } from "react";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { RegionFilter } from "@zhangfang/web/filter/RegionFilter.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { type List, useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import { ImportDrawer } from "../../../imports/web/index.ts";
import { nodeState } from "../../../organisation/contract/index.ts";
import { listStoreChoices, listStoreRows, openStore, storeViews, summariseStores } from "../../contract/index.ts";
import "../stores.css";
import { AddToSets } from "../sets/AddToSet.tsx";
import { EditStoreDrawer } from "./EditStoreDrawer.tsx";
import { OpenStoreDrawer } from "./OpenStoreDrawer.tsx";
import { storeColumns } from "./store-columns.tsx";
import { StoreDetail } from "./StoreDetail.tsx";

/** 门店: every store in sight, newest first, with what it took today; found by name, pinyin, number or the end of the phone. */
export function StoreList(): ReactNode {
  const { level } = useUser();
  const list = useList(listStoreRows, { views: storeViews });
  const sums = useSummary(summariseStores, list.filters).data;
  const [add, edit, importing] = [usePanel("add"), usePanel("edit"), usePanel("import")];
  const gather = usePanel("gather");
  const mayGather = useAct(["/store/group/edit", "/store/area/edit"]);
  const mayExport = useAct(["/store/store/export"]);
  const own = level === "MCH" || level === "AE";
  const adding = (
    <>
      <Act of={["/store/store/import"]}>
        <Button onClick={() => importing.open()}>批量导入</Button>
      </Act>
      <Act of={openStore}>
        <Button tone="primary" onClick={() => add.open()}>
          新建门店
        </Button>
      </Act>
    </>
  );
  return (
    <ListScreen
      title="门店"
      unit="家"
      list={list}
      tabs={{
        of: list.field("state"),
        set: nodeState,
        counts: sums && Object.fromEntries(sums.perState.map(({ state, count }) => [state, count])),
      }}
      filters={
        <>
          <Keyword of={list.field("keyword")} label="门店" placeholder="名称 / 拼音 / 编号 / 电话尾号" />
          <OrgFilter of={list} levels={["serviceProviderId", "agentId", "businessTeamId", "merchantId"]} />
          {own && <Belongings list={list} />}
        </>
      }
      moreFilters={
        <>
          <RegionFilter of={list.range("province", "city")} />
          {!own && list.filters["merchantId"] && <Belongings list={list} />}
        </>
      }
      totals={
        sums && [
          ["今日净收", <Money cents={sums.todayCents} symbol />],
          ["今日", `${sums.todayCount.toLocaleString("en-US")} 笔`],
        ]
      }
      actions={adding}
      {...(mayExport && { exportSource: "stores" })}
      {...(mayGather && { batch: (selection) => <AddToSets selection={selection} panel={gather} /> })}
      columns={storeColumns({ open: list.open, edit: edit.open, own })}
      empty={{ text: "还没有门店", action: adding }}
    >
      <StoreDetail list={list} onEdit={edit.open} />
      {importing.id && (
        <Suspense>
          <ImportDrawer source="stores" panel={importing} onMade={list.refresh} />
        </Suspense>
      )}
      {add.id && <OpenStoreDrawer onClose={add.close} />}
      {edit.id && <EditStoreDrawer key={edit.id} id={edit.id} onClose={edit.close} />}
    </ListScreen>
  );
}

/** The groups and areas of one merchant, as filters. */
function Belongings({ list }: { list: List<typeof listStoreRows> }): ReactNode {
  const { merchantId } = list.filters;
  const { data } = useDetail(listStoreChoices, merchantId ? { merchantId } : {});
  const set = (rows: readonly { id: string; name: string }[] = []) => labelled(Object.fromEntries(rows.map(({ id, name }) => [id, name])));
  return (
    <>
      <Choice of={list.field("groupId")} label="分组" set={set(data?.groups)} />
      <Choice of={list.field("areaId")} label="区域" set={set(data?.areas)} />
    </>
  );
}
