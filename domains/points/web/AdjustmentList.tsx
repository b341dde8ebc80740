import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { DetailDrawer, Group, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { memberColumn, MemberLink, memberWords } from "../../members/web/index.ts";
import { valueCause } from "../../value-book/contract.ts";
import {
  adjustPoints,
  adjustStatus,
  decidePointAdjustment,
  listPointAdjustments,
  listPointEntries,
  pointReason,
  summarisePointAdjustments,
} from "../contract/index.ts";
import { AdjustPointsDrawer } from "./AdjustPointsDrawer.tsx";

type Row = RowOf<typeof listPointAdjustments>;
const READS = [listPointAdjustments, summarisePointAdjustments, listPointEntries];

/** 积分调整: points added and deducted by hand, with who decided, and a member's ledger. */
export function AdjustmentList(): ReactNode {
  const list = useList(listPointAdjustments);
  const sums = useSummary(summarisePointAdjustments, list.filters).data;
  const [adjust, ledger] = [usePanel("adjust"), usePanel("ledger")];
  const mayExport = useAct(["/member/pointsAdd/export"]);
  const adding = (
    <Act of={adjustPoints}>
      <Button tone="primary" onClick={() => adjust.open()}>
        调整积分
      </Button>
    </Act>
  );
  return (
    <ListScreen
      title="积分调整"
      unit="条"
      list={list}
      onOpen={(row) => ledger.open(row.memberNo)}
      hrefOf={(row) => ledger.hrefOf(row.memberNo)}
      tabs={{ of: list.field("status"), set: adjustStatus, counts: sums?.byStatus }}
      totals={
        sums && [
          ["增加", sums.added],
          ["扣减", sums.deducted],
        ]
      }
      filters={
        <>
          <Keyword of={list.field("keyword")} label="会员" placeholder="会员号 / 手机号 / 后四位" maxLength={32} />
          <DateRange of={list.range("from", "to")} label="日期" />
          <Choice of={list.field("reason")} label="原因" set={pointReason} />
        </>
      }
      actions={adding}
      {...(mayExport && { exportSource: "point-adjustments" })}
      columns={shownColumns(ledger.open)}
      empty={{ text: "还没有调整过积分", action: adding }}
    >
      {adjust.id && <AdjustPointsDrawer onClose={adjust.close} />}
      {ledger.id && <Ledger memberNo={ledger.id} onClose={ledger.close} />}
    </ListScreen>
  );
}

function shownColumns(open: (memberNo: string) => void) {
  const c = columns<Row>();
  return [
    c.link("memberNo", "会员号", (row) => open(row.memberNo), { width: 136 }),
    memberColumn<Row>(),
    c.number("points", "申请积分", { width: 104 }),
    c.number("donePoints", "生效积分", { width: 104 }),
    c.code("reason", "原因", pointReason, { width: 104 }),
    c.text("note", "说明", { width: 200, keep: true }),
    c.code("status", "状态", adjustStatus, { width: 88 }),
    c.text("askedByName", "申请人", { width: 104 }),
    c.text("decidedByName", "审核人", { width: 104 }),
    c.time("createdAt", "时间", { width: 168 }),
    c.actions((row) => row.status === 0 && <Decide row={row} />, { width: 136, of: [decidePointAdjustment] }),
  ];
}
/** 通过 and 驳回, for anybody but who asked. */
function Decide({ row }: { row: Row }): ReactNode {
  const [busy, run] = useRun(READS);
  const decide = async (decision: "approve" | "reject", ok: string): Promise<void> => {
    if (!(await confirm(`${ok}会员 ${memberWords(row)} 的 ${row.points} 积分？${row.note}`, { ok }))) return;
    await run(async () => {
      await call(decidePointAdjustment, { id: row.id, decision });
      success(`已${ok}`);
    });
  };
  if (row.mine) return "要由另一人审核";
  return (
    <Act of={decidePointAdjustment}>
      <Button tone="link" busy={busy} onClick={() => void decide("approve", "通过")}>
        通过
      </Button>
      <Button tone="link" busy={busy} onClick={() => void decide("reject", "驳回")}>
        驳回
      </Button>
    </Act>
  );
}

/** 积分明细 of one member, the newest first. */
function Ledger({ memberNo, onClose }: { memberNo: string; onClose: () => void }): ReactNode {
  const entries = useDetail(listPointEntries, { memberNo, pageSize: 50 });
  const c = columns<RowOf<typeof listPointEntries>>();
  return (
    <DetailDrawer title="积分明细" of={entries} onClose={onClose}>
      {({ items, member }) => (
        <>
          {member && (
            <Group
              title="会员"
              pairs={[
                ["会员", <MemberLink key="m" of={member} />],
                ["会员号", member.memberNo],
              ]}
            />
          )}
          <DataTable
            label="积分明细"
            rows={items}
            columns={[
              c.code("cause", "事由", valueCause, { width: 128 }),
              c.number("points", "可用", { width: 88 }),
              c.number("pending", "待入账", { width: 88 }),
              c.number("owed", "欠分", { width: 88 }),
              c.number("after", "之后可用", { width: 96 }),
              c.time("at", "时间", { width: 168 }),
            ]}
          />
        </>
      )}
    </DetailDrawer>
  );
}
