import "./points.css";
import { type ReactNode, useState } from "react";
import type { InputOf, OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { type CodeOf, labelled } from "@zhangfang/contract/labelled.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { ApiError, call } from "@zhangfang/web/api/api.ts";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgPicker } from "@zhangfang/web/filter/OrgFilter.tsx";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { DayInput, MoneyInput, NumberInput, Pick, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { type Form, type FormField, useForm } from "@zhangfang/web/form/use-form.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { Export } from "@zhangfang/web/list/Export.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { useList } from "@zhangfang/web/list/use-list.ts";
import { success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { DetailDrawer, Group, HeroLine, Loaded, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { readSheet } from "../../imports/web/index.ts";
import { memberColumn } from "../../members/web/index.ts";
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
  const task = useDetail(getPointTask, { id });
  const [busy, run] = useRun(READS);
  const steer = (act: "pause" | "resume" | "retry", said: string) =>
    void run(async () => {
      await call(steerPointTask, { id, act });
      success(said);
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
  const rows = useDetail(listPointTaskRows, { ...filters, pageSize: 100, withTotal: true });
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

const hex = (bytes: ArrayBuffer): string => [...new Uint8Array(bytes)].map((one) => one.toString(16).padStart(2, "0")).join("");

const ways = labelled({ sheet: "上传名单", filter: "按条件选会员" });
type Way = CodeOf<typeof ways>;
function NewTask(given: { onClose: () => void; onMade: (id: string) => void }): ReactNode {
  const [way, setWay] = useState<Way>("sheet");
  // What was filled in for one way is nothing to the other.
  return <TaskForm key={way} {...given} way={way} setWay={setWay} />;
}
function TaskForm({
  onClose,
  onMade,
  way,
  setWay,
}: {
  onClose: () => void;
  onMade: (id: string) => void;
  way: Way;
  setWay: (way: Way) => void;
}): ReactNode {
  const [wrong, setWrong] = useState<string>();
  const form = useForm(createPointTask, {
    initial: { reason: "event", again: false, ...(way === "filter" && { filter: {} }) },
    draft: false,
    done: "已开始发放",
    refreshes: READS,
    onDone: ({ id }) => {
      onClose();
      onMade(id);
    },
    ask: ({ rows = [], filter, points: each = 0 }) => {
      if (filter) return { text: `给${whom(filter)}每人发 ${each} 积分？名单从现在起不变。`, ok: `每人发 ${each} 积分` };
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
      <Segments label="选会员" set={ways} value={way} onChange={setWay} />
      {way === "filter" && <Chosen form={form} />}
      {way === "sheet" && (
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
      )}
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
        同样的名单或条件已发过，仍要再发一次
      </label>
    </FormDrawer>
  );
}
type Filter = NonNullable<InputOf<typeof createPointTask>["filter"]>;
/** Whom a filter means, in words. */
function whom({ tag, spentFromCents, lastVisitBefore, storeId }: Filter): string {
  const parts = [
    tag && `标签「${tag}」`,
    spentFromCents !== undefined && `累计消费满 ${yuan(Number(spentFromCents))} 元`,
    lastVisitBefore && `${lastVisitBefore} 之后没来过`,
    storeId && "去过所选门店",
  ].filter(Boolean);
  return parts.length === 0 ? "全部会员" : `${parts.join("、")}的会员`;
}
/** Members by what they are; nothing filled in is everybody. */
function Chosen({ form }: { form: Form<typeof createPointTask> }): ReactNode {
  const filter: Filter = form.values.filter ?? {};
  function at<K extends keyof Filter & string>(key: K): FormField<NonNullable<Filter[K]>> {
    return {
      name: `filter.${key}`,
      value: filter[key] as NonNullable<Filter[K]> | undefined,
      error: form.errorAt(`filter.${key}`),
      set: (value) => form.set({ ...form.values, filter: { ...filter, [key]: value || undefined } }),
    };
  }
  const wrong = form.errorAt("filter");
  return (
    <>
      <Field of={at("tag")} label="标签" optional help="条件都不填，就是全部会员">
        {(f) => <TextInput {...f} maxLength={10} />}
      </Field>
      <Field of={at("spentFromCents")} label="累计消费满" optional>
        {(f) => <MoneyInput {...f} value={f.value as never} onChange={(cents) => f.onChange(cents as never)} />}
      </Field>
      <Field of={at("lastVisitBefore")} label="这天之后没来过" optional>
        {(f) => <DayInput {...f} value={f.value as string} onChange={(day) => f.onChange((day ?? undefined) as never)} />}
      </Field>
      <Field of={at("storeId")} label="去过哪家门店" optional>
        {(f) => <OrgPicker {...f} level="storeId" value={f.value as string} />}
      </Field>
      {wrong && (
        <p className="field-error" role="alert">
          {wrong}
        </p>
      )}
      <Field of={form.field("points")} label="每人积分">
        {(f) => <NumberInput {...f} unit="积分" />}
      </Field>
    </>
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
