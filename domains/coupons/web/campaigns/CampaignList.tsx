import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { useCounts, useList } from "@zhangfang/web/list/use-list.ts";
import { CHART_COLOURS } from "@zhangfang/web/look/tokens.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { More } from "@zhangfang/web/show/over/Popover.tsx";
import {
  addCampaign,
  addCouponStock,
  answerCampaign,
  campaignChange,
  campaignState,
  campaignViews,
  couponKind,
  coverState,
  decideCampaign,
  listCampaigns,
  steerCampaign,
  withdrawCampaign,
} from "../../contract/index.ts";
import { DecideDrawer, mainActs, moreActs, StockDrawer } from "./CampaignActs.tsx";
import { CoverActs } from "./CoverActs.tsx";
import { type Side, useSide } from "./use-side.ts";
import { counted, endOf, minute } from "./campaign-words.ts";
import "../coupons.css";

type Row = RowOf<typeof listCampaigns>;

/** 优惠券, 商户优惠券: what was made, what of it is out, and what it may cost; or what the provider offers the merchant. */
export function CampaignList({ offered, views }: { offered: boolean; views: ReactNode }): ReactNode {
  const { base, provider } = useSide();
  const detailsOf = (id: string): string => `${base}/details?id=${id}`;
  const list = useList(listCampaigns, offered ? { defaults: { offered: "true" } } : { views: campaignViews });
  const navigate = useNavigate();
  const [decide, stock] = [usePanel("decide"), usePanel("stock")];
  const mayExport = useAct([`${base}/list/export`]) && !offered;
  const open = (row: Row) => (panel: "decide" | "stock") => (panel === "decide" ? decide : stock).open(row.id);
  const adding = (
    <Act of={addCampaign}>
      <Button tone="primary" onClick={() => void navigate(`${base}/new`)}>
        新建优惠券
      </Button>
    </Act>
  );
  return (
    <ListScreen
      title={provider ? "优惠券" : "商户优惠券"}
      unit="个"
      list={list}
      tabs={{ of: list.field("state"), set: campaignState, counts: useCounts(list, "state", campaignState) }}
      onOpen={(row) => void navigate(detailsOf(row.id))}
      hrefOf={(row) => `#${detailsOf(row.id)}`}
      filters={
        <>
          <Keyword of={list.field("keyword")} label="券" placeholder="名称 / 编号" />
          <Choice of={list.field("kind")} label="类型" set={couponKind} />
          <Choice of={list.field("change")} label="改动" set={campaignChange} />
          <DateRange of={list.range("from", "to")} label="创建时间" />
        </>
      }
      actions={
        <>
          {views}
          {!offered && adding}
        </>
      }
      {...(mayExport && { exportSource: provider ? "provider-campaigns" : "campaigns" })}
      columns={offered ? offeredColumns(detailsOf) : columnsOf({ open, detailsOf, provider, base })}
      empty={
        offered
          ? { text: "服务商还没有发来优惠券" }
          : {
              text: provider ? "还没有优惠券。建一张，选好商户，另一人审核后就能发" : "还没有优惠券。建一张，另一人审核后就能发",
              action: adding,
            }
      }
    >
      {decide.id && <DecideDrawer id={decide.id} onClose={decide.close} />}
      {stock.id && <StockDrawer id={stock.id} onClose={stock.close} />}
    </ListScreen>
  );
}

interface Given extends Pick<Side, "base" | "provider"> {
  readonly open: (row: Row) => (panel: "decide" | "stock") => void;
  readonly detailsOf: (id: string) => string;
}
function columnsOf({ open, detailsOf, provider, base }: Given) {
  const c = columns<Row>();
  return [
    c.link("name", "券名称", { to: (row) => detailsOf(row.id) }, { width: 184, copy: false, note: (row) => row.worth }),
    c.code("kind", "类型", couponKind, { width: 88 }),
    c.code("state", "状态", campaignState, { width: 88 }),
    c.text("issued", "已领 / 总量", (row) => <Issued of={row} />, { width: 148 }),
    c.text("beginsAt", "领取时间", (row) => <span className="num">{minute(row.beginsAt)}</span>, {
      width: 152,
      note: (row) => `至 ${endOf(row.endsAt)}`,
    }),
    c.money("valueCents", "最高负债（元）", { width: 120, main: true, hint: "还没用的和还能领的，全部用掉时最多少收多少" }),
    ...(provider ? [...borneColumns(), c.number("merchants", "参加商户", { width: 96 })] : []),
    c.text("madeBy", "创建人", { width: 96 }),
    c.text("no", "编号", { width: 168, hidden: true }),
    c.time("createdAt", "创建时间", { width: 168, hidden: true, sort: "-createdAt" }),
    c.actions(
      (row) => (
        <>
          {mainActs(row, open(row), "link")}
          {row.state === "STOPED" ? moreActs(row, open(row), "link", base) : <More>{moreActs(row, open(row), "quiet", base)}</More>}
        </>
      ),
      { width: 104, of: [addCampaign, decideCampaign, steerCampaign, addCouponStock, withdrawCampaign] },
    ),
  ];
}

const borneColumns = () => [
  columns<Row>().text("providerPercent", "服务商承担", (row) => <span className="num">{row.providerPercent}%</span>, { width: 104 }),
];
/** What the provider offers, and what the merchant said to it. */
function offeredColumns(detailsOf: (id: string) => string) {
  const c = columns<Row>();
  return [
    c.link("name", "券名称", { to: (row) => detailsOf(row.id) }, { width: 184, copy: false, note: (row) => row.worth }),
    c.code("kind", "类型", couponKind, { width: 88 }),
    c.code("state", "状态", campaignState, { width: 88 }),
    c.code("cover", "本店", coverState, { width: 88 }),
    ...borneColumns(),
    c.text("beginsAt", "领取时间", (row) => <span className="num">{minute(row.beginsAt)}</span>, {
      width: 152,
      note: (row) => `至 ${endOf(row.endsAt)}`,
    }),
    c.text("no", "编号", { width: 168, hidden: true }),
    c.time("createdAt", "创建时间", { width: 168, hidden: true, sort: "-createdAt" }),
    c.actions((row) => <CoverActs of={row} tone="link" />, { width: 104, of: [answerCampaign] }),
  ];
}

/** How many of all are given out; what is set aside for a task counts as given. */
export function Issued({ of: { issued, held, total } }: { of: Pick<Row, "issued" | "held" | "total"> }): ReactNode {
  const share = total > 0 ? Math.min(100, ((issued + held) / total) * 100) : 0;
  return (
    <span className="coupon-issued">
      <span className="num">
        {counted(issued)} / {counted(total)}
      </span>
      <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        <rect width={share} height="4" fill={CHART_COLOURS[0]} />
      </svg>
    </span>
  );
}
