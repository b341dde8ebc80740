import { type ReactNode, useState } from "react";
import { Link, useSearchParams } from "react-router";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { type CodeOf, labelled } from "@zhangfang/contract/labelled.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { Export } from "@zhangfang/web/list/Export.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { useScreenTitle } from "@zhangfang/web/screen-title.tsx";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Copy } from "@zhangfang/web/show/Copy.tsx";
import { StatCards } from "@zhangfang/web/show/figures/StatCards.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { DetailScreen, Group, HeroLine, Loaded, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { More } from "@zhangfang/web/show/over/Popover.tsx";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { getMember } from "../../members/contract/index.ts";
import { drawnWhat, getLottery, handOverWin, listDraws, lotteryState, restOf, sayChance, winStatus } from "../contract/index.ts";
import { ChanceBar } from "./ChanceBar.tsx";
import { HandDrawer } from "./HandDrawer.tsx";
import { DecideDrawer, mainActs, moreActs, type Panel, RaiseDrawer, Rules } from "./LotteryActs.tsx";
import { EditLottery } from "./LotteryForm.tsx";
import { colourAt, counted, minute } from "./lottery-words.ts";
import "./lottery.css";

type Lottery = OutputOf<typeof getLottery>;
type Prize = Lottery["prizes"][number];
type Draw = RowOf<typeof listDraws>;

/** 活动详情: prizes with what is left, figures, the rules, and each draw. */
export function LotteryDetails(): ReactNode {
  const [query] = useSearchParams();
  const id = query.get("id") ?? "";
  const lottery = useDetail(getLottery, id && { id }, { live_ms: 30_000 });
  const [edit, decide, raise, hand] = [usePanel("edit"), usePanel("decide"), usePanel("raise"), usePanel("hand")];
  useScreenTitle(lottery.data && `摇一摇 · ${lottery.data.name}`);
  const panels: Readonly<Record<Panel, typeof edit>> = { edit, decide, raise };
  const open = (panel: Panel): void => panels[panel].open(id);
  const { data } = lottery;
  return (
    <DetailScreen
      title="摇一摇详情"
      list={["/activity/shake", "摇一摇活动"]}
      of={lottery}
      actions={
        data && (
          <>
            {data.waiting > 0 && (
              <Act of={handOverWin}>
                <Button onClick={() => hand.open("code")}>兑奖</Button>
              </Act>
            )}
            {data.state !== "STOPED" && <More>{moreActs(data, open, "quiet")}</More>}
            {mainActs(data, open, "plain")}
          </>
        )
      }
    >
      {(row) => (
        <>
          <Facts of={row} />
          {edit.id && <EditLottery id={id} onClose={edit.close} />}
          {decide.id && <DecideDrawer id={id} onClose={decide.close} />}
          {raise.id && <RaiseDrawer id={id} onClose={raise.close} />}
          {hand.id && <HandDrawer onClose={hand.close} />}
        </>
      )}
    </DetailScreen>
  );
}
function Facts({ of: row }: { of: Lottery }): ReactNode {
  return (
    <>
      <HeroLine
        label={`摇一摇 · ${row.firstDay} 至 ${row.lastDay}`}
        value={row.name}
        status={<StatusTag of={lotteryState} code={row.state} />}
      />
      <p className="note">{stateWords(row)}</p>
      <Figures of={row} />
      <Prizes of={row} />
      <Group title="规则">
        <Rules said={row.said} />
      </Group>
      {row.seed0 !== null && (
        <Group
          title="公示"
          pairs={[
            [
              "公示页",
              <Copy key="url" text={row.proofUrl}>
                <a href={row.proofUrl} target="_blank" rel="noopener">
                  打开公示页
                </a>
              </Copy>,
            ],
            [
              "seed(0)",
              <code key="seed" className="lottery-seed">
                {row.seed0}
              </code>,
            ],
            ["谁能看", "所有人；每天的种子第二天公布，公布前商户也看不到"],
          ]}
        />
      )}
      {row.seed0 !== null && <Draws of={row} />}
      <Group
        title="记录"
        pairs={[
          ["编号", row.no],
          ["创建人", `${row.madeBy} ${minute(row.createdAt)}`],
          ["审核人", row.decidedBy && row.decidedAt ? `${row.decidedBy} ${minute(row.decidedAt)}` : null],
          ["兑奖门店", storesOf(row)],
        ]}
      />
    </>
  );
}
const storesOf = ({ terms, names }: Lottery): string =>
  terms.storeIds.length === 0 ? "全部门店" : terms.storeIds.map((one) => names.stores[one] ?? "已停用门店").join("、");
