import "./points.css";
import { type ReactNode, useState } from "react";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { type CodeOf, labelled } from "@zhangfang/contract/labelled.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { Export } from "@zhangfang/web/list/Export.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { useCounts, useList } from "@zhangfang/web/list/use-list.ts";
import { undoable } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { DetailDrawer, Group, HeroLine, Loaded, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { memberColumn } from "../../members/web/index.ts";
import { NewTask } from "./NewTask.tsx";
import {
  createPointTask,
  getPointTask,
  listPointTaskRows,
  listPointTasks,
  pointReason,
  steerPointTask,
  taskRowStatus,
  taskStatus,
} from "../contract/index.ts";

const READS = [listPointTasks, getPointTask, listPointTaskRows];

/** 批量积分任务: points to many at once, each once. */
export function TaskList(): ReactNode {
  const list = useList(listPointTasks, { live_ms: 5_000 });
  const add = usePanel("add");
  const adding = (
    <Act of={createPointTask}>
      <Button tone="primary" onClick={() => add.open()}>
        新建任务
      </Button>
    </Act>
  );
  const c = columns<RowOf<typeof listPointTasks>>();
  return (
    <ListScreen
      title="批量积分任务"
      unit="个"
      list={list}
      tabs={{ of: list.field("status"), set: taskStatus, counts: useCounts(list, "status", taskStatus) }}
      filters={
        <>
          <Keyword of={list.field("keyword")} label="任务" placeholder="任务名称" maxLength={40} />
          <DateRange of={list.range("from", "to")} label="创建时间" />
          <Choice of={list.field("reason")} label="原因" set={pointReason} />
        </>
      }
      actions={adding}
      columns={[
        c.link("name", "任务", (row) => list.open(row.id), { width: 180 }),
        c.code("reason", "原因", pointReason, { width: 104 }),
        c.code("status", "状态", taskStatus, { width: 96 }),
        c.number("sent", "已发", { width: 80 }),
        c.number("waiting", "待发", { width: 80 }),
        c.number("failed", "失败", { width: 80 }),
        c.number("pointsSent", "已发积分", { width: 112 }),
        c.text("ownerName", "创建人", { width: 104 }),
        c.time("createdAt", "创建时间", { width: 168 }),
      ]}
      empty={{ text: "还没有任务。上传名单或按条件选会员，每人只发一次", action: adding }}
    >
      {list.openId && <Task id={list.openId} onClose={list.close} />}
      {add.id && <NewTask onClose={add.close} onMade={list.open} />}
    </ListScreen>
  );
}

function Task({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const task = useDetail(getPointTask, { id }, { until: ({ status }) => status !== 0 });
  const [busy, run] = useRun(READS);
  const steer = (act: "pause" | "resume" | "retry", said: string, back?: "pause" | "resume") =>
    void run(async () => {
      await call(steerPointTask, { id, act });
      undoable(said, back && (() => void run(() => call(steerPointTask, { id, act: back }))));
    });
  const status = task.data?.status;
  return (
    <DetailDrawer
      title="批量积分任务"
      of={task}
      onClose={onClose}
      footer={
        <Act of={steerPointTask}>
          {status === 0 && (
            <Button busy={busy} onClick={() => steer("pause", "已暂停", "resume")}>
              暂停
            </Button>
          )}
          {status === 1 && (
            <Button tone="primary" busy={busy} onClick={() => steer("resume", "继续发放", "pause")}>
              继续
            </Button>
          )}
          {status === 2 && (task.data?.failed ?? 0) > 0 && (
            <Button busy={busy} onClick={() => steer("retry", "失败的正在重发")}>
              重试失败
            </Button>
          )}
        </Act>
      }
    >
      {(row) => (
        <>
          <HeroLine label={pointReason.label(row.reason)} value={row.name} status={<StatusTag of={taskStatus} code={row.status} />} />
          {row.pausedWhy !== "" && <p className="note">{row.pausedWhy}</p>}
          <Group
            title="进度"
            pairs={[
              ["已发", `${row.sent} 人 ${row.pointsSent} 积分`],
              ["待发", `${row.waiting} 人 ${row.pointsWaiting} 积分`],
              ["失败", `${row.failed} 人`],
              ["创建人", row.ownerName],
            ]}
          />
          <TaskRows task={row} />
        </>
      )}
    </DetailDrawer>
  );
}

const rowsShown = labelled({ all: "全部", failed: "失败", waiting: "待发", sent: "已发" });
const STATUS = { all: undefined, failed: 2, waiting: 0, sent: 1 } as const;
/** What became of each row; what failed stands first where something did. */
function TaskRows({ task }: { task: OutputOf<typeof getPointTask> }): ReactNode {
  const [chosen, setShown] = useState<CodeOf<typeof rowsShown>>();
  const shown = chosen ?? (task.failed > 0 ? "failed" : "all");
  const status = STATUS[shown];
  const filters = { taskId: task.id, ...(status !== undefined && { status }) };
  const rows = useDetail(listPointTaskRows, { ...filters, pageSize: 100, withTotal: true }, task.status === 0 ? { live_ms: 3_000 } : {});
  const mayExport = useAct(["/member/batchPoints/export"]);
  const c = columns<RowOf<typeof listPointTaskRows>>();
  const shownColumns = [
    c.number("place", "行", { width: 56 }),
    c.text("memberNo", "会员号", { width: 112 }),
    memberColumn<RowOf<typeof listPointTaskRows>>(),
    c.number("points", "积分", { width: 80 }),
    c.code("status", "结果", taskRowStatus, { width: 72 }),
    c.text("failure", "原因", { width: 160 }),
  ];
  return (
    <Group title="名单">
      <div className="points-rows-head">
        <Segments small label="名单里的" set={rowsShown} value={shown} onChange={setShown} />
        {mayExport && (
          <Export
            source="point-task-rows"
            title="批量积分名单"
            unit="行"
            list={{ filters: filters as never, total: rows.data?.total }}
            columns={shownColumns}
          />
        )}
      </div>
      <Loaded of={rows}>
        {({ items, next }) => (
          <>
            <DataTable label="名单" rows={items} columns={shownColumns} blank={<p className="note">没有这样的行</p>} />
            {next !== null && <p className="note">这里是前 100 行，全部请导出</p>}
          </>
        )}
      </Loaded>
      <p className="note">已发的行就是凭证，怎么点都不会再发一次。</p>
    </Group>
  );
}
