import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { call, download, fetchFile } from "@zhangfang/web/api/api.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { Radios } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Group, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Picture } from "@zhangfang/web/show/Picture.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import { cancelCommand, commandKind, commandStatus, getCommandFile, listCommands, queueCommands } from "../../contract/index.ts";

type Row = RowOf<typeof listCommands>;
const WHAT: Readonly<Record<Row["kind"], string>> = {
  restart: "设备收完当前这笔后重启，约一分钟内不能收款。",
  "refresh-config": "设备把全部配置重新取一遍。",
  screenshot: "设备传回现在的屏幕画面，保留 7 天。",
  "upload-log": "设备传回最近的运行日志，保留 7 天。",
};

/** 远程命令: one thing for one or many devices; those that are away do it if they are back within an hour. */
export function CommandDrawer({ ids, onClose }: { ids: readonly string[]; onClose: () => void }): ReactNode {
  const form = useForm(queueCommands, {
    initial: { kind: "refresh-config", ids: [...ids] },
    draft: false,
    done: "已下发，设备在线时立即执行",
    refreshes: [listCommands],
    onDone: onClose,
    ask: ({ kind }) =>
      kind === "restart" ? { text: `重启选中的 ${ids.length} 台设备？${WHAT.restart}`, ok: "重启", danger: true } : undefined,
  });
  const kind = form.values.kind ?? "refresh-config";
  return (
    <FormDrawer form={form} title="远程命令" submit={`下发给 ${ids.length} 台设备`} onClose={onClose}>
      <Field of={form.field("kind")} label="命令" help={`${WHAT[kind]}一小时内没有送达的命令会过期；送达前可以取消。`}>
        {(f) => <Radios {...f} value={f.value as Row["kind"]} set={commandKind} />}
      </Field>
    </FormDrawer>
  );
}

/** The latest commands of a device, who asked for them, and what came of them. */
export function CommandHistory({ deviceId }: { deviceId: string }): ReactNode {
  const client = useQueryClient();
  const { data } = useDetail(listCommands, { deviceId, pageSize: 10 }, { until: ({ items }) => items.every(({ status }) => status > 1) });
  const [busy, setBusy] = useState<string>();
  const mayLook = useAct(getCommandFile);
  const cancel = async (row: Row): Promise<void> => {
    if (!(await confirm(`取消命令「${commandKind.label(row.kind)}」？设备还没有收到它。`, { ok: "取消命令" }))) return;
    setBusy(row.id);
    try {
      await call(cancelCommand, { id: row.id });
      success("已取消命令");
    } catch {
      // The call has said it.
    } finally {
      setBusy(undefined);
      void client.invalidateQueries({ queryKey: [listCommands.path] });
    }
  };
  const c = columns<Row>();
  const result = (row: Row): ReactNode =>
    row.file && mayLook ? (
      row.file === "text/plain" ? (
        <Button tone="link" onClick={() => void download(getCommandFile, { id: row.id })}>
          下载日志
        </Button>
      ) : (
        <Screen id={row.id} />
      )
    ) : (
      row.words
    );
  return (
    <Group title="远程命令">
      {!data ? (
        <Skeleton rows={2} />
      ) : data.items.length === 0 ? (
        <p className="note">还没有下发过命令</p>
      ) : (
        <DataTable
          label="远程命令"
          rows={data.items}
          columns={[
            c.code("kind", "命令", commandKind, { width: 96 }),
            c.code("status", "状态", commandStatus, { width: 80 }),
            c.text("words", "结果", result, { width: 120 }),
            c.text("byName", "下发人", { width: 88 }),
            c.time("createdAt", "下发时间", { width: 168 }),
            c.actions(
              (row) =>
                row.status === 0 && (
                  <Act of={cancelCommand}>
                    <Button tone="link" busy={busy === row.id} onClick={() => void cancel(row)}>
                      取消
                    </Button>
                  </Act>
                ),
              { width: 64 },
            ),
          ]}
        />
      )}
    </Group>
  );
}

/** A screenshot, small; it opens when it is pressed. */
function Screen({ id }: { id: string }): ReactNode {
  const { data } = useQuery({
    queryKey: [getCommandFile.path, id],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => fetchFile(getCommandFile, { id }, { signal }),
  });
  const url = useMemo(() => data && URL.createObjectURL(data), [data]);
  useEffect(() => () => (url ? URL.revokeObjectURL(url) : undefined), [url]);
  return <Picture url={url} name="设备截屏" />;
}
