import type { ReactNode } from "react";
import { percent } from "@zhangfang/contract/money.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useList } from "@zhangfang/web/list/use-list.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { confirm, success, undoable } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { isEnabled, listTrades, setTradeState } from "../contract.ts";
import { AddTradeDrawer, EditTradeDrawer } from "./TradeDrawers.tsx";
import type { Trade } from "./trade.ts";

/** 行业: what merchants can be, with the rate and the certificates that come with it. */
export function TradeList(): ReactNode {
  const list = useList(listTrades);
  const add = usePanel("add");
  const edit = usePanel("edit");
  const edited = list.rows.find(({ id }) => id === edit.id);
  const c = columns<Trade>();
  return (
    <ListScreen
      title="行业"
      unit="个"
      list={list}
      actions={
        <Button tone="primary" onClick={() => add.open("new")}>
          新增行业
        </Button>
      }
      filters={
        <>
          <Keyword of={list.field("keyword")} label="行业" placeholder="行业名称" />
          <Choice of={list.field("enabled")} label="状态" set={isEnabled} />
        </>
      }
      columns={[
        c.text("name", "行业", (row) => (row.parentId ? row.name : <b>{row.name}</b>)),
        c.text("parentName", "所属大类"),
        c.text("feeRate", "费率", (row) => (row.feeRate === null ? (row.parentId ? "随大类" : "随服务商") : percent(row.feeRate)), {
          width: 100,
        }),
        c.text("certificates", "所需证照", (row) => row.certificates.join("、"), { width: 200 }),
        c.number("merchants", "商户数", (row) => (row.parentId ? row.merchants : null)),
        c.code("enabled", "状态", isEnabled, (row) => (row.enabled ? "true" : "false")),
        c.actions((row) => (
          <>
            <Button tone="link" onClick={() => edit.open(row.id)}>
              编辑
            </Button>
            <Button tone="link" onClick={() => void turn(row, list.refresh)}>
              {row.enabled ? "停用" : "启用"}
            </Button>
          </>
        )),
      ]}
      onOpen={(row) => edit.open(row.id)}
      hrefOf={(row) => edit.hrefOf(row.id)}
      empty={{ text: "还没有行业" }}
    >
      {add.id && <AddTradeDrawer onClose={add.close} />}
      {edited && <EditTradeDrawer key={edited.id} trade={edited} onClose={edit.close} />}
    </ListScreen>
  );
}

async function turn({ id, name, enabled, merchants, parentId }: Trade, refresh: () => void): Promise<void> {
  const change = async (to: boolean): Promise<void> => {
    await call(setTradeState, { id, enabled: to });
    refresh();
  };
  if (!enabled) {
    await change(true);
    success(`已启用「${name}」`);
    return;
  }
  const text = parentId
    ? `停用「${name}」后，新增和修改商户时不能再选它。已有的 ${merchants} 家商户不变。`
    : `停用「${name}」后，新增和修改商户时不能再选其中的任何行业。已有的商户不变。`;
  if (!(await confirm(text, { ok: `停用「${name}」` }))) return;
  await change(false);
  undoable(`已停用「${name}」`, () => void change(true));
}
