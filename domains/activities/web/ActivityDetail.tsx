import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { type CodeOf, labelled } from "@zhangfang/contract/labelled.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { PickOne } from "@zhangfang/web/form/inputs.tsx";
import { Export } from "@zhangfang/web/list/Export.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Copy } from "@zhangfang/web/show/Copy.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { DetailDrawer, Group, HeroLine, Loaded, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { QrCode } from "@zhangfang/web/show/QrCode.tsx";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { getMember } from "../../members/contract/index.ts";
import {
  activityKind,
  activityState,
  decideGrant,
  getActivity,
  getActivityCodes,
  giveAgain,
  grantStatus,
  listGrants,
  SALES_DAYS,
} from "../contract/index.ts";
import { type ActPanel, counted, mainActs, moreActs, Rules } from "./ActivityActs.tsx";
import { ACTIVITY_READS } from "./ActivityForm.tsx";

type Activity = OutputOf<typeof getActivity>;
type Grant = RowOf<typeof listGrants>;
const READS = [...ACTIVITY_READS, listGrants];
const minute = (at: string): string => shanghaiTime(at).slice(0, 16);

/** 活动详情: what it says, what became of it, and each who came for it. */
export function ActivityDetail({ id, open, onClose }: { id: string; open: (panel: ActPanel) => void; onClose: () => void }): ReactNode {
  const activity = useDetail(getActivity, { id }, { live_ms: 30_000 });
  const { data } = activity;
  return (
    <DetailDrawer
      title="活动详情"
      of={activity}
      onClose={onClose}
      footer={
        data && (
          <>
            {moreActs(data, open, "plain")}
            {mainActs(data, open, "plain")}
          </>
        )
      }
    >
      {(row) => (
        <>
          <HeroLine
            label={`${activityKind.label(row.kind)} · ${row.worth}`}
            value={row.name}
            status={<StatusTag of={activityState} code={row.state} />}
          />
          <p className="note">{stateWords(row)}</p>
          <Rules said={row.said} />
          {row.kind === "scan" && row.state !== "UNAUDIT" && row.state !== "STOPED" && <Codes of={row} />}
          <Results of={row} />
          <Grants of={row} />
          <Group
            title="记录"
            pairs={[
              ["编号", row.no],
              ["创建人", `${row.madeBy} ${minute(row.createdAt)}`],
              ["审核人", row.decidedBy && row.decidedAt ? `${row.decidedBy} ${minute(row.decidedAt)}` : null],
              [
                "门店",
                row.terms.storeIds.length === 0
                  ? "全部门店"
                  : row.terms.storeIds.map((one) => row.names.stores[one] ?? "已停用门店").join("、"),
              ],
            ]}
          />
        </>
      )}
    </DetailDrawer>
  );
}
/** 活动码: each store has its own; whoever scans it joins there and gets the gift. */
function Codes({ of: { id, name } }: { of: Activity }): ReactNode {
  const codes = useDetail(getActivityCodes, { id });
  const [chosen, setChosen] = useState<string>();
  return (
    <Group title="活动码">
      <Loaded of={codes}>
        {({ items }) => {
          const shown = items.find(({ storeId }) => storeId === chosen) ?? items[0];
          if (!shown) return <p className="hint">没有营业的门店</p>;
          return (
            <div className="activity-code">
              <QrCode text={shown.url} label={`${name} ${shown.storeName} 活动码`} size={168} />
              <div>
                <label htmlFor="activity-store">门店</label>
                <PickOne
                  id="activity-store"
                  options={items.map(({ storeId, storeName }) => ({ value: storeId, label: storeName }))}
                  value={shown.storeId}
                  onChange={setChosen}
                />
                <p>
                  <Copy text={shown.url} />
                </p>
                <p className="note">打印出来贴在店里；顾客用手机扫，登录会员页就领到。每家门店的码不同。</p>
              </div>
            </div>
          );
        }}
      </Loaded>
    </Group>
  );
}
/** Where it stands and whose turn it is, in one line. */
function stateWords({ kind, state, madeBy, createdAt, stoppedAt, lastDay, firstDay, mayDecide }: Activity): string {
  if (state === "UNAUDIT") return `${madeBy} 于 ${minute(createdAt)} 提交，要由另一人审核${mayDecide ? "，现在等你" : ""}`;
  if (state === "STOPED") return stoppedAt ? `${minute(stoppedAt)} 结束，已占的照常到账` : "已结束";
  if (state === "PAUSED") return "现在不送，已占的照常到账";
  return `${firstDay} 送到 ${lastDay} 24:00${kind === "paid" ? "，之前付款、晚到账的 3 天内补送" : ""}`;
}

/** What became of it: who it reached, what they got, what it cost and what came after. */
function Results({ of: { results, places, taken, spentCents, heldCents, budgetCents } }: { of: Activity }): ReactNode {
  const figures: readonly (readonly [string, ReactNode, string])[] = [
    [
      "触达（人次）",
      counted(results.reached),
      `已发 ${counted(results.given)}，待发 ${counted(results.owed)}，没发成 ${counted(results.failed)}`,
    ],
    ["名额", `${counted(taken)} / ${counted(places)}`, `还剩 ${counted(places - taken)} 份`],
    [
      "成本（元）",
      <Money key="cost" cents={spentCents} />,
      `最高 ${yuan(budgetCents)}${heldCents > 0 ? `，待发占着 ${yuan(heldCents)}` : ""}`,
    ],
    [
      "之后消费（元）",
      <Money key="sales" cents={results.salesCents} />,
      results.orders > 0
        ? `${counted(results.buyers)} 人 ${counted(results.orders)} 单，退款已扣`
        : `领到后 ${SALES_DAYS} 天内还没有人来消费`,
    ],
  ];
  return (
    <>
      <dl className="activity-figures">
        {figures.map(([label, value, note]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <b className="num">{value}</b>
              <small className="note">{note}</small>
            </dd>
          </div>
        ))}
      </dl>
      {results.refused.length > 0 && (
        <p className="note">未给：{results.refused.map(({ why, count }) => `${why} ${counted(count)} 人次`).join("，")}</p>
      )}
    </>
  );
}

const shownSet = labelled({ all: "全部", review: "待放行", owed: "待发", given: "已发", failed: "没发成", refused: "未给" });
/** Each who came for it; what waits for a yes stands first where something does. */
function Grants({ of: activity }: { of: Activity }): ReactNode {
  const [chosen, setShown] = useState<CodeOf<typeof shownSet>>();
  const shown = chosen ?? (activity.review > 0 ? "review" : "all");
  const filters = { activityId: activity.id, ...(shown !== "all" && { status: shown }) };
  const rows = useDetail(listGrants, { ...filters, pageSize: 100, withTotal: true }, { live_ms: 30_000 });
  const mayExport = useAct(["/activity/centre/export"]);
  const mayMember = useAct(getMember);
  const c = columns<Grant>();
  const shownColumns = [
    c.time("at", "时间", { width: 152 }),
    c.text(
      "memberNo",
      "会员号",
      (row) => (mayMember ? <Link to={`/member/details?id=${row.memberId}`}>{row.memberNo}</Link> : row.memberNo),
      {
        width: 120,
      },
    ),
    c.text("storeName", "门店", { width: 128 }),
    c.code("status", "结果", grantStatus, { width: 88 }),
    c.text("reason", "原因", { width: 160 }),
    c.money("costCents", "成本（元）", { width: 104 }),
    ...(activity.review > 0 || activity.results.failed > 0
      ? [
          c.actions((row) => (row.status === "review" ? <Decide of={row} /> : row.status === "failed" && <Again of={row} />), {
            width: 112,
            of: [decideGrant, giveAgain],
          }),
        ]
      : []),
  ];
  return (
    <Group title="领取记录">
      {activity.review > 0 && (
        <p className="notice notice-warn">
          {counted(activity.review)} 人等你放行：同一网络一小时里领的人超过 20 个。店里的网络是正常的，外面的要看一看。
        </p>
      )}
      <div className="activity-rows-head">
        <Segments small label="领取记录里的" set={shownSet} value={shown} onChange={setShown} />
        {mayExport && (
          <Export
            source="activity-grants"
            title="活动领取记录"
            unit="条"
            list={{ filters: filters as never, total: rows.data?.total }}
            columns={shownColumns}
          />
        )}
      </div>
      <Loaded of={rows}>
        {({ items, next }) => (
          <>
            <DataTable label="领取记录" rows={items} columns={shownColumns} blank={<p className="note">没有这样的记录</p>} />
            {next !== null && <p className="note">这里是最近 100 条，全部请导出</p>}
          </>
        )}
      </Loaded>
    </Group>
  );
}
/** 再发一次 of what could not be given. */
function Again({ of: { id, memberNo, reason } }: { of: Grant }): ReactNode {
  const [busy, run] = useRun(READS);
  const again = async (): Promise<void> => {
    if (!(await confirm(`给会员 ${memberNo} 再发一次没发成的？上次没发成：${reason}。已到账的不会重复。`, { ok: "再发一次" }))) return;
    await run(async () => {
      await call(giveAgain, { id });
      success("正在再发，结果看这一行");
    });
  };
  return (
    <Act of={giveAgain}>
      <Button tone="link" busy={busy} onClick={() => void again()}>
        再发一次
      </Button>
    </Act>
  );
}
function Decide({ of: { id, memberNo, costCents } }: { of: Grant }): ReactNode {
  const [busy, run] = useRun(READS);
  const decide = async (approve: boolean): Promise<void> => {
    const text = approve
      ? `放行会员 ${memberNo}？最高成本 ¥${yuan(costCents)}，马上到账。`
      : `拒绝会员 ${memberNo}？名额让给下一位，他不能再领这个活动。`;
    if (!(await confirm(text, { ok: approve ? "放行" : "拒绝", danger: !approve }))) return;
    await run(async () => {
      await call(decideGrant, { id, approve });
      success(approve ? "已放行，马上到账" : "已拒绝");
    });
  };
  return (
    <Act of={decideGrant}>
      <Button tone="link" busy={busy} onClick={() => void decide(true)}>
        放行
      </Button>
      <Button tone="link" busy={busy} onClick={() => void decide(false)}>
        拒绝
      </Button>
    </Act>
  );
}