/** Where it stands and whose turn it is, in one line. */
function stateWords({ state, madeBy, createdAt, stoppedAt, lastDay, firstDay, mayDecide }: Lottery): string {
  if (state === "UNAUDIT") return `${madeBy} 于 ${minute(createdAt)} 提交，要由另一人审核${mayDecide ? "，现在等你" : ""}`;
  if (state === "STOPED") return stoppedAt ? `${minute(stoppedAt)} 结束，已摇中的照常到账、兑奖` : "已结束";
  return state === "PAUSED" ? "现在不能摇，已摇中的照常到账、兑奖" : `${firstDay} 摇到 ${lastDay} 24:00，只能加奖，不能改规则`;
}
function Figures({ of: row }: { of: Lottery }): ReactNode {
  return (
    <StatCards
      stats={[
        { label: "摇了（次）", value: counted(row.draws), more: `${counted(row.people)} 人` },
        {
          label: "中了（次）",
          value: counted(row.wins),
          more: row.draws > 0 ? `${((row.wins * 100) / row.draws).toFixed(1)} %` : "还没有人摇",
        },
        { label: "成本（元）", value: <Money cents={row.spentCents} />, more: `最高 ${yuan(row.budgetCents)}` },
        {
          label: "待发待兑（元）",
          value: <Money cents={row.heldCents} />,
          more: row.waiting > 0 ? `${counted(row.waiting)} 份实物等顾客来兑` : "没有等着兑的",
        },
      ]}
    />
  );
}
function Prizes({ of: { prizes } }: { of: Lottery }): ReactNode {
  const c = columns<Prize & { id: string }>();
  const rest = restOf(prizes);
  return (
    <Group title="奖品和机会">
      <ChanceBar prizes={prizes} rest={rest} />
      <DataTable
        label="奖品和机会"
        rows={prizes.map((prize) => ({ ...prize, id: String(prize.place) }))}
        columns={[
          c.text(
            "name",
            "奖品",
            (row) => (
              <>
                <span className="lottery-swatch" style={{ background: colourAt(row.place - 1) }} /> {row.name}
              </>
            ),
            { width: 200, note: (row) => (row.words === row.name ? "" : row.words) },
          ),
          c.money("valueCents", "价值（元）", { width: 112 }),
          c.text("chance", "机会", (row) => <span className="num">{sayChance(row.chance)}</span>, { width: 96 }),
          c.number("stock", "数量", { width: 96 }),
          c.number("drawn", "已摇出", { width: 96 }),
          c.text(
            "left",
            "还剩",
            (row) => (row.drawn < row.stock ? <span className="num">{counted(row.stock - row.drawn)}</span> : "已发完"),
            { width: 96 },
          ),
          c.number("given", "已发已兑", { width: 96 }),
          c.number("failed", "没发成", { width: 88 }),
        ]}
        blank={<p className="note">没有奖品</p>}
      />
      {rest > 0 && <p className="note">谢谢参与 {sayChance(rest)}；某样发完后，摇中它的也算谢谢参与，顾客看到「已发完」。</p>}
    </Group>
  );
}

const shownSet = labelled({ all: "全部", won: "中奖", gone: "已发完", none: "谢谢参与" });
/** Each draw, the newest first. */
function Draws({ of: lottery }: { of: Lottery }): ReactNode {
  const [shown, setShown] = useState<CodeOf<typeof shownSet>>("all");
  const filters = { lotteryId: lottery.id, ...(shown !== "all" && { what: shown }) };
  const rows = useDetail(listDraws, { ...filters, pageSize: 50, withTotal: true }, { live_ms: 30_000 });
  const mayExport = useAct(["/activity/shake/export"]);
  const mayMember = useAct(getMember);
  const c = columns<Draw>();
  const shownColumns = [
    c.number("drawNo", "序号", { width: 80 }),
    c.time("at", "时间", { width: 152 }),
    c.text(
      "memberNo",
      "会员号",
      (row) => (mayMember ? <Link to={`/member/details?id=${row.memberId}`}>{row.memberNo}</Link> : row.memberNo),
      { width: 120, note: (row) => `当天第 ${row.nth} 次` },
    ),
    c.number("roll", "号码", { width: 96 }),
    c.code("what", "结果", drawnWhat, { width: 96 }),
    c.text("prize", "奖品", { width: 140 }),
    c.text("status", "兑奖", (row) => row.status !== null && <StatusTag of={winStatus} code={row.status} />, {
      width: 120,
      note: (row) => row.reason || row.storeName,
    }),
    c.money("costCents", "成本（元）", { width: 104 }),
  ];
  return (
    <Group title="抽奖记录">
      <div className="lottery-rows-head">
        <Segments small label="抽奖记录里的" set={shownSet} value={shown} onChange={setShown} />
        {mayExport && (
          <Export
            source="lottery-draws"
            title="摇一摇记录"
            unit="条"
            list={{ filters: filters as never, total: rows.data?.total }}
            columns={shownColumns}
          />
        )}
      </div>
      <Loaded of={rows}>
        {({ items, next }) => (
          <>
            <DataTable label="抽奖记录" rows={items} columns={shownColumns} blank={<p className="note">没有这样的记录</p>} />
            {next !== null && <p className="note">这里是最近 50 条，全部请导出</p>}
          </>
        )}
      </Loaded>
    </Group>
  );
}
