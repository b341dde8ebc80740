import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { type CodeOf, labelled } from "@zhangfang/contract/labelled.ts";
import { ApiError } from "@zhangfang/web/api/api.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { NumberInput, Pick, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { type Form, useForm } from "@zhangfang/web/form/use-form.ts";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { readSheet } from "../../imports/web/index.ts";
import { Audience, audienceKey, whom } from "../../members/web/index.ts";
import {
  countPointAudience,
  createPointTask,
  getPointTask,
  listPointTaskRows,
  listPointTasks,
  MOST_TASK_ROWS,
  pointReason,
} from "../contract/index.ts";
import "./points.css";

const READS = [listPointTasks, getPointTask, listPointTaskRows];
const SHEET = [
  { key: "memberNo", label: "会员号", also: ["会员编号", "手机号", "会员号或手机号"], required: true, example: "9000000001", width: 14 },
  { key: "points", label: "积分", also: [], required: true, example: "100", width: 12 },
];

const hex = (bytes: ArrayBuffer): string => [...new Uint8Array(bytes)].map((one) => one.toString(16).padStart(2, "0")).join("");

const ways = labelled({ sheet: "上传名单", filter: "按条件选会员" });
type Way = CodeOf<typeof ways>;
/** 新建批量积分任务: by a sheet, or for members by what they are. */
export function NewTask(given: { onClose: () => void; onMade: (id: string) => void }): ReactNode {
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
  const client = useQueryClient();
  const form = useForm(createPointTask, {
    initial: { reason: "event", name: "", again: false, ...(way === "filter" && { filter: {} }) },
    draft: false,
    done: "已开始发放",
    refreshes: READS,
    onDone: ({ id }) => {
      onClose();
      onMade(id);
    },
    ask: ({ rows = [], filter, points: each = 0 }) => {
      if (filter) {
        const known = client.getQueryData<OutputOf<typeof countPointAudience>>(audienceKey(countPointAudience, filter));
        const many = known
          ? `（${known.members.toLocaleString("en-US")} 人，共 ${(known.members * each).toLocaleString("en-US")} 积分）`
          : "";
        return { text: `给${whom(filter)}${many}每人发 ${each} 积分？名单从现在起不变。`, ok: `每人发 ${each} 积分` };
      }
      const points = rows.reduce((sum, row) => sum + row.points, 0);
      return { text: `给 ${rows.length} 人共发 ${points} 积分？名单从现在起不变。`, ok: `发给 ${rows.length} 人` };
    },
  });
  return (
    <FormDrawer form={form} title="新建批量积分任务" submit="开始发放" onClose={onClose}>
      <Segments label="选会员" set={ways} value={way} onChange={setWay} />
      {way === "filter" && <Chosen form={form} />}
      {way === "sheet" && <Sheet form={form} />}
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
        />{" "}
        同样的名单或条件已发过，仍要再发一次
      </label>
    </FormDrawer>
  );
}
/** The list as a file: its rows are read here, and its mark tells a sheet that was used before. */
function Sheet({ form }: { form: Form<typeof createPointTask> }): ReactNode {
  const [wrong, setWrong] = useState<string>();
  const choose = async (file: File | undefined): Promise<void> => {
    setWrong(undefined);
    if (!file) return;
    try {
      const [{ lines }, hash] = await Promise.all([
        readSheet(file, SHEET as never),
        file.arrayBuffer().then((bytes) => crypto.subtle.digest("SHA-256", bytes)),
      ]);
      const rows = lines.map(({ cells }) => ({ memberNo: cells["memberNo"] ?? "", points: Number(cells["points"]) }));
      form.set({ ...form.values, rows, fileHash: hex(hash), name: form.values.name || file.name.replace(/\.\w+$/, "").slice(0, 40) });
    } catch (failure) {
      if (failure instanceof ApiError) throw failure;
      setWrong(failure instanceof Error ? failure.message : "无法读取此文件");
    }
  };
  const rowWrong = wrong ?? form.errorAt("rows") ?? firstWrong(form);
  return (
    <div className="field points-sheet">
      <label htmlFor="points-sheet">名单</label>
      <input id="points-sheet" type="file" accept=".xlsx,.csv" onChange={({ target }) => void choose(target.files?.[0])} />
      {rowWrong && (
        <p className="field-error" role="alert">
          {rowWrong}
        </p>
      )}
      <p className="field-help">
        {form.values.rows ? `已读取 ${form.values.rows.length} 人` : ".xlsx 或 .csv，两列：会员号或手机号、积分；最多 5,000 人"}
      </p>
    </div>
  );
}
/** Members by what they are, and how many points each. */
function Chosen({ form }: { form: Form<typeof createPointTask> }): ReactNode {
  return (
    <>
      <Audience
        of={countPointAudience}
        value={form.values.filter ?? {}}
        onChange={(filter) => form.set({ ...form.values, filter })}
        errorAt={form.errorAt}
        most={MOST_TASK_ROWS}
      />
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
