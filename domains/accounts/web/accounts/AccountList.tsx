import { type ReactNode, useState } from "react";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { call } from "@zhangfang/web/api/api.ts";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import type { Selection } from "@zhangfang/web/list/Batch.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useCounts, useList } from "@zhangfang/web/list/use-list.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { error } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { accountLevel, addAccount, getActingPolicy, getGrant, listUsers, resetPasswords, userState } from "../../contract/index.ts";
import { AccountDetail } from "./AccountDetail.tsx";
import { accountColumns } from "./account-columns.tsx";
import { ActingPolicyDrawer } from "./ActingPolicyDrawer.tsx";
import { AddAccountDrawer } from "./AddAccountDrawer.tsx";
import { GrantDrawer } from "./GrantDrawer.tsx";
import { OneTimePasswords, type OneTime } from "./OneTimePasswords.tsx";
import { RowActs, resetMany } from "./account-acts.tsx";
import "../accounts.css";

const lockState = labelled({ true: ["已锁定", "warn"], false: "未锁定" });
/** So many passwords are made in one go. */
const AT_ONCE = 50;

/** 账号管理: every account below; a password that is made here is shown once and stands nowhere else. */
export function AccountList(): ReactNode {
  const list = useList(listUsers);
  const [add, grant, acting] = [usePanel("add"), usePanel("grant"), usePanel("acting")];
  const [made, setMade] = useState<readonly OneTime[]>();
  const reset = async (selection: Selection): Promise<void> => {
    if (selection.count > AT_ONCE) return error(`一次最多重置 ${AT_ONCE} 个账号，请缩小筛选范围`);
    // Whoever is meant by 全部 is asked for again: the list may have moved on.
    const rows = selection.all ? (await call(listUsers, { ...selection.filters, pageSize: AT_ONCE } as never)).items : list.rows;
    const ids = selection.all ? rows.map((row) => row.id) : selection.ids;
    await resetMany(ids, `${ids.length} 个账号`, setMade).then((done) => done && selection.clear());
    list.refresh();
  };
  const acts = { made: setMade, grant: grant.open, refresh: list.refresh };
  return (
    <ListScreen
      title="账号管理"
      unit="个"
      list={list}
      tabs={{ of: list.field("state"), set: userState, counts: useCounts(list, "state", userState) }}
      filters={
        <>
          <Keyword of={list.field("keyword")} label="账号" placeholder="登录名 / 姓名" />
          <Choice of={list.field("level")} label="级别" set={accountLevel} />
          <Choice of={list.field("locked")} label="锁定" set={lockState} />
          <OrgFilter of={list} levels={["serviceProviderId", "merchantId"]} />
        </>
      }
      columns={accountColumns({ open: list.open, acts: (row) => <RowActs row={row} {...acts} /> })}
      actions={
        <>
          <Act of={getActingPolicy}>
            <Button onClick={() => acting.open()}>代管设置</Button>
          </Act>
          <Act of={addAccount}>
            <Button tone="primary" onClick={() => add.open()}>
              新增账号
            </Button>
          </Act>
        </>
      }
      batch={(selection) => (
        <Act of={resetPasswords}>
          <Button small onClick={() => void reset(selection)}>
            重置密码
          </Button>
        </Act>
      )}
      empty={{ text: "还没有下级账号，点「新增账号」为下级机构开通登录" }}
    >
      <AccountDetail list={list} acts={acts} />
      {add.id && <AddAccountDrawer onClose={add.close} onMade={setMade} />}
      {grant.id && (
        <Act of={getGrant}>
          <GrantDrawer key={grant.id} userId={grant.id} onClose={grant.close} />
        </Act>
      )}
      {acting.id && (
        <Act of={getActingPolicy}>
          <ActingPolicyDrawer onClose={acting.close} />
        </Act>
      )}
      {made && <OneTimePasswords made={made} onClose={() => setMade(undefined)} />}
    </ListScreen>
  );
}
