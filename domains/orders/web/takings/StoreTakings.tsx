import type { ReactNode } from "react";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useList } from "@zhangfang/web/list/use-list.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Empty } from "@zhangfang/web/show/Empty.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import { findOrg, useOpeningAt } from "@zhangfang/web/window/use-opening.ts";
import { getShift, handOver, listHandovers } from "../../contract/index.ts";
import { CurrentShift } from "./CurrentShift.tsx";
import { HandoverDrawer } from "./handover/HandoverDrawer.tsx";
import { HandoverList } from "./handover/HandoverList.tsx";
import { PrintDrawer } from "./PrintDrawer.tsx";
import { sheetOfHandover, sheetOfShift } from "./handover/sheet.ts";
import { StoreDayLink } from "./StoreDayLink.tsx";
import { ShiftPickers } from "./ShiftPickers.tsx";

/** 门店收款: what a store, or one of its cashiers, took since the last handover; handing over fixes it for ever. */
export function StoreTakings(): ReactNode {
  const { asking } = useOpeningAt("storeId", findOrg("storeId"));
  if (!asking) return <Takings />;
  return (
    <section className="store-takings">
      <header className="screen-head">
        <h1>门店收款</h1>
      </header>
      <div className="sheet">
        <Skeleton rows={6} />
      </div>
    </section>
  );
}

function Takings(): ReactNode {
  const list = useList(listHandovers);
  const { storeId, cashierId } = list.filters;
  const whole = useDetail(getShift, storeId && { storeId });
  const ofCashier = useDetail(getShift, storeId && cashierId && { storeId, cashierId });
  const shift = cashierId ? ofCashier : whole;
  const handover = usePanel("handover");
  const print = usePanel("print");
  const printed = list.rows.find(({ id }) => id === print.id);
  return (
    <section className="store-takings">
      <header className="screen-head">
        <h1>门店收款</h1>
        <div className="screen-acts">
          {shift.data && (
            <>
              <StoreDayLink storeId={shift.data.storeId} at={shift.data.toAt} />
              <Button onClick={() => print.open("now")}>打印</Button>
              <Act of={handOver}>
                <Button tone="primary" disabled={shift.data.lastEntryId === null} onClick={() => handover.open()}>
                  交班
                </Button>
              </Act>
            </>
          )}
        </div>
      </header>
      <div className="sheet">
        <ShiftPickers list={list} takings={whole.data?.rows ?? []} />
        {storeId ? <CurrentShift of={shift} /> : <Empty drawing="ledger" text="还没有门店，先开一家" />}
      </div>
      {/* How tall the shift will be is known with its rows. */}
      {!(storeId && shift.isPending) && <HandoverList list={list} onPrint={print.open} />}
      {handover.id && shift.data && <HandoverDrawer shift={shift.data} onClose={handover.close} onDone={print.open} />}
      {print.id === "now" && shift.data && <PrintDrawer sheet={sheetOfShift(shift.data)} onClose={print.close} />}
      {printed && <PrintDrawer sheet={sheetOfHandover(printed)} onClose={print.close} />}
    </section>
  );
}
