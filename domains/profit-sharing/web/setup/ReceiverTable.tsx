import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { percent } from "@zhangfang/contract/money.ts";
import { ApiError, call } from "@zhangfang/web/api/api.ts";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { confirm, success, warning } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import {
  bindReceiver,
  bindState,
  getSharingSetup,
  receiverState,
  receiverType,
  relationType,
  removeReceiver,
  type SharingWallet,
  sharingWallet,
} from "../../contract/index.ts";
import type { Receiver, Setup } from "../shared.ts";

interface CellProps {
  readonly row: Receiver;
  readonly wallet: SharingWallet;
  readonly busy: boolean;
  readonly onAdd: () => void;
  readonly onBind: () => void;
}
/** A receiver's account at a wallet and what the channel said to it, or that there is none. */
function AccountCell({ row, wallet, busy, onAdd, onBind }: CellProps): ReactNode {
  const found = row.accounts.find((one) => one.wallet === wallet);
  const open = found?.bindState === "unsure" || found?.bindState === "binding" || found?.bindState === "failed";
  return (
    <span className="sharing-account">
      {found ? (
        <>
          <span title={receiverType.label(found.type)}>{found.account}</span>
          <span title={found.bindMessage ?? undefined}>
            <StatusTag of={bindState} code={found.bindState} />
          </span>
        </>
      ) : (
        <span className="sharing-lacks">缺少{sharingWallet.label(wallet)}账号</span>
      )}
      {(!found || found.bindState === "failed") && (
        <Button tone="link" onClick={onAdd}>
          {found ? "更换" : "添加"}
        </Button>
      )}
      {open && (
        <Button tone="link" busy={busy} onClick={onBind}>
          登记
        </Button>
      )}
    </span>
  );
}

/** What is done with a receiver at its channels, one at a time. */
function useReceiverActs() {
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
  const bind = (row: Receiver, wallet: SharingWallet): Promise<void> =>
    act(row, async () => {
      const said = await call(bindReceiver, { id: row.id, wallet });
      if (said.bindState === "bound") success(`「${row.alias}」已登记`);
      else warning(`「${row.alias}」没有登记成功：${said.message ?? ""}`);
    });
  const remove = async (row: Receiver): Promise<void> => {
    if (
      !(await confirm(
        `删除接收方「${row.alias}」（${row.accounts.map(({ account }) => account).join("、")}）？通道会解除分账关系，已分的记录保留。`,
        { ok: "删除", danger: true },
      ))
    )
      return;
    await act(row, async () => {
      await call(removeReceiver, { id: row.id });
      success(`已删除「${row.alias}」`);
    });
  };
  return { busy, bind, remove };
}

/** The receivers of a merchant, with what the channel said to each. */
export function ReceiverTable({
  setup,
  onEdit,
  onAccount,
}: {
  setup: Setup;
  onEdit: (id: string) => void;
  onAccount: (id: string, wallet: SharingWallet) => void;
}): ReactNode {
  const { busy, bind, remove } = useReceiverActs();
  const wallets = sharingWallet.values.filter(
    (wallet) =>
      setup.wallets.some((one) => one.wallet === wallet) ||
      setup.receivers.some((row) => row.accounts.some((one) => one.wallet === wallet)),
  );
  const c = columns<Receiver>();
  const nameOf = (id: string): string => setup.groups.find((group) => group.id === id)?.name ?? "";
  return (
    <DataTable
      label="接收方"
      density="compact"
      rows={setup.receivers}
      blank={<p className="note">还没有接收方。</p>}
      columns={[
        c.text("alias", "接收方", (row) => (row.name ? `${row.alias}（${row.name}）` : row.alias), { width: 136 }),
        ...wallets.map((wallet) =>
          c.text(
            wallet,
            `${sharingWallet.label(wallet)}账号`,
            (row) => (
              <AccountCell
                row={row}
                wallet={wallet}
                busy={busy === row.id}
                onAdd={() => onAccount(row.id, wallet)}
                onBind={() => void bind(row, wallet)}
              />
            ),
            { width: 216 },
          ),
        ),
        c.text("relation", "关系", (row) => row.customRelation ?? relationType.label(row.relation), { width: 80 }),
        ...(setup.groups.length > 1 ? [c.text("group", "分组", (row) => nameOf(row.groupId), { width: 88 })] : []),
        c.text("ratio", "默认比例", (row) => percent(row.ratio), { width: 80 }),
        c.code("state", "状态", receiverState, { width: 72 }),
        c.actions(
          (row) => (
            <>
              <Button tone="link" onClick={() => onEdit(row.id)}>
                修改
              </Button>
              <Button tone="link" busy={busy === row.id} onClick={() => void remove(row)}>
                删除
              </Button>
            </>
          ),
          { width: 112 },
        ),
      ]}
    />
  );
}
