import type { ExportRow } from "../../contract.ts";

const counted = (count: number): string => count.toLocaleString("en-US");

/** Where an export stands while it is made. @example 45% · 45,000 / 100,000 行 */
export function progressWords({
  cancelling,
  waitingBefore,
  rowsTotal,
  rowsDone,
  percent,
}: Pick<ExportRow, "cancelling" | "waitingBefore" | "rowsTotal" | "rowsDone" | "percent">): string {
  if (cancelling) return "正在取消";
  if (waitingBefore !== null && waitingBefore > 0) return `排队中，前面还有 ${waitingBefore} 个`;
  if (rowsTotal === null) return "正在准备";
  return `${percent ?? 0}% · ${counted(rowsDone)} / ${counted(rowsTotal)} 行`;
}

/** A file's size as people say it. @example sizeWords(1_258_291) // 1.2 MB */
export function sizeWords(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

const HOUR_MS = 3_600_000;
/** How long a file is still there, to the hour, in the last hour to the minute. @example 6 天 3 小时 */
export function leftWords(expiresAt: string, now_ms: number): string {
  const left_ms = Date.parse(expiresAt) - now_ms;
  if (left_ms <= 0) return "即将删除";
  if (left_ms < HOUR_MS) return `${Math.ceil(left_ms / 60_000)} 分钟`;
  const hours = Math.floor(left_ms / HOUR_MS);
  const [days, rest] = [Math.floor(hours / 24), hours % 24];
  return [days > 0 && `${days} 天`, rest > 0 && `${rest} 小时`].filter(Boolean).join(" ");
}
