import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import { type Column, columns } from "@zhangfang/web/list/table/columns.tsx";
import { Tag } from "@zhangfang/web/show/StatusTag.tsx";
import { accountLevel, type listUsers, userState } from "../../contract/index.ts";

export type AccountRow = RowOf<typeof listUsers>;

/** The columns of a list of accounts. */
export function accountColumns({ open, acts }: { open: (id: string) => void; acts: (row: AccountRow) => ReactNode }): Column<AccountRow>[] {
  const c = columns<AccountRow>();
  return [
    c.link("login", "登录名", (row) => open(row.id), { width: 150 }),
    c.text("firstName", "姓名", { width: 100 }),
    c.code("level", "级别", accountLevel, { width: 90 }),
    c.text("ownerName", "所属机构", { note: (row) => (row.root ? undefined : "子账号"), width: 150 }),
    c.text("positionName", "岗位", { hidden: true }),
    c.code("state", "状态", userState, { width: 80 }),
    c.text("locked", "锁定", (row) => row.lockedUntil && <Tag tone="warn">锁定至 {shanghaiTime(row.lockedUntil).slice(11, 16)}</Tag>, {
      width: 110,
    }),
    c.number("sessions", "在线", { width: 70 }),
    c.time("lastLoginAt", "最近登录", { width: 170 }),
    c.time("createdAt", "创建时间", { hidden: true }),
    c.actions(acts, { width: 150 }),
  ];
}
