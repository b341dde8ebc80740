import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { useList } from "@zhangfang/web/list/use-list.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { entryKind, goodsKind } from "../../platforms/contract/codes.ts";
import { entryPart, entrySource, listGroupBuyEntries } from "../contract/index.ts";

import { useSources } from "./use-sources.ts";

type Row = RowOf<typeof listGroupBuyEntries>;

/** 团购明细: what a figure of 团购券汇总 is made of. */
export function GroupBuyEntries(): ReactNode {
  const { level } = useUser();
  const navigate = useNavigate();
  const list = useList(listGroupBuyEntries);
  const sources = useSources();
  const own = list.filters["platform"] === "times" || list.filters["platform"] === "coupon";
  const mayExport = useAct(["/dataCentre/groupBuy/export"]) && !own;
  return (
    <ListScreen
      title="团购明细"
      unit="条"
      list={list}
      actions={<Button onClick={() => void navigate("/dataCentre/groupBuy")}>回到汇总</Button>}
      filters={
        <>
          <Keyword of={list.field("keyword")} label="单号" placeholder="平台订单号 / 完整券号" />
          <Choice of={list.field("platform")} label="平台" set={sources} />
          <DateRange of={list.range("from", "to")} label="日期" />
          <OrgFilter of={list} levels={["merchantId", "storeId"]} />
        </>
      }
      moreFilters={
        <>
          <Choice of={list.field("part")} label="哪些" set={entryPart} />
          <Choice of={list.field("kind")} label="类型" set={goodsKind} />
        </>
      }
      {...(mayExport && { exportSource: "group-buy-entries" })}
      onOpen={false}
      columns={columnsOf(level === "MCH" || level === "AE")}
      empty={{ text: "没有这样的团购明细" }}
    />
  );
}

function columnsOf(own: boolean) {
  const c = columns<Row>();
  return [
    c.time("happenedAt", "时间", { width: 168, sort: "-happenedAt" }),
    c.code("entry", "事项", entryKind, { width: 104 }),
    c.code("platform", "平台", entrySource, { width: 80 }),
    c.code("kind", "类型", goodsKind, { width: 96 }),
    c.text("title", "商品", { width: 184 }),
    c.text("no", "券号后四位", (row) => <span className="num">{row.no}</span>, { width: 104 }),
    c.text("merchantName", "商户", { width: 136, hidden: own }),
    c.text("storeName", "门店", (row) => row.storeName ?? "未映射的门店", { width: 144 }),
    c.money("payCents", "用户实付（元）", { width: 120 }),
    c.money("platformTicketCents", "平台补贴（元）", { width: 120 }),
    c.money("merchantTicketCents", "商家补贴（元）", { width: 120, hidden: true }),
    c.money("feeCents", "佣金（元）", { width: 104, hint: "核销是预计的，结算是账单里的" }),
    c.money("incomeCents", "收入（元）", {
      width: 112,
      main: true,
      hint: "核销是预计收入，结算是货款",
      note: (row) => row.uneven && "账单内不平",
    }),
    c.text("byName", "操作人", { width: 104 }),
    c.text("platformOrderNo", "平台订单号", { width: 200, hidden: true }),
  ];
}
