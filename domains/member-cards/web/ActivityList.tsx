import type { ReactNode } from "react";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { Neighbours } from "@zhangfang/web/list/Neighbours.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { DetailDrawer, Group, HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import {
  activityStatus,
  type ActivityStatus,
  addActivity,
  getActivity,
  listActivities,
  moveActivity,
  refusedWhy,
  SALES_DAYS,
  SALES_PEOPLE,
  summariseActivities,
} from "../contract/index.ts";
import { giftWords } from "../contract/words.ts";
import { ACTIVITY_READS, AddActivityDrawer, EditActivityDrawer } from "./ActivityForm.tsx";

type Row = RowOf<typeof listActivities>;
const c = columns<Row>();

/** 开卡活动: what opening a card brings, and what of it is given. */
export function ActivityList(): ReactNode {
  const list = useList(listActivities);
  const sums = useSummary(summariseActivities, list.filters).data;
  const [add, edit] = [usePanel("add"), usePanel("edit")];
  const activity = useDetail(getActivity, list.openId && { id: list.openId });
  const adding = (
    <Act of={addActivity}>
      <Button tone="primary" onClick={() => add.open()}>
        新建活动
      </Button>
    </Act>
  );
  return (
    <ListScreen
      title="开卡活动"
      unit="个"
      list={list}
      tabs={{ of: list.field("status"), set: activityStatus, counts: sums?.byStatus }}
      totals={
        sums && [
          ["已领", `${sums.givenCount.toLocaleString("en-US")} 人`],
          ["送出积分", sums.givenPoints.toLocaleString("en-US")],
          ["送出余额（不可退）", yuan(sums.givenCents)],
        ]
      }
      filters={<Keyword of={list.field("keyword")} label="名称" placeholder="活动名称" />}
      actions={adding}
      columns={[
        c.link("name", "活动", (row) => list.open(row.id), { copy: false, width: 160 }),
        c.text("cardName", "会员卡", { width: 112 }),
        c.text("gift", "每人送", (row) => giftWords(row), { width: 288 }),
        c.text("days", "时间", (row) => `${row.firstDay} 至 ${row.lastDay}`, { width: 208 }),
        c.text("given", "已领 / 名额", (row) => `${row.givenCount} / ${row.mostCount}`, { width: 112 }),
        c.money("givenCents", "已送（元）", {
          width: 128,
          note: (row) => row.budgetCents !== null && `预算 ${yuan(row.budgetCents)}`,
        }),
        c.code("status", "状态", activityStatus, { width: 88 }),
        c.actions((row) => <Acts row={row} edit={edit.open} />, { width: 144, of: [moveActivity] }),
      ]}
      empty={{ text: "还没有开卡活动，比如：开卡送 100 积分，前 500 人", action: adding }}
    >
      {list.openId && (
        <DetailDrawer title="开卡活动详情" of={activity} onClose={list.close} extra={<Neighbours of={list} />}>
          {(one) => <Results of={one} />}
        </DetailDrawer>
      )}
      {add.id && sums && <AddActivityDrawer cards={sums.cards} onClose={add.close} />}
      {edit.id && sums && <EditActivityDrawer id={edit.id} cards={sums.cards} onClose={edit.close} />}
    </ListScreen>
  );
}

function Acts({ row, edit }: { row: Row; edit: (id: string) => void }): ReactNode {
  const [busy, run] = useRun(ACTIVITY_READS);
  const move = async (to: ActivityStatus, title: string, asks: string): Promise<void> => {
    if (!(await confirm(`${title}「${row.name}」？${asks}`, { ok: title }))) return;
    await run(async () => {
      await call(moveActivity, { id: row.id, from: row.status, to });
      success(`已${title}`);
    });
  };
  return (
    <Act of={moveActivity}>
      {(row.status === 0 || row.status === 2) && (
        <>
          <Button tone="link" onClick={() => edit(row.id)}>
            修改
          </Button>
          <Button
            tone="link"
            busy={busy}
            onClick={() => void move(1, row.status === 0 ? "开始" : "继续", `开卡的会员每人送 ${giftWords(row)}，送完为止。`)}
          >
            {row.status === 0 ? "开始" : "继续"}
          </Button>
        </>
      )}
      {row.status === 1 && (
        <Button tone="link" busy={busy} onClick={() => void move(2, "暂停", "暂停期间开卡的会员不送，之后也不补。")}>
          暂停
        </Button>
      )}
      {row.status !== 3 && (
        <Button tone="link" busy={busy} onClick={() => void move(3, "结束", "结束后不能再开始，已送的不变。")}>
          结束
        </Button>
      )}
    </Act>
  );
}

type Activity = OutputOf<typeof getActivity>;
function Results({ of }: { of: Activity }): ReactNode {
  const s = columns<Activity["byStore"][number]>();
  const g = columns<Activity["gifts"][number]>();
  return (
    <>
      <HeroLine
        label={of.name}
        value={`${of.givenCount} / ${of.mostCount} 人`}
        status={<StatusTag of={activityStatus} code={of.status} />}
      />
      <Group
        title="活动"
        pairs={[
          ["会员卡", of.cardName],
          ["每人送", giftWords(of)],
          ["积分有效", of.points === 0 ? "—" : of.pointsDays === null ? "不过期" : `${of.pointsDays} 天`],
          ["时间", `${of.firstDay} 00:00 至 ${of.lastDay} 24:00`],
          ["预算", of.budgetCents === null ? "—" : `${yuan(of.budgetCents)} 元，已送 ${yuan(of.givenCents)} 元`],
        ]}
      />
      <Group
        title="效果"
        pairs={[
          ["发放", `${of.people} 人`],
          ["未给", of.refused.map(({ why, count }) => `${refusedWhy.label(why)} ${count} 人`).join("、") || "—"],
          ["最高成本", `${yuan(of.costCents)} 元${of.couponsGiven > 0 ? `，其中券 ${of.couponsGiven} 张按最多能减的算` : ""}`],
          [
            `领后 ${SALES_DAYS} 天消费`,
            `${of.people > SALES_PEOPLE ? `最近领的 ${SALES_PEOPLE.toLocaleString("en-US")} 人中 ` : ""}${of.buyers} 人 ${of.orders} 单，${yuan(of.salesCents)} 元`,
          ],
        ]}
      />
      <Group title="各门店">
        <DataTable
          label="各门店"
          rows={of.byStore}
          columns={[
            s.text("storeName", "门店"),
            s.number("count", "人数", { width: 80 }),
            s.number("points", "积分", { width: 96 }),
            s.money("giftCents", "赠送余额（元）", { width: 128 }),
          ]}
          blank="还没有人领"
        />
      </Group>
      <Group title="最近领取">
        <DataTable
          label="最近领取"
          rows={of.gifts}
          columns={[
            g.time("at", "时间", { width: 168 }),
            g.text("memberNo", "会员号", { width: 120 }),
            g.text("storeName", "门店"),
            g.number("points", "积分", { width: 80 }),
            g.money("giftCents", "赠送余额（元）", { width: 128 }),
          ]}
          blank="还没有人领"
        />
      </Group>
    </>
  );
}
