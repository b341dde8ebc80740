import { type ReactNode, Suspense } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import type { Selection } from "@zhangfang/web/list/Batch.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { selectedIds } from "@zhangfang/web/list/selected.ts";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { ImportDrawer } from "../../imports/web/index.ts";
import { openCashierCodes, POSTERS_AT_ONCE } from "../../pay-codes/contract.ts";
import { CashierCodeDrawer } from "../../pay-codes/web/index.ts";
import { cashierPlace, cashierShift, cashierState, getCashiers, openCashier, summariseCashiers, updateCashier } from "../contract.ts";
import { CashierDetail } from "./CashierDetail.tsx";
import { AddCashierDrawer, EditCashierDrawer } from "./CashierForms.tsx";
import { limitWords } from "./limit-words.tsx";
import { MoveDrawer } from "./MoveDrawer.tsx";
import { PlaceDrawer } from "./PlaceDrawer.tsx";

type Row = RowOf<typeof getCashiers>;

/** 收银员: who takes money at which store and device, up to how much. */
export function CashierList(): ReactNode {
  const list = useList(getCashiers);
  const sums = useSummary(summariseCashiers, list.filters).data;
  const [add, edit, place, move] = [usePanel("add"), usePanel("edit"), usePanel("place"), usePanel("move")];
  const [importing, code] = [usePanel("import"), usePanel("codes")];
  const mayExport = useAct(["/cashier/cashier/export"]);
  const adding = (
    <>
      <Act of={["/cashier/cashier/import"]}>
        <Button onClick={() => importing.open()}>批量导入</Button>
      </Act>
      <Act of={openCashier}>
        <Button tone="primary" onClick={() => add.open()}>
          新建收银员
        </Button>
      </Act>
    </>
  );
  return (
    <ListScreen
      title="收银员"
      unit="人"
      list={list}
      tabs={{ of: list.field("state"), set: cashierState, counts: sums?.byState }}
      totals={
        sums && [
          ["已绑定设备", sums.bound],
          ["未绑定", sums.count - sums.bound],
        ]
      }
      filters={
        <>
          <Keyword of={list.field("keyword")} label="收银员" placeholder="姓名 / 编号" />
          <OrgFilter of={list} levels={["storeId"]} />
          <Choice of={list.field("shift")} label="班次" set={cashierShift} />
          <Choice of={list.field("place")} label="设备" set={cashierPlace} />
        </>
      }
      actions={adding}
      {...(mayExport && { exportSource: "cashiers" })}
      batch={(selection) => <CodesOfTicked selection={selection} open={code.open} />}
      columns={shownColumns({ open: list.open, edit: edit.open, code: code.open })}
      empty={{ text: "还没有收银员", action: adding }}
    >
      <CashierDetail list={list} onEdit={edit.open} onPlace={place.open} onMove={move.open} onCode={code.open} />
      {importing.id && (
        <Suspense>
          <ImportDrawer source="cashiers" panel={importing} onMade={list.refresh} />
        </Suspense>
      )}
      {add.id && <AddCashierDrawer onClose={add.close} />}
      {edit.id && <EditCashierDrawer id={edit.id} onClose={edit.close} />}
      {place.id && <PlaceDrawer id={place.id} onClose={place.close} />}
      {move.id && <MoveDrawer id={move.id} onClose={move.close} onMoved={list.open} />}
      {code.id && code.id !== "new" && <CashierCodeDrawer cashierIds={code.id.split(",")} onClose={code.close} />}
    </ListScreen>
  );
}

function CodesOfTicked({ selection, open }: { selection: Selection; open: (ids: string) => void }): ReactNode {
  const go = async (): Promise<void> => {
    const ids = await selectedIds(getCashiers, selection, { most: POSTERS_AT_ONCE, unit: "人的收款码" });
    if (ids && ids.length > 0) open(ids.join(","));
  };
  return (
    <Act of={openCashierCodes}>
      <Button small onClick={() => void go()}>
        下载收款码
      </Button>
    </Act>
  );
}

function shownColumns({ open, edit, code }: Readonly<Record<"open" | "edit" | "code", (id: string) => void>>) {
  const c = columns<Row>();
  return [
    c.link("code", "编号", (row) => open(row.id), { width: 104 }),
    c.text("name", "姓名", { width: 96 }),
    c.text("storeName", "门店", { width: 128 }),
    c.code("shift", "班次", cashierShift, { width: 80 }),
    c.text("deviceSn", "绑定设备", { width: 120, note: (row) => row.deviceName }),
    c.text("payMostCents", "单笔收款上限", (row) => limitWords(row.payMostCents), { width: 120 }),
    c.text("offMostCents", "单笔手工优惠上限", (row) => limitWords(row.offMostCents), { width: 136, hidden: true }),
    c.text("refundMostCents", "单笔退款上限", (row) => limitWords(row.refundMostCents), { width: 120 }),
    c.text("refundDayCents", "当日退款限额", (row) => limitWords(row.refundDayCents), { width: 120 }),
    c.code("state", "状态", cashierState, { width: 80 }),
    c.time("createdAt", "新建时间", { hidden: true }),
    c.actions(
      (row) => (
        <>
          <Act of={openCashierCodes}>
            <Button tone="link" onClick={() => code(row.id)}>
              收款码
            </Button>
          </Act>
          <Act of={updateCashier}>
            <Button tone="link" onClick={() => edit(row.id)}>
              修改
            </Button>
          </Act>
        </>
      ),
      { width: 124, of: [openCashierCodes, updateCashier] },
    ),
  ];
}
