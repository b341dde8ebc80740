import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { OneRow } from "@zhangfang/web/list/OneRow.tsx";
import { useList } from "@zhangfang/web/list/use-list.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import {
  bindPrinter,
  getPrinter,
  listPrinters,
  onlineState,
  outputStatus,
  paperWidth,
  printerVendor,
  receiptTemplate,
  updatePrinter,
} from "../contract/index.ts";
import { CheckPrinter, TestHardware, UnbindHardware } from "./HardwareActs.tsx";
import { HardwareDrawer, wishes } from "./HardwareDrawer.tsx";
import { OutputDrawer } from "./OutputTable.tsx";
import { BindPrinter, EditPrinter } from "./PrinterForms.tsx";

type Row = RowOf<typeof listPrinters>;

/** 云打印机: the printers of the stores in sight. */
export function PrinterList(): ReactNode {
  const list = useList(listPrinters);
  const [bind, edit, records] = [usePanel("bind"), usePanel("edit"), usePanel("records")];
  const c = columns<Row>();
  const binding = (
    <Act of={bindPrinter}>
      <Button tone="primary" onClick={() => bind.open()}>
        绑定打印机
      </Button>
    </Act>
  );
  return (
    <ListScreen
      title="云打印机"
      unit="台"
      list={list}
      filters={
        <>
          <Keyword of={list.field("keyword")} label="打印机" placeholder="名称 / 编号 / 门店" />
          <OrgFilter of={list} levels={["storeId"]} />
        </>
      }
      actions={
        <>
          <Button onClick={() => records.open()}>最近打印</Button>
          {binding}
        </>
      }
      columns={[
        c.link("name", "名称", (row) => list.open(row.id), { width: 128, copy: false }),
        c.text("storeName", "门店", { width: 128 }),
        c.code("vendor", "品牌", printerVendor, { width: 80 }),
        c.text("sn", "编号", (row) => <span className="num">{row.sn}</span>, { width: 128 }),
        c.code("online", "状态", onlineState, { width: 108 }),
        c.code("template", "模板", receiptTemplate, { width: 96 }),
        c.number("copies", "联数", { width: 64 }),
        c.text("wishes", "自动打印", wishes, { width: 128 }),
        c.code("lastStatus", "上次打印", outputStatus, { width: 96 }),
        c.time("lastAt", "上次时间", { width: 168, hidden: true }),
        c.actions(
          (row) => (
            <>
              <TestHardware kind="printer" of={row} link />
              <Act of={updatePrinter}>
                <Button tone="link" onClick={() => edit.open(row.id)}>
                  修改
                </Button>
              </Act>
            </>
          ),
          { width: 108 },
        ),
      ]}
      empty={{ text: "还没有绑定云打印机", action: binding }}
    >
      <OneRow list={list} by={getPrinter} id={list.openId} title="云打印机" onClose={list.close}>
        {(row) => <PrinterDrawer row={row} onEdit={() => edit.open(row.id)} onClose={list.close} />}
      </OneRow>
      {bind.id && <BindPrinter onClose={bind.close} onDone={list.open} />}
      <OneRow list={list} by={getPrinter} id={edit.id} title="修改云打印机" onClose={edit.close}>
        {(row) => <EditPrinter key={row.version} row={row} onClose={edit.close} />}
      </OneRow>
      {records.id && <OutputDrawer kind="printer" onClose={records.close} />}
    </ListScreen>
  );
}

function PrinterDrawer({ row, onEdit, onClose }: { row: Row; onEdit: () => void; onClose: () => void }): ReactNode {
  return (
    <HardwareDrawer
      kind="printer"
      row={row}
      onClose={onClose}
      pairs={[
        ["门店", row.storeName],
        ["品牌", printerVendor.label(row.vendor)],
        ["编号", <span className="num">{row.sn}</span>],
        ["密钥", <span className="num">**** {row.keyTail}</span>],
        [
          "状态",
          row.online === null ? (
            "尚未查询"
          ) : (
            <>
              <StatusTag of={onlineState} code={row.online} /> <Time at={row.checkedAt} />
            </>
          ),
        ],
        ["模板", `${receiptTemplate.label(row.template)}，${paperWidth.label(row.paperWidth)}，${row.copies} 联`],
        ["自动打印", wishes(row)],
        ["绑定时间", <Time at={row.createdAt} />],
      ]}
      footer={
        <>
          <UnbindHardware kind="printer" of={row} onDone={onClose} />
          <CheckPrinter of={row} />
          <TestHardware kind="printer" of={row} />
          <Act of={updatePrinter}>
            <Button tone="primary" onClick={onEdit}>
              修改
            </Button>
          </Act>
        </>
      }
    />
  );
}
