import type { ReactNode } from "react";
import { Link } from "react-router";
import { yuan } from "@zhangfang/contract/money.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Empty } from "@zhangfang/web/show/Empty.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { printSheet } from "@zhangfang/web/show/print-sheet.tsx";
import { hindranceWords, madeOf } from "../../contract/store-day-words.ts";
import { rowsOf, SCREEN_OF } from "./store-day-links.ts";
import { StoreDayPaper } from "./StoreDayPaper.tsx";
import type { StoreDay } from "./store-day-links.ts";

type Change = StoreDay["changes"][number];
const shown = ({ money }: Change, value: number): string => (money ? yuan(value) : String(value));

/** 关账后变动: each figure that is another one now, with its rows. */
export function LaterChanges({ data }: { data: StoreDay }): ReactNode {
  const c = columns<Change>();
  if (data.changes.length === 0)
    return (
      <Empty drawing="ledger" text={data.status === "closed" ? "关账后没有变动，和签字时一样" : "还没有关账。关账后又变的数会列在这里"} />
    );
  return (
    <>
      <DataTable
        label={data.status === "closed" ? "关账后变动" : "提交后变动"}
        rows={data.changes}
        rowKey={({ name }) => name}
        columns={[
          c.text("name", "项目", { width: 240 }),
          c.text("before", data.status === "closed" ? "关账时" : "提交时", (row) => <span className="num">{shown(row, row.before)}</span>, {
            width: 128,
          }),
          c.text("now", "现在", (row) => <span className="num">{shown(row, row.now)}</span>, { width: 128 }),
          c.text(
            "money",
            "相差",
            (row) =>
              row.money ? <Money cents={(row.now - row.before) as never} sign /> : <span className="num">{row.now - row.before}</span>,
            { width: 128 },
          ),
          c.text("line", "明细", (row) => <Rows of={row} data={data} />, { width: 96 }),
        ]}
      />
      <p className="note storeday-under">
        {data.status === "closed" ? "关账时的数不会改；要按新的数关账，由主账号撤销关账后再来。" : "要按新的数关账，请撤回后重新提交。"}
      </p>
    </>
  );
}
function Rows({ of: { line }, data }: { of: Change; data: StoreDay }): ReactNode {
  const may = useAct([SCREEN_OF[line?.band ?? "own"]]);
  if (!line || !may) return <span className="blank">—</span>;
  return <Link to={rowsOf(data, line, line.column)}>看明细</Link>;
}

type Closing = StoreDay["closings"][number];
/** 历次关账: each sheet as it was signed, also of a day that was opened again. */
export function Closings({ data }: { data: StoreDay }): ReactNode {
  const c = columns<Closing>();
  if (data.closings.length === 0) return <Empty drawing="ledger" text="这天还没有关过账" />;
  const print = (closing: Closing): void => {
    const signed: StoreDay = { ...data, ...closing, status: "closed", changes: [] };
    printSheet(<StoreDayPaper data={{ ...signed, asOf: closing.closedAt }} printedAt={Date.now()} />);
  };
  return (
    <DataTable
      label="历次关账"
      rows={data.closings}
      rowKey={({ version }) => String(version)}
      columns={[
        c.time("closedAt", "关账时间", { width: 168 }),
        c.text(
          "figures",
          "归门店（元）",
          ({ figures }) => {
            const { ownCents, settledCents, owedCents } = madeOf(figures);
            return <Money cents={(ownCents + settledCents + owedCents) as never} />;
          },
          { width: 128 },
        ),
        c.text("proposedBy", "提交人", { width: 96 }),
        c.text("closedBy", "确认人", { width: 96 }),
        c.text("hindrances", "关账时记下", ({ hindrances }) => hindrances.map((one) => hindranceWords(one, data.day)).join("；"), {
          width: 240,
        }),
        c.text("note", "说明", { width: 160 }),
        c.actions(
          (closing) => (
            <Button tone="link" onClick={() => print(closing)}>
              打印日结单
            </Button>
          ),
          { width: 120 },
        ),
      ]}
    />
  );
}
