import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { daysAgo, today } from "@zhangfang/web/filter/day-shortcuts.ts";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { memberColumn } from "../../../members/web/index.ts";
import { listTimesUses, reverseTimesUse, summariseTimesUses, timesUseState } from "../../contract/index.ts";
import { ReverseDrawer } from "./TimesForms.tsx";

const c = columns<RowOf<typeof listTimesUses>>();

/** 次卡核销: what was used at which store, of which store's card, and what was taken back. */
export function TimesUses(): ReactNode {
  const list = useList(listTimesUses, { defaults: { from: daysAgo(29), to: today() }, live_ms: 15_000 });
  const sums = useSummary(summariseTimesUses, list.filters).data;
  const reverse = usePanel("reverse");
  const mayExport = useAct(["/vip-member/timesRecords/export"]);
  return (
    <ListScreen
      title="次卡核销"
      unit="笔"
      list={list}
      tabs={{ of: list.field("state"), set: timesUseState, counts: sums?.byState }}
      totals={
        sums && [
          ["核销", `${sums.times.toLocaleString("en-US")} 次`],
          ["价值", <Money cents={sums.valueCents} symbol />],
          ["已撤销", `${sums.reversed} 笔`],
        ]
      }
      filters={
        <>
          <DateRange of={list.range("from", "to")} label="核销时间" />
          <Keyword of={list.field("keyword")} label="次卡" placeholder="次卡号 / 会员号 / 手机号" />
          <OrgFilter of={list} levels={["storeId"]} />
        </>
      }
      {...(mayExport && { exportSource: "times-uses" })}
      columns={[
        c.time("at", "核销时间", { sort: "at", width: 168 }),
        c.text("cardNo", "次卡号", { width: 128 }),
        c.text("name", "次卡", { width: 144 }),
        memberColumn<RowOf<typeof listTimesUses>>(),
        c.text("memberNo", "会员号", { width: 112 }),
        c.text("storeName", "核销门店", {
          keep: true,
          note: (row) => (row.soldStoreName === row.storeName ? null : `${row.soldStoreName}售出`),
        }),
        c.number("times", "次数", { width: 72 }),
        c.money("valueCents", "价值（元）", { width: 104 }),
        c.text("by", "操作人", { width: 120 }),
        c.code("state", "状态", timesUseState, { width: 88 }),
        c.time("reversedAt", "撤销时间", { hidden: true }),
        c.text("reversedBy", "撤销人", { hidden: true }),
        c.actions(
          (row) =>
            row.reversibleUntil !== null && (
              <Act of={reverseTimesUse}>
                <Button tone="link" onClick={() => reverse.open(row.id)}>
                  撤销
                </Button>
              </Act>
            ),
          { width: 72, of: [reverseTimesUse] },
        ),
      ]}
      onOpen={false}
      empty={{ text: "近 30 天没有次卡核销，顾客在收银机出示会员码即可核销" }}
    >
      {reverse.id && <ReverseDrawer id={reverse.id} onClose={reverse.close} />}
    </ListScreen>
  );
}
