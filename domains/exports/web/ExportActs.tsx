import type { ReactNode } from "react";
import { Button } from "@zhangfang/web/show/Button.tsx";
import type { ExportRow } from "../contract.ts";
import { useExportActs } from "./export-acts.ts";

/** The buttons of one export: those that the server allows now. */
export function ExportActs({ row }: { row: ExportRow }): ReactNode {
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
      {button(row.can.remove, "remove", "删除")}
    </>
  );
}
