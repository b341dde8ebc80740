import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import { Link } from "react-router";
import { error, success } from "@zhangfang/web/notify.ts";
import { Icon } from "@zhangfang/web/show/icons.tsx";
import { Popover } from "@zhangfang/web/show/over/Popover.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { EXPORT_KEPT_DAYS, type ExportRow, exportStatus, listExports } from "../contract.ts";
import { ExportActs, fetchFile } from "./ExportActs.tsx";
import { sizeWords } from "./words/export-words.ts";
import "./exports.css";
import { Progress } from "./Progress.tsx";
import { useRecent, useRunning } from "./running-exports.ts";

/** Exports in the top bar of every page: those at work with their progress, the latest done with their download. */
export function ExportTray(): ReactNode {
  const running = useRunning(true) ?? [];
  const recent = useRecent().data ?? [];
  const done = recent.filter((row) => (row.status === 1 || row.status === 2) && !running.some(({ id }) => id === row.id)).slice(0, 5);
  useEnds(running);
  return (
    <Popover
      tone="quiet"
      className="tray"
      name={running.length > 0 ? `导出，${running.length} 个进行中` : "导出"}
      label={
        <span className="tray-mark">
          <Icon name="download" />
          {running.length > 0 && <span className="tray-count num">{running.length}</span>}
        </span>
      }
    >
      {(close) => (
        <>
          <h2>导出</h2>
          {running.length + done.length === 0 ? (
            <p className="note tray-none">没有进行中的导出。文件生成后保留 {EXPORT_KEPT_DAYS} 天。</p>
          ) : (
            <ul>
              {[...running, ...done].map((row) => (
                <li key={row.id}>
                  <span className="tray-name" title={row.name}>
                    {row.name}
                  </span>
                  <span className="row-actions">
                    <ExportActs row={row} removable={false} />
                  </span>
                  {row.status === 0 ? <Progress row={row} /> : <Outcome row={row} />}
                </li>
              ))}
            </ul>
          )}
          <Link to="/dataCentre/exports" onClick={close}>
            查看导出记录
          </Link>
        </>
      )}
    </Popover>
  );
}

function Outcome({ row }: { row: ExportRow }): ReactNode {
  return (
    <span className="tray-outcome">
      <StatusTag of={exportStatus} code={row.status} />
      <span className="note num">{row.failure ?? (row.sizeBytes === null ? "" : sizeWords(row.sizeBytes))}</span>
    </span>
  );
}

/** Tells when an export came to its end, wherever in the product its owner is by then. */
function useEnds(running: readonly ExportRow[]): void {
  const client = useQueryClient();
  const before = useRef<readonly ExportRow[]>([]);
  useEffect(() => {
    const ended = before.current.filter((row) => !running.some(({ id }) => id === row.id));
    before.current = running;
    if (ended.length === 0) return;
    void client.invalidateQueries({ queryKey: [listExports.path, "recent"] }).then(() => {
      for (const row of client.getQueryData<readonly ExportRow[]>([listExports.path, "recent"]) ?? []) {
        const was = ended.find(({ id }) => id === row.id);
        if (was && row.status === 1) success(`「${row.name}」已生成`, { label: "下载", run: () => void fetchFile(row.id) });
        if (was && row.status === 2 && !was.cancelling) error(`「${row.name}」导出失败：${row.failure ?? "原因未知"}`, 5000);
      }
    });
  }, [running, client]);
}
