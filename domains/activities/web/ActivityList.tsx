import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { More } from "@zhangfang/web/show/over/Popover.tsx";
import {
  type ActivityKind,
  activityKind,
  activityState,
  addActivity,
  addActivityPlaces,
  decideActivity,
  listActivities,
  steerActivity,
  summariseActivities,
  withdrawActivity,
} from "../contract/index.ts";
import { type ActPanel, counted, DecideDrawer, mainActs, moreActs, PlacesDrawer } from "./ActivityActs.tsx";
import { ActivityDetail } from "./ActivityDetail.tsx";
import { AddActivity, EditActivity } from "./ActivityForm.tsx";
import "./activities.css";

type Row = RowOf<typeof listActivities>;
const EMPTY: Readonly<Record<ActivityKind, string>> = {
  new: "还没有新人有礼。建一个，另一人审核后，新会员入会就自动到账",
  birthday: "还没有生日有礼。建一个，另一人审核后，会员生日前自动到账",
  scan: "还没有扫码有礼。建一个，另一人审核后，把活动码贴在店里",
  fans: "还没有粉丝券。先在「微信应用」接好公众号，再建一个；另一人审核后，新粉丝关注就送",
  paid: "还没有支付有礼。建一个，另一人审核后，会员付款就自动到账",
  recommend: "还没有推荐有礼。建一个，另一人审核后，会员就能推荐朋友",
};

/** 活动中心: every activity of the merchant; and the list of one kind. */
function Activities({ kind, title }: { kind?: ActivityKind; title: string }): ReactNode {
  const list = useList(listActivities, kind ? { defaults: { kind } } : {});
  const sums = useSummary(summariseActivities, list.filters).data;
  const [add, edit, decide, places] = [usePanel("add"), usePanel("edit"), usePanel("decide"), usePanel("places")];
  const panels: Readonly<Record<ActPanel, typeof edit>> = { edit, decide, places };
  const open = (id: string) => (panel: ActPanel) => panels[panel].open(id);
  const mayExport = useAct(["/activity/centre/export"]);
  const adding = (
    <Act of={addActivity}>
      {kind ? (
        <Button tone="primary" onClick={() => add.open(kind)}>
          新建{title}
        </Button>
      ) : (
        <NewOfKind onPick={(picked) => add.open(picked)} />
      )}
    </Act>
  );
  const adds = activityKind.values.find((one) => one === add.id);
  return (
    <ListScreen
      title={title}
      unit="个"
      list={list}
      tabs={{ of: list.field("state"), set: activityState, counts: sums?.byState }}
      totals={
        sums && [
          ["已发", `${counted(sums.given)} 人次`],
          ["成本", `${yuan(sums.spentCents)} 元`],
          ...(sums.review > 0 ? [["待放行", `${counted(sums.review)} 人`] as const] : []),
        ]
      }
      filters={
        <>
          <Keyword of={list.field("keyword")} label="活动" placeholder="名称 / 编号" />
          {!kind && <Choice of={list.field("kind")} label="类型" set={activityKind} />}
        </>
      }
      actions={adding}
      {...(mayExport && { exportSource: "activities" })}
      columns={columnsOf(list.open, open)}
      empty={{ text: kind ? EMPTY[kind] : "还没有活动。建一个，另一人审核后自动送", action: adding }}
    >
      {list.openId && <ActivityDetail id={list.openId} open={open(list.openId)} onClose={list.close} />}
      {adds && <AddActivity kind={adds} onClose={add.close} onMade={list.open} />}
      {edit.id && <EditActivity id={edit.id} onClose={edit.close} />}
      {decide.id && <DecideDrawer id={decide.id} onClose={decide.close} />}
      {places.id && <PlacesDrawer id={places.id} onClose={places.close} />}
    </ListScreen>
  );
}
function NewOfKind({ onPick }: { onPick: (kind: ActivityKind) => void }): ReactNode {
  return (
    <div className="activity-kinds">
      {activityKind.values.map((kind) => (
        <Button key={kind} onClick={() => onPick(kind)}>
          新建{activityKind.label(kind)}
        </Button>
      ))}
    </div>
  );
}

function columnsOf(show: (id: string) => void, open: (id: string) => (panel: ActPanel) => void) {
  const c = columns<Row>();
  return [
    c.link("name", "活动", (row) => show(row.id), { width: 184, copy: false, note: (row) => activityKind.label(row.kind) }),
    c.code("state", "状态", activityState, { width: 88 }),
    c.text("worth", "每人送", { width: 208 }),
    c.text("firstDay", "时间", (row) => <span className="num">{row.firstDay}</span>, { width: 120, note: (row) => `至 ${row.lastDay}` }),
    c.text("taken", "已占 / 名额", (row) => <Taken of={row} />, { width: 148 }),
    c.money("spentCents", "成本（元）", { width: 120, main: true, note: (row) => `最高 ${yuan(row.budgetCents)}` }),
    c.number("review", "待放行", { width: 80 }),
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
      { width: 104, of: [addActivity, decideActivity, steerActivity, addActivityPlaces, withdrawActivity] },
    ),
  ];
}
/** How many of the places are taken. */
function Taken({ of: { name, taken, places } }: { of: Row }): ReactNode {
  return (
    <span className="activity-taken">
      <span className="num">
        {counted(taken)} / {counted(places)}
      </span>
      <progress max={places} value={taken} aria-label={`${name} 的名额`} />
    </span>
  );
}

export const ActivityCentre = (): ReactNode => <Activities title="活动中心" />;
export const NewMembers = (): ReactNode => <Activities key="new" kind="new" title="新人有礼" />;
export const Birthdays = (): ReactNode => <Activities key="birthday" kind="birthday" title="生日有礼" />;
export const Scans = (): ReactNode => <Activities key="scan" kind="scan" title="扫码有礼" />;
export const FansCoupons = (): ReactNode => <Activities key="fans" kind="fans" title="粉丝券" />;
export const Recommendations = (): ReactNode => <Activities key="recommend" kind="recommend" title="推荐有礼" />;
