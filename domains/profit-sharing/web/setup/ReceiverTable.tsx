import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { percent } from "@zhangfang/contract/money.ts";
import { ApiError, call } from "@zhangfang/web/api.ts";
import { columns } from "@zhangfang/web/list/columns.tsx";
import { DataTable } from "@zhangfang/web/list/DataTable.tsx";
import { confirm, success, warning } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import {
  bindReceiver,
  bindState,
  getSharingSetup,
  receiverState,
  receiverType,
  relationType,
  removeReceiver,
} from "../../contract/index.ts";
import type { Receiver, Setup } from "../shared.ts";

/** The receivers of a merchant, with what the channel said to each. */
export function ReceiverTable({ setup, onEdit }: { setup: Setup; onEdit: (id: string) => void }): ReactNode {
  const client = useQueryClient();
  const [busy, setBusy] = useState<string>();
  const act = async (row: Receiver, run: () => Promise<void>): Promise<void> => {
    setBusy(row.id);
    try {
      await run();
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
    } finally {
      setBusy(undefined);
      void client.invalidateQueries({ queryKey: [getSharingSetup.path] });
    }
  };
  const bind = (row: Receiver): Promise<void> =>
    act(row, async () => {
      const said = await call(bindReceiver, { id: row.id });
      if (said.bindState === "bound") success(`「${row.alias}」已登记`);
      else warning(`「${row.alias}」没有登记成功：${said.message ?? ""}`);
    });
  const remove = async (row: Receiver): Promise<void> => {
    if (
      !(await confirm(`删除接收方「${row.alias}」（${row.account}）？渠道会解除分账关系，已分的记录保留。`, { ok: "删除", danger: true }))
    )
      return;
    await act(row, async () => {
      await call(removeReceiver, { id: row.id });
      success(`已删除「${row.alias}」`);
    });
  };
  const c = columns<Receiver>();
  const nameOf = (id: string): string => setup.groups.find((group) => group.id === id)?.name ?? "";
  return (
    <DataTable
      label="接收方"
      density="compact"
      rows={setup.receivers}
      blank={<p className="note">还没有接收方。</p>}
      columns={[
        c.text("alias", "接收方", (row) => row.alias, { width: 112 }),
        c.text("account", "账号", (row) => `${receiverType.label(row.type)} ${row.account}${row.name ? ` ${row.name}` : ""}`, {
          width: 184,
        }),
        c.text("relation", "关系", (row) => row.customRelation ?? relationType.label(row.relation), { width: 80 }),
        c.text("group", "分组", (row) => nameOf(row.groupId), { width: 88 }),
        c.text("ratio", "默认比例", (row) => percent(row.ratio), { width: 80 }),
        c.code("state", "状态", receiverState, { width: 72 }),
        c.code("bindState", "渠道登记", bindState, { width: 96 }),
        c.actions(
          (row) => (
            <>
              {row.bindState !== "bound" && (
                <Button tone="link" busy={busy === row.id} onClick={() => void bind(row)}>
                  登记
                </Button>
              )}
              <Button tone="link" onClick={() => onEdit(row.id)}>
                修改
              </Button>
              <Button tone="link" busy={busy === row.id} onClick={() => void remove(row)}>
                删除
              </Button>
            </>
          ),
          { width: 144 },
        ),
      ]}
    />
  );
}
