import type { ReactNode } from "react";
import { PAGE_SIZES } from "@zhangfang/contract/fields.ts";
import { Button } from "../show/Button.tsx";
import type { List, Total } from "./use-list.ts";

/** 共 1,284 笔; beyond ten thousand nobody counts: 多于 10,000 笔. */
export function totalText(total: Total | undefined, unit: string): string {
  if (!total) return "";
  const count = total.count.toLocaleString("en-US");
  return total.more ? `多于 ${count} ${unit}` : `共 ${count} ${unit}`;
}

/** Previous and next, the page's number, and the page size, which is remembered. */
export function Pager({
  list,
  unit,
}: {
  list: Pick<List, "total" | "pageSize" | "setPageSize" | "address" | "previous" | "next" | "hasNext">;
  unit: string;
}): ReactNode {
  const pages = list.total && !list.total.more ? Math.max(1, Math.ceil(list.total.count / list.pageSize)) : undefined;
  return (
    <nav className="pager" aria-label="翻页">
      <span className="pager-total">{totalText(list.total, unit)}</span>
      <label className="pager-size">
        <span className="sr-only">每页条数</span>
        <select className="input" value={list.pageSize} onChange={(event) => list.setPageSize(Number(event.target.value))}>
          {PAGE_SIZES.map((size) => (
            <option key={size} value={size}>
              {size} 条/页
            </option>
          ))}
        </select>
      </label>
      <Button small disabled={list.address.page === 1} onClick={list.previous}>
        上一页
      </Button>
      <span className="num" aria-live="polite">
        第 {list.address.page}
        {pages !== undefined && ` / ${pages}`} 页
      </span>
      <Button small disabled={!list.hasNext} onClick={list.next}>
        下一页
      </Button>
    </nav>
  );
}
