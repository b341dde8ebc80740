import { type FormEvent, type ReactNode, useState } from "react";
import { PAGE_SIZES } from "@zhangfang/contract/fields.ts";
import { Button } from "../show/Button.tsx";
import { lastPage } from "./address/list-address.ts";
import type { List, Total } from "./use-list.ts";

/** 共 1,284 笔; beyond ten thousand nobody counts: 多于 10,000 笔. */
export function totalText(total: Total | undefined, unit: string): string {
  if (!total) return "";
  const count = total.count.toLocaleString("en-US");
  return total.more ? `多于 ${count} ${unit}` : `共 ${count} ${unit}`;
}

type Paged = Pick<List, "endpoint" | "total" | "pageSize" | "setPageSize" | "address" | "previous" | "next" | "jump" | "hasNext">;

/** Previous and next, the page's number and the way to another one, and the page size, which is remembered. */
export function Pager({ list, unit }: { list: Paged; unit: string }): ReactNode {
  const { total, pageSize, address } = list;
  const last = total && lastPage(total.count, total.more, pageSize);
  return (
    <nav className="pager" aria-label="翻页">
      <span className="pager-total">{totalText(total, unit)}</span>
      <label className="pager-size">
        <span className="sr-only">每页条数</span>
        <select className="input" value={pageSize} onChange={(event) => list.setPageSize(Number(event.target.value))}>
          {PAGE_SIZES.map((size) => (
            <option key={size} value={size}>
              {size} 条/页
            </option>
          ))}
        </select>
      </label>
      <Button small disabled={address.page === 1} onClick={list.previous}>
        上一页
      </Button>
      <span className="num" aria-live="polite">
        第 {address.page}
        {last !== undefined && !total?.more && ` / ${last}`} 页
      </span>
      <Button small disabled={!list.hasNext} onClick={list.next}>
        下一页
      </Button>
      {last !== undefined && last > 2 && <Jump key={address.page} list={list} last={last} />}
    </nav>
  );
}

/** The number of a page, typed; or why there is no such way. */
function Jump({ list, last }: { list: Paged; last: number }): ReactNode {
  const [page, setPage] = useState("");
  if (list.endpoint.jumps === false)
    return (
      <span className="note" title="每页从上一页的末尾算起，只能逐页翻；缩小筛选范围可以更快找到">
        只能逐页翻
      </span>
    );
  const go = (event: FormEvent): void => {
    event.preventDefault();
    const to = Math.min(last, Math.max(1, Math.trunc(Number(page))));
    if (page !== "" && Number.isFinite(to) && to !== list.address.page) list.jump(to);
    else setPage("");
  };
  return (
    <form className="pager-jump" onSubmit={go}>
      <label>
        跳至
        <input
          className="input num"
          inputMode="numeric"
          aria-label={`跳至第几页，最多 ${last}`}
          value={page}
          maxLength={5}
          onChange={(event) => setPage(event.target.value.replaceAll(/\D/g, ""))}
        />
        页
      </label>
    </form>
  );
}
