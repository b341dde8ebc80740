import { type ReactNode, useState } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useCounts, useList } from "@zhangfang/web/list/use-list.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Tag } from "@zhangfang/web/show/StatusTag.tsx";
import { addAccount, listStaff, updateStaff, userState } from "../../contract/index.ts";
import { AccountDetail } from "../accounts/AccountDetail.tsx";
import { RowActs } from "../accounts/account-acts.tsx";
import { OneTimePasswords, type OneTime } from "../accounts/OneTimePasswords.tsx";
import { StaffDrawer } from "./StaffDrawer.tsx";
import "../accounts.css";

type Row = RowOf<typeof listStaff>;
/** What a sub-account sees, in a line. */
const sightOf = (row: Row): string => {
  if (row.areaNames.length > 0) return `区域：${row.areaNames.join("、")}`;
  if (row.storeCount === 0) return row.level === "MCH" ? "全部门店" : row.level === "AE" ? "无门店" : "主账号的全部范围";
  return `${row.storeNames.join("、")}${row.storeCount > row.storeNames.length ? ` 等 ${row.storeCount} 家` : ""}`;
};

/** 子账号: the people of a root account, each with a position and the stores it sees. */
export function StaffList(): ReactNode {
  const list = useList(listStaff);
  const [edit, setMade] = [usePanel("edit"), useState<readonly OneTime[]>()];
  const c = columns<Row>();
  const acts = { made: setMade[1], edit: edit.open, refresh: list.refresh };
  const add = (
    <Act of={addAccount}>
      <Button tone="primary" onClick={() => edit.open()}>
        新增子账号
      </Button>
    </Act>
  );
  return (
    <ListScreen
      title="子账号"
      unit="个"
      list={list}
      tabs={{ of: list.field("state"), set: userState, counts: useCounts(list, "state", userState) }}
      filters={
        <>
          <Keyword of={list.field("keyword")} label="账号" placeholder="登录名 / 姓名" />
          <OrgFilter of={list} levels={["storeId"]} />
        </>
      }
      columns={[
        c.link("login", "登录名", (row) => list.open(row.id), { width: 150 }),
        c.text("firstName", "姓名", { width: 120 }),
        c.text("positionName", "岗位", (row) => row.positionName ?? (row.level === "AE" ? "门店人员（默认）" : null), { width: 140 }),
        c.text("sight", "可见范围", sightOf),
        c.code("state", "状态", userState, { width: 80 }),
        c.text("locked", "锁定", (row) => row.lockedUntil && <Tag tone="warn">锁定至 {shanghaiTime(row.lockedUntil).slice(11, 16)}</Tag>, {
          hidden: true,
        }),
        c.number("sessions", "在线", { width: 70 }),
        c.time("lastLoginAt", "最近登录", { width: 170 }),
        c.actions((row) => <RowActs row={row} {...acts} />, { width: 130 }),
      ]}
      actions={add}
      empty={{ text: "还没有子账号。先在「权限管理」建岗位，再为员工开通子账号", action: add }}
    >
      <AccountDetail list={list} acts={acts} />
      {edit.id && (
        <Act of={edit.id === "new" ? addAccount : updateStaff}>
          <StaffDrawer key={edit.id} staffId={edit.id === "new" ? undefined : edit.id} onClose={edit.close} onMade={setMade[1]} />
        </Act>
      )}
      {setMade[0] && <OneTimePasswords made={setMade[0]} onClose={() => setMade[1](undefined)} />}
    </ListScreen>
  );
}
