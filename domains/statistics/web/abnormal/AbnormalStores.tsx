import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { ApiError, call } from "@zhangfang/web/api/api.ts";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { type Column, columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { OneRow } from "@zhangfang/web/list/OneRow.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Group } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import {
  abnormalReason,
  abnormalStatus,
  getAbnormalStore,
  handleAbnormalStores,
  listAbnormalStores,
  reopenAbnormalStore,
  setAbnormalLimits,
  summariseAbnormalStores,
} from "../../contract/abnormal.ts";
import { factWords } from "../../contract/abnormal-words.ts";
import { HandleDrawer } from "./HandleDrawer.tsx";
import { LimitsDrawer } from "./LimitsDrawer.tsx";

type Row = RowOf<typeof listAbnormalStores>;

/** 异常门店: what the morning's look at the statistics found, and what was done about it. */
export function AbnormalStores(): ReactNode {
  const list = useList(listAbnormalStores);
  const sums = useSummary(summariseAbnormalStores, list.filters).data;
  const [handle, limits] = [usePanel("handle"), usePanel("limits")];
  const mayHandle = useAct(handleAbnormalStores);
  const mayExport = useAct(["/store/abnormal/export"]);
  return (
    <ListScreen
      title="异常门店"
      unit="条"
      list={list}
      tabs={{
        of: list.field("status"),
        set: abnormalStatus,
        counts: sums && Object.fromEntries(sums.perStatus.map(({ status, count }) => [status, count])),
      }}
      filters={
        <>
          <Choice of={list.field("reason")} label="原因" set={abnormalReason} />
          <Keyword of={list.field("keyword")} label="门店" placeholder="名称" />
          <OrgFilter of={list} levels={["serviceProviderId", "agentId", "businessTeamId", "merchantId"]} />
        </>
      }
      actions={
        <Act of={setAbnormalLimits}>
          <Button onClick={() => limits.open(list.filters["serviceProviderId"] ?? "own")}>设置条件</Button>
        </Act>
      }
      {...(mayExport && { exportSource: "abnormal-stores" })}
      columns={abnormalColumns(mayHandle, handle.open, list.refresh)}
      {...(mayHandle && {
        batch: (selection) =>
          selection.all ? null : (
            <>
              <Button small tone="primary" onClick={() => handle.open("batch")}>
                处理 {selection.count} 条
              </Button>
              {handle.id === "batch" && selection.ids.length > 0 && (
                <HandleDrawer ids={selection.ids} name={`${selection.count} 条`} onClose={handle.close} onDone={selection.clear} />
              )}
            </>
          ),
      })}
      onOpen={false}
      empty={{ text: "没有异常门店。每天早上按条件检查一次。" }}
    >
      {handle.id && handle.id !== "batch" && (
        <OneRow list={list} by={getAbnormalStore} id={handle.id} title="处理异常" onClose={handle.close}>
          {(row) => <HandleOne row={row} onClose={handle.close} />}
        </OneRow>
      )}
      {limits.id && <LimitsDrawer serviceProviderId={limits.id === "own" ? undefined : limits.id} onClose={limits.close} />}
    </ListScreen>
  );
}

/** One of them with what was found; what no longer waits says what became of it. */
function HandleOne({ row, onClose }: { row: Row; onClose: () => void }): ReactNode {
  const found = (
    <Group
      title="情况"
      pairs={[
        ["商户", row.merchantName],
        ["原因", abnormalReason.label(row.reason)],
        ["发现", factWords(row.reason, row.facts)],
        ["开始日期", row.since],
        ["业务员", row.salesmanName],
        ...(row.status === 0 ? [] : ([["状态", <StatusTag key="status" of={abnormalStatus} code={row.status} />]] as const)),
        ...(row.note === null ? [] : ([["处理说明", noteWords(row)]] as const)),
      ]}
    />
  );
  if (row.status !== 0)
    return (
      <Drawer title={`异常 ${row.storeName}`} onClose={onClose}>
        {found}
      </Drawer>
    );
  return (
    <HandleDrawer ids={[row.id]} name={row.storeName} onClose={onClose}>
      {found}
    </HandleDrawer>
  );
}
const noteWords = ({ note, handledBy }: Row): string | null => (note === null ? null : `${note}（${handledBy ?? ""}）`);

function abnormalColumns(mayHandle: boolean, handle: (id: string) => void, refresh: () => void): Column<Row>[] {
  const c = columns<Row>();
  return [
    c.text("storeName", "门店", { width: 136 }),
    c.text("merchantName", "商户", { width: 136 }),
    c.text("serviceProviderName", "服务商", { hidden: true }),
    c.code("reason", "原因", abnormalReason),
    c.text("facts", "情况", (row) => factWords(row.reason, row.facts), { width: 250 }),
    c.text("since", "开始日期", { width: 112 }),
    c.text("salesmanName", "业务员", { width: 96 }),
    c.code("status", "状态", abnormalStatus),
    c.text("note", "处理说明", noteWords, { width: 200 }),
    c.time("foundAt", "发现时间", { sort: "foundAt", width: 168 }),
    c.actions(
      (row) =>
        mayHandle && (
          <>
            {row.status === 0 && (
              <Button tone="link" onClick={() => handle(row.id)}>
                处理
              </Button>
            )}
            {row.status === 1 && (
              <Button tone="link" onClick={() => void reopen(row).then((done) => done && refresh())}>
                撤销处理
              </Button>
            )}
          </>
        ),
      { width: 104 },
    ),
  ];
}

async function reopen(row: Row): Promise<boolean> {
  try {
    await call(reopenAbnormalStore, { id: row.id });
    success(`已撤销处理「${row.storeName}」`);
    return true;
  } catch (failure) {
    // A refused call has already said why.
    if (!(failure instanceof ApiError)) throw failure;
    return false;
  }
}
