import { type ReactNode, useEffect } from "react";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { type Column, columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useCounts, useList } from "@zhangfang/web/list/use-list.ts";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { EXPORT_KEPT_DAYS, exportFormat, type ExportRow, exportStatus, exportViews, listExports } from "../contract.ts";
import { ExportActs } from "./ExportActs.tsx";
import { leftWords, sizeWords } from "./words/export-words.ts";
import "./exports.css";
import { FilterWords } from "./words/FilterWords.tsx";
import { Progress } from "./Progress.tsx";
import { useRunning } from "./running-exports.ts";
import { useNow } from "./use-now.ts";

/** The caller's own exports: what is being made moves by itself, what is done can be fetched until it ends after seven days. */
export function ExportFiles(): ReactNode {
  const list = useList(listExports, { views: exportViews });
  const running = useRunning(false);
  const now_ms = useNow();
  const rows = list.rows.map((row) => running?.find(({ id }) => id === row.id) ?? row);
  const settled =
    running !== undefined && !list.refreshing && rows.some(({ id, status }) => status === 0 && !running.some((other) => other.id === id));
  const { refresh } = list;
  useEffect(() => {
    if (settled) refresh();
    // Once for each row that came to its end.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [settled]);

  return (
    <ListScreen
      title="导出记录"
      unit="个"
      list={{ ...list, rows }}
      onOpen={false}
      tabs={{ of: list.field("status"), set: exportStatus, counts: useCounts(list, "status", exportStatus) }}
      filters={<Keyword of={list.field("keyword")} label="文件名" placeholder="文件名中的字" />}
      columns={fileColumns(now_ms)}
      empty={{ text: `还没有导出。在任一列表点「导出」，文件在这里下载，保留 ${EXPORT_KEPT_DAYS} 天。` }}
    />
  );
}

function fileColumns(now_ms: number): Column<ExportRow>[] {
  const c = columns<ExportRow>();
  return [
    c.text("name", "文件", { width: 268, note: kindOf }),
    c.text("state", "状态", (row) => <State row={row} />, { width: 200 }),
    c.text(
      "filter",
      "筛选条件",
      (row) => (
        <span className="export-filter">
          <FilterWords of={row} />
        </span>
      ),
      { width: 196 },
    ),
    c.number("rowsTotal", "行数", { width: 92 }),
    c.time("createdAt", "创建时间", { width: 168 }),
    c.text("expiresAt", "剩余时间", (row) => (row.status === 1 ? <span className="num">{leftWords(row.expiresAt, now_ms)}</span> : null), {
      width: 112,
    }),
    c.actions((row) => <ExportActs row={row} />, { width: 112 }),
  ];
}

/** Excel 工作簿（.xlsx） · 1.2 MB */
const kindOf = ({ format, sizeBytes }: ExportRow): string =>
  [exportFormat.label(format), sizeBytes !== null && sizeWords(sizeBytes)].filter(Boolean).join(" · ");

function State({ row }: { row: ExportRow }): ReactNode {
  return (
    <span className="export-state">
      <StatusTag of={exportStatus} code={row.status} />
      {row.status === 0 && <Progress row={row} />}
      {row.status === 2 && row.failure && <span className="note export-failure">{row.failure}</span>}
    </span>
  );
}
