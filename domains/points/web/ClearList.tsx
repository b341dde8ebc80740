import "./points.css";
import type { ReactNode } from "react";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { Export } from "@zhangfang/web/list/Export.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { useCounts, useList } from "@zhangfang/web/list/use-list.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { DetailDrawer, Group, HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { memberColumn } from "../../members/web/index.ts";
import {
  askClearNow,
  cancelClearNow,
  clearKind,
  clearStatus,
  decideClearNow,
  getClearing,
  getPointClear,
  listPointClearRows,
  listPointClears,
} from "../contract/index.ts";

const READS = [listPointClears, getPointClear, getClearing, listPointClearRows];
const count = (n: number): string => n.toLocaleString("zh-CN");

/** 积分清零: what ends next and for whom, and every list that was told. */
export function ClearList(): ReactNode {
  const list = useList(listPointClears);
  const clearing = useDetail(getClearing, {}).data;
  const ask = usePanel("ask");
  const c = columns<RowOf<typeof listPointClears>>();
  const next = clearing?.next;
  return (
    <ListScreen
      title="积分清零"
      unit="次"
      list={list}
      tabs={{ of: list.field("status"), set: clearStatus, counts: useCounts(list, "status", clearStatus) }}
      filters={<DateRange of={list.range("from", "to")} label="时间" />}
      actions={
        <Act of={askClearNow}>
          <Button tone="danger" onClick={() => ask.open()}>
            立即清零
          </Button>
        </Act>
      }
      figures={
        clearing && (
          <div className="sheet points-clearing">
            <p>{clearing.said}</p>
            {next && (
              <p>
                {next.endsOn} 24:00，<strong>{count(next.members)} 位</strong>会员的 <strong>{count(next.points)} 分</strong>到期
                {clearing.worth && `，抵得 ${yuan(next.worthCents)} 元`}。名单 {next.toldOn} 冻结，之后先用掉的不清，新得的不清。
              </p>
            )}
          </div>
        )
      }
      columns={[
        c.code("kind", "方式", clearKind, { width: 104 }),
        c.code("status", "状态", clearStatus, { width: 96 }),
        c.text("endsOn", "最后有效日", { width: 112 }),
        c.number("members", "会员", ofList("members"), { width: 80 }),
        c.number("points", "冻结", ofList("points"), { width: 104 }),
        c.number("used", "已用掉", ofList("used"), { width: 104 }),
        c.number("left", "还会清", ofList("left"), { width: 104 }),
        c.number("cleared", "已清", ofList("cleared"), { width: 104 }),
        c.text("askedByName", "申请人", { width: 104 }),
        c.time("createdAt", "时间", { width: 168 }),
      ]}
      empty={{ text: "还没有清零的名单。按规则到期前 30 天自动出名单并通知" }}
    >
      {list.openId && <Clear id={list.openId} onClose={list.close} />}
      {ask.id && <AskNow now={clearing?.now} onClose={ask.close} />}
    </ListScreen>
  );
}

/** A figure of a list of names: none before it is frozen. */
function ofList(key: "members" | "points" | "used" | "left" | "cleared") {
  return (row: RowOf<typeof listPointClears>) => (row.frozenAt ? row[key] : null);
}
function AskNow({ now, onClose }: { now: { members: number; points: number } | undefined; onClose: () => void }): ReactNode {
  const form = useForm(askClearNow, { initial: { reason: "" }, done: "已提交，要由另一人审核", refreshes: READS, onDone: onClose });
  return (
    <FormDrawer form={form} title="立即清零" submit="提交审核" danger onClose={onClose}>
      {now && (
        <p>
          现在有 {count(now.members)} 位会员的 {count(now.points)} 积分。另一人通过后名单冻结并通知，7 天后清掉还没用的。
        </p>
      )}
      <Field of={form.field("reason")} label="原因">
        {(f) => <TextInput {...f} maxLength={100} />}
      </Field>
    </FormDrawer>
  );
}

const c = columns<RowOf<typeof listPointClearRows>>();
const rowColumns = [
  c.text("memberNo", "会员号", { width: 112 }),
  memberColumn<RowOf<typeof listPointClearRows>>(),
  c.number("has", "现有积分", { width: 88 }),
  c.number("points", "冻结时", { width: 88 }),
  c.number("used", "冻结后用了", { width: 96 }),
  c.number("left", "还会清", { width: 80 }),
  c.number("cleared", "已清", { width: 80 }),
];
function Clear({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const clear = useDetail(getPointClear, { id });
  const rows = useDetail(listPointClearRows, { clearId: id, pageSize: 100, withTotal: true });
  const mayExport = useAct(["/vip-member/integralReset/export"]);
  const row = clear.data;
  return (
    <DetailDrawer title="积分清零" of={clear} onClose={onClose} footer={row?.kind === "now" && <Acts row={row} />}>
      {(one) => (
        <>
          <HeroLine
            label={clearKind.label(one.kind)}
            value={one.endsOn ?? "等待审核"}
            status={<StatusTag of={clearStatus} code={one.status} />}
          />
          {one.would && (
            <Group
              title="如果今天通过"
              pairs={[
                ["会员", `${count(one.would.members)} 位`],
                ["积分", count(one.would.points)],
                ["可抵", `¥${yuan(one.would.worthCents)}`],
                ["申请人", one.askedByName],
                ["原因", one.reason],
              ]}
            />
          )}
          {one.frozenAt && (
            <>
              <Group
                title="名单"
                pairs={[
                  ["会员", `${count(one.members)} 位`],
                  ["冻结", count(one.points)],
                  ["已用掉", count(one.used)],
                  ["还会清", count(one.left)],
                  ["已清", count(one.cleared)],
                  ["原因", one.reason || "按积分规则"],
                ]}
              />
              <Group
                title="多少人清多少"
                pairs={one.spread.map(({ from, members }) => [`${count(from)} 分起`, `${count(members)} 人`] as const)}
              />
            </>
          )}
          {rows.data && rows.data.items.length > 0 && (
            <>
              {mayExport && (
                <div className="points-rows-head">
                  <span className="note">{rows.data.next === null ? "清得最多的在前" : "这里是清得最多的 100 行，全部请导出"}</span>
                  <Export
                    source="point-clear-rows"
                    title="积分清零名单"
                    unit="行"
                    list={{ filters: { clearId: id } as never, total: rows.data.total }}
                    columns={rowColumns}
                  />
                </div>
              )}
              <DataTable label="清零名单" rows={rows.data.items} columns={rowColumns} />
            </>
          )}
        </>
      )}
    </DetailDrawer>
  );
}

/** What can be done to 立即清零: another person decides, and it can be taken back until it comes. */
function Acts({
  row: { id, status, mine, would },
}: {
  row: Pick<OutputOf<typeof getPointClear>, "id" | "status" | "mine" | "would">;
}): ReactNode {
  const [busy, run] = useRun(READS);
  const act = async (said: string, ok: string, go: () => Promise<unknown>): Promise<void> => {
    if (!(await confirm(said, { ok, danger: ok === "通过" }))) return;
    await run(async () => {
      await go();
      success(`已${ok}`);
    });
  };
  const decide = (decision: "approve" | "reject") => () => call(decideClearNow, { id, decision });
  const freezes = would
    ? `通过后冻结 ${count(would.members)} 位会员的 ${count(would.points)} 积分（可抵 ¥${yuan(would.worthCents)}）并通知，7 天后清零。`
    : "通过后冻结名单并通知，7 天后清零。";
  if (status === 0 && mine) return <span className="hint">要由另一人审核</span>;
  if (status === 0)
    return (
      <Act of={decideClearNow}>
        <Button busy={busy} onClick={() => void act("驳回立即清零？", "驳回", decide("reject"))}>
          驳回
        </Button>
        <Button tone="danger" busy={busy} onClick={() => void act(freezes, "通过", decide("approve"))}>
          通过
        </Button>
      </Act>
    );
  if (status !== 1) return null;
  return (
    <Act of={cancelClearNow}>
      <Button busy={busy} onClick={() => void act("取消后积分按原来的日期到期。", "取消清零", () => call(cancelClearNow, { id }))}>
        取消清零
      </Button>
    </Act>
  );
}
