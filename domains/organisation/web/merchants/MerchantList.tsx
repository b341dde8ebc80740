import { type ReactNode, Suspense } from "react";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { ImportDrawer } from "../../../imports/web/index.ts";
import {
  addMerchantAccount,
  assignMerchants,
  channelOpened,
  listMerchantRows,
  merchantViews,
  nodeState,
  summariseMerchants,
} from "../../contract/index.ts";
import { AssignmentsButton } from "../assignments/AssignmentsButton.tsx";
import { AddMerchantDrawer } from "./edit/AddMerchantDrawer.tsx";
import { AssignMerchants } from "./edit/AssignMerchants.tsx";
import { EditMerchantDrawer } from "./edit/EditMerchantDrawer.tsx";
import { merchantColumns } from "./merchant-columns.tsx";
import { MerchantDetail } from "./MerchantDetail.tsx";

/** 商户: every merchant in sight, newest first; found by name, pinyin, number or the end of the phone. */
export function MerchantList(): ReactNode {
  const list = useList(listMerchantRows, { views: merchantViews });
  const sums = useSummary(summariseMerchants, list.filters).data;
  const [add, edit, assign, importing] = [usePanel("add"), usePanel("edit"), usePanel("assign"), usePanel("import")];
  const mayExport = useAct(["/merchants/merchants/export"]);
  const mayAssign = useAct(assignMerchants);
  const adding = (
    <>
      <Act of={["/merchants/merchants/import"]}>
        <Button onClick={() => importing.open()}>批量导入</Button>
      </Act>
      <Act of={addMerchantAccount}>
        <Button tone="primary" onClick={() => add.open()}>
          新建商户
        </Button>
      </Act>
    </>
  );
  return (
    <ListScreen
      title="商户"
      unit="家"
      list={list}
      tabs={{
        of: list.field("state"),
        set: nodeState,
        counts: sums && Object.fromEntries(sums.perState.map(({ state, count }) => [state, count])),
      }}
      filters={
        <>
          <Keyword of={list.field("keyword")} label="商户" placeholder="名称 / 拼音 / 编号 / 手机尾号" />
          <OrgFilter of={list} levels={["serviceProviderId", "agentId", "businessTeamId"]} />
        </>
      }
      moreFilters={
        <>
          <DateRange of={list.range("from", "to")} label="开通时间" />
          <DateRange of={list.range("activeFrom", "activeTo")} label="有支付的日期" />
          <Choice of={list.field("channel")} label="通道" set={channelOpened} />
          <Keyword of={list.field("trade")} label="行业" placeholder="如：餐饮" />
          <Keyword of={list.field("province")} label="省份" placeholder="如：四川省" />
        </>
      }
      totals={sums && [["门店", `${sums.storeCount.toLocaleString("en-US")} 家`]]}
      actions={
        <>
          <AssignmentsButton />
          {adding}
        </>
      }
      {...(mayExport && { exportSource: "merchants" })}
      {...(mayAssign && {
        batch: (selection) => (
          <AssignMerchants selection={selection} open={assign.id === "batch"} onOpen={() => assign.open("batch")} onClose={assign.close} />
        ),
      })}
      columns={merchantColumns({ open: list.open, edit: edit.open })}
      empty={{ text: "还没有商户", action: adding }}
    >
      <MerchantDetail list={list} onEdit={edit.open} />
      {add.id && <AddMerchantDrawer onClose={add.close} onOpen={list.open} />}
      {importing.id && (
        <Suspense>
          <ImportDrawer source="merchants" panel={importing} onMade={list.refresh} />
        </Suspense>
      )}
      {edit.id && <EditMerchantDrawer key={edit.id} id={edit.id} onClose={edit.close} />}
    </ListScreen>
  );
}
