import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { Endpoint, InputOf } from "@zhangfang/contract/endpoint.ts";
import { ApiError, call } from "@zhangfang/web/api/api.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { cancelExport, type ExportRow, linkExport, listExports, removeExport, retryExport } from "../contract.ts";

/** Fetches the file: a link that lives for a minute, opened at once; the page stays where it is. */
export async function fetchFile(id: string): Promise<void> {
  const { href } = await call(linkExport, { id });
  location.assign(href);
}

/** What can be done with one export. `busy` names the act that is under way. */
function useExportActs(row: Pick<ExportRow, "id" | "name">) {
  const client = useQueryClient();
  const [busy, setBusy] = useState<string>();
  const during = async (act: string, run: () => Promise<unknown>): Promise<void> => {
    setBusy(act);
    try {
      await run();
    } catch (failure) {
      // A refused call has already said why; what stands on the screen is old then.
      if (!(failure instanceof ApiError)) throw failure;
    } finally {
      setBusy(undefined);
      if (act !== "download") void client.invalidateQueries({ queryKey: [listExports.path] });
    }
  };
  const tell = <E extends Endpoint>(endpoint: E, input: InputOf<E>, words: string) => call(endpoint, input).then(() => success(words));
  return {
    busy,
    download: () => during("download", () => fetchFile(row.id)),
    cancel: () => during("cancel", () => tell(cancelExport, { id: row.id }, "已取消导出")),
    retry: () => during("retry", () => tell(retryExport, { id: row.id }, "已重新开始导出")),
    remove: async () => {
      if (!(await confirm(`确认删除「${row.name}」？文件立即删除，不能恢复。`, { ok: "删除", danger: true }))) return;
      await during("remove", () => tell(removeExport, { id: row.id }, "已删除"));
    },
  };
}

/** The buttons of one export: those that the server allows now. The tray leaves deleting to the download centre. */
export function ExportActs({ row, removable = true }: { row: ExportRow; removable?: boolean }): ReactNode {
  const acts = useExportActs(row);
  const button = (may: boolean, act: "download" | "cancel" | "retry" | "remove", words: string): ReactNode =>
    may && (
      <Button tone="link" aria-label={`${words} ${row.name}`} busy={acts.busy === act} onClick={() => void acts[act]()}>
        {words}
      </Button>
    );
  return (
    <>
      {button(row.can.download, "download", "下载")}
      {button(row.can.retry, "retry", "重试")}
      {button(row.can.cancel, "cancel", "取消")}
      {button(row.can.remove && removable, "remove", "删除")}
    </>
  );
}
