import { type ReactNode, useState } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { ApiError, call } from "@zhangfang/web/api/api.ts";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { Pick, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { useList } from "@zhangfang/web/list/use-list.ts";
import { success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { DetailDrawer, Group, HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { readSheet } from "../../imports/web/index.ts";
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
const SHEET = [
  { key: "memberNo", label: "会员号", also: ["会员编号"], required: true, example: "9000000001", width: 14 },
  { key: "points", label: "积分", also: [], required: true, example: "100", width: 12 },
];

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
      tabs={{ of: list.field("status"), set: taskStatus }}
      filters={<Keyword of={list.field("keyword")} label="任务" placeholder="任务名称" />}
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
      empty={{ text: "还没有任务。上传一份会员号和积分的名单，每人只发一次", action: adding }}
    >
      {list.openId && <Task id={list.openId} onClose={list.close} />}
      {add.id && <NewTask onClose={add.close} onMade={list.open} />}
    </ListScreen>
  );
}

function Task({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const task = useDetail(getPointTask, { id });
  const failed = useDetail(listPointTaskRows, { taskId: id, status: 2, pageSize: 100 });
  const [busy, run] = useRun(READS);
  const steer = (act: "pause" | "resume" | "retry", said: string) =>
    void run(async () => {
      await call(steerPointTask, { id, act });
      success(said);
    });
  const c = columns<RowOf<typeof listPointTaskRows>>();
  const status = task.data?.status;
  return (
    <DetailDrawer
      title="批量积分任务"
      of={task}
      onClose={onClose}
      footer={
        <Act of={steerPointTask}>
          {status === 0 && (
            <Button busy={busy} onClick={() => steer("pause", "已暂停")}>
              暂停
            </Button>
          )}
          {status === 1 && (
            <Button tone="primary" busy={busy} onClick={() => steer("resume", "继续发放")}>
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
          {row.failed > 0 && failed.data && (
            <DataTable
              label="失败的行"
              rows={failed.data.items}
              columns={[
                c.number("place", "行", { width: 64 }),
                c.text("memberNo", "会员号", { width: 120 }),
                c.number("points", "积分", { width: 88 }),
                c.code("status", "结果", taskRowStatus, { width: 80 }),
                c.text("failure", "原因", { width: 200 }),
              ]}
            />
          )}
          <p className="note">已发的行就是凭证，怎么点都不会再发一次。</p>
        </>
      )}
    </DetailDrawer>
  );
}

const hex = (bytes: ArrayBuffer): string => [...new Uint8Array(bytes)].map((one) => one.toString(16).padStart(2, "0")).join("");

function NewTask({ onClose, onMade }: { onClose: () => void; onMade: (id: string) => void }): ReactNode {
  const [wrong, setWrong] = useState<string>();
  const form = useForm(createPointTask, {
    initial: { reason: "event", again: false },
    draft: false,
    done: "已开始发放",
    refreshes: READS,
    onDone: ({ id }) => {
      onClose();
      onMade(id);
    },
    ask: ({ rows = [] }) => {
      const points = rows.reduce((sum, row) => sum + row.points, 0);
      return { text: `给 ${rows.length} 人共发 ${points} 积分？名单从现在起不变。`, ok: `发给 ${rows.length} 人` };
    },
  });
  const choose = async (file: File | undefined): Promise<void> => {
    setWrong(undefined);
    if (!file) return;
    try {
      const [{ lines }, hash] = await Promise.all([
        readSheet(file, SHEET as never),
        file.arrayBuffer().then((bytes) => crypto.subtle.digest("SHA-256", bytes)),
      ]);
      const rows = lines.map(({ cells }) => ({ memberNo: cells["memberNo"] ?? "", points: Number(cells["points"]) }));
      form.set({ ...form.values, rows, fileHash: hex(hash), name: form.values.name ?? file.name.replace(/\.\w+$/, "").slice(0, 40) });
    } catch (failure) {
      if (failure instanceof ApiError) throw failure;
      setWrong(failure instanceof Error ? failure.message : "无法读取此文件");
    }
  };
  const rowWrong = wrong ?? form.errorAt("rows") ?? firstWrong(form);
  return (
    <FormDrawer form={form} title="新建批量积分任务" submit="开始发放" onClose={onClose}>
      <div className="field points-sheet">
        <label htmlFor="points-sheet">名单</label>
        <input id="points-sheet" type="file" accept=".xlsx,.csv" onChange={({ target }) => void choose(target.files?.[0])} />
        {rowWrong && (
          <p className="field-error" role="alert">
            {rowWrong}
          </p>
        )}
        <p className="field-help">
          {form.values.rows ? `已读取 ${form.values.rows.length} 人` : ".xlsx 或 .csv，两列：会员号、积分；最多 5,000 人"}
        </p>
      </div>
      <Field of={form.field("name")} label="任务名称">
        {(f) => <TextInput {...f} maxLength={40} />}
      </Field>
      <Field of={form.field("reason")} label="原因">
        {(f) => <Pick {...f} set={pointReason} />}
      </Field>
      <label>
        <input
          type="checkbox"
          checked={form.values.again === true}
          onChange={({ target }) => form.set({ ...form.values, again: target.checked })}
        />
        同一份名单已发过，仍要再发一次
      </label>
    </FormDrawer>
  );
}
/** The first line of the sheet that the contract refuses. */
function firstWrong(form: {
  readonly values: { readonly rows?: readonly unknown[] | undefined };
  errorAt(path: string): string | undefined;
}): string | undefined {
  for (const at of (form.values.rows ?? []).keys())
    for (const key of ["memberNo", "points"]) {
      const said = form.errorAt(`rows.${at}.${key}`);
      if (said) return `第 ${at + 1} 行：${said}`;
    }
  return undefined;
}
