import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { Neighbours } from "@zhangfang/web/list/Neighbours.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { useCounts, useList } from "@zhangfang/web/list/use-list.ts";
import { useScreenTitle } from "@zhangfang/web/screen-title.tsx";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { DetailDrawer, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import {
  addPackage,
  campaignState,
  decidePackage,
  getPackage,
  listPackages,
  packageKind,
  steerPackage,
  withdrawPackage,
} from "../../contract/index.ts";
import { Issued } from "../campaigns/CampaignList.tsx";
import { counted, endOf, minute } from "../campaigns/campaign-words.ts";
import { DecideDrawer, packageActs } from "./PackageActs.tsx";
import { PackageFacts } from "./PackageFacts.tsx";
import { PackageNew } from "./PackageNew.tsx";
import { shareWords } from "./package-words.ts";
import "../coupons.css";

type Row = RowOf<typeof listPackages>;

/** 券包: what is in each, how many went out, and what they brought. A new one is made in place of the list. */
export function PackageList(): ReactNode {
  const making = usePanel("new");
  const may = useAct(addPackage);
  const anew = making.id !== undefined && may;
  useScreenTitle(anew ? "新建券包" : "券包");
  return anew ? <PackageNew onClose={making.close} /> : <Packages onNew={() => making.open()} />;
}
function Packages({ onNew }: { onNew: () => void }): ReactNode {
  const list = useList(listPackages);
  const decide = usePanel("decide");
  const pack = useDetail(getPackage, list.openId && { id: list.openId });
  const mayExport = useAct(["/ticket/group/export"]);
  const adding = (
    <Act of={addPackage}>
      <Button tone="primary" onClick={onNew}>
        新建券包
      </Button>
    </Act>
  );
  return (
    <ListScreen
      title="券包"
      unit="个"
      list={list}
      tabs={{ of: list.field("state"), set: campaignState, counts: useCounts(list, "state", campaignState) }}
      filters={
        <>
          <Keyword of={list.field("keyword")} label="券包" placeholder="名称 / 编号" />
          <Choice of={list.field("kind")} label="收费" set={packageKind} />
          <DateRange of={list.range("from", "to")} label="创建时间" />
        </>
      }
      actions={adding}
      {...(mayExport && { exportSource: "packages" })}
      columns={columnsOf(list.open, decide.open)}
      empty={{ text: "还没有券包。把几种券放在一起，免费送或卖出去", action: adding }}
    >
      {list.openId && (
        <DetailDrawer title="券包详情" of={pack} onClose={list.close} extra={<Neighbours of={list} />}>
          {(one) => <PackageFacts of={one} acts={packageActs(one, decide.open, "plain")} />}
        </DetailDrawer>
      )}
      {decide.id && <DecideDrawer id={decide.id} onClose={decide.close} />}
    </ListScreen>
  );
}
function columnsOf(open: (id: string) => void, decide: (id: string) => void) {
  const c = columns<Row>();
  return [
    c.link("name", "券包", (row) => open(row.id), { width: 208, copy: false, note: (row) => row.content }),
    c.code("state", "状态", campaignState, { width: 88 }),
    c.money("priceCents", "售价（元）", { width: 96, note: (row) => row.priceCents === null && "免费" }),
    c.text("issued", "已发 / 总量", (row) => <Issued of={row} />, { width: 148 }),
    c.text("received", "领取 / 售出", (row) => <span className="num">{`${counted(row.received)} / ${counted(row.sold)}`}</span>, {
      width: 104,
    }),
    c.money("incomeCents", "收入（元）", { width: 112, hint: "顾客付的，减去退掉的" }),
    c.text("used", "使用率", (row) => <span className="num">{shareWords(row.used, row.coupons)}</span>, {
      width: 96,
      note: (row) => (row.coupons > 0 ? `${counted(row.used)} / ${counted(row.coupons)} 张` : undefined),
    }),
    c.money("valueCents", "最高负债（元）", { width: 120, main: true, hint: "还没发的份数，全部用掉时最多少收多少；不减售价" }),
    c.text("beginsAt", "领取时间", (row) => <span className="num">{minute(row.beginsAt)}</span>, {
      width: 152,
      note: (row) => `至 ${endOf(row.endsAt)}`,
      hidden: true,
    }),
    c.text("madeBy", "创建人", { width: 96, hidden: true }),
    c.text("no", "编号", { width: 168, hidden: true }),
    c.time("createdAt", "创建时间", { width: 168, hidden: true, sort: "-createdAt" }),
    c.actions((row) => packageActs(row, decide, "link"), { width: 104, of: [decidePackage, withdrawPackage, steerPackage] }),
  ];
}
