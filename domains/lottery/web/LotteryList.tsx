import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { More } from "@zhangfang/web/show/over/Popover.tsx";
import {
  addLottery,
  addLotteryStaff,
  decideLottery,
  handOverWin,
  listLotteries,
  lotteryState,
  raiseLotteryStock,
  steerLottery,
  summariseLotteries,
  withdrawLottery,
} from "../contract/index.ts";
import { HandDrawer } from "./HandDrawer.tsx";
import { DecideDrawer, mainActs, moreActs, type Panel, RaiseDrawer } from "./LotteryActs.tsx";
import { AddLottery, EditLottery } from "./LotteryForm.tsx";
import { StaffDrawer } from "./StaffDrawer.tsx";
import { counted } from "./lottery-words.ts";
import "./lottery.css";

type Row = RowOf<typeof listLotteries>;
const detailsOf = (id: string): string => `/activity/shake/details?id=${id}`;

/** 摇一摇活动. */
export function LotteryList(): ReactNode {
  const navigate = useNavigate();
  const list = useList(listLotteries, {});
  const sums = useSummary(summariseLotteries, list.filters).data;
  const [add, edit, decide, raise, staff, hand] = [
    usePanel("add"),
    usePanel("edit"),
    usePanel("decide"),
    usePanel("raise"),
    usePanel("staff"),
    usePanel("hand"),
  ];
  const panels: Readonly<Record<Panel, typeof edit>> = { edit, decide, raise };
  const open = (id: string) => (panel: Panel) => panels[panel].open(id);
  const mayExport = useAct(["/activity/shake/export"]);
  const adding = (
    <Act of={addLottery}>
      <Button tone="primary" onClick={() => add.open("new")}>
        新建摇一摇
      </Button>
    </Act>
  );
  return (
    <ListScreen
      title="摇一摇活动"
      unit="个"
      list={list}
      onOpen={(row) => void navigate(detailsOf(row.id))}
      hrefOf={(row) => `#${detailsOf(row.id)}`}
      tabs={{ of: list.field("state"), set: lotteryState, counts: sums?.byState }}
      totals={
        sums && [
          ["摇了", `${counted(sums.draws)} 次`],
          ["中了", `${counted(sums.wins)} 次`],
          ["成本", `${yuan(sums.spentCents)} 元`],
        ]
      }
      filters={<Keyword of={list.field("keyword")} label="活动" placeholder="名称 / 编号" />}
      actions={
        <>
          <Act of={addLotteryStaff}>
            <Button onClick={() => staff.open("all")}>员工名单</Button>
          </Act>
          <Act of={handOverWin}>
            <Button onClick={() => hand.open("code")}>兑奖</Button>
          </Act>
          {adding}
        </>
      }
      {...(mayExport && { exportSource: "lotteries" })}
      columns={columnsOf(open)}
      empty={{ text: "还没有摇一摇。建一个，另一人审核后，会员在会员页摇", action: adding }}
    >
      {add.id && <AddLottery onClose={add.close} onMade={(id) => void navigate(detailsOf(id))} />}
      {edit.id && <EditLottery id={edit.id} onClose={edit.close} />}
      {decide.id && <DecideDrawer id={decide.id} onClose={decide.close} />}
      {raise.id && <RaiseDrawer id={raise.id} onClose={raise.close} />}
      {staff.id && <StaffDrawer onClose={staff.close} />}
      {hand.id && <HandDrawer onClose={hand.close} />}
    </ListScreen>
  );
}
function columnsOf(open: (id: string) => (panel: Panel) => void) {
  const c = columns<Row>();
  return [
    c.link("name", "活动", { to: (row) => detailsOf(row.id) }, { width: 184, copy: false }),
    c.code("state", "状态", lotteryState, { width: 88 }),
    c.text("worth", "奖品", { width: 240 }),
    c.text("firstDay", "时间", (row) => <span className="num">{row.firstDay}</span>, { width: 120, note: (row) => `至 ${row.lastDay}` }),
    c.number("draws", "摇了（次）", { width: 96 }),
    c.number("wins", "中了（次）", { width: 96 }),
    c.money("spentCents", "成本（元）", { width: 120, main: true, note: (row) => `最高 ${yuan(row.budgetCents)}` }),
    c.text("madeBy", "创建人", { width: 96 }),
    c.text("no", "编号", { width: 128, hidden: true }),
    c.time("createdAt", "创建时间", { width: 168, hidden: true, sort: "-createdAt" }),
    c.actions(
      (row) => (
        <>
          {mainActs(row, open(row.id), "link")}
          {row.state !== "STOPED" && <More>{moreActs(row, open(row.id), "quiet")}</More>}
        </>
      ),
      { width: 104, of: [addLottery, decideLottery, steerLottery, raiseLotteryStock, withdrawLottery] },
    ),
  ];
}
