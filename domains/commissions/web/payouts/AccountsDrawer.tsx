import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import { ApiError, call } from "@zhangfang/web/api/api.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Group, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { Empty, Failure } from "@zhangfang/web/show/Empty.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import { getWithdrawalTerms, payoutMethod, removePayoutAccount } from "../../contract/index.ts";

/** 收款账户: the own ones, masked; each can be taken away, and a new one waits for a day. */
export function AccountsDrawer({ onClose, onAdd }: { onClose: () => void; onAdd: () => void }): ReactNode {
  const terms = useDetail(getWithdrawalTerms, {});
  const client = useQueryClient();
  const remove = async (id: string, name: string): Promise<void> => {
    if (!(await confirm(`删除收款账户 ${name}？已经申请的提现仍付到这个账户。`, { ok: "删除", danger: true }))) return;
    try {
      await call(removePayoutAccount, { id });
      success("已删除");
    } catch (failure) {
      // A refused call has already said why.
      if (!(failure instanceof ApiError)) throw failure;
    } finally {
      void client.invalidateQueries({ queryKey: [getWithdrawalTerms.path] });
    }
  };
  return (
    <Drawer
      title="收款账户"
      onClose={onClose}
      footer={
        <Button tone="primary" onClick={onAdd}>
          添加收款账户
        </Button>
      }
    >
      {terms.error ? (
        <Failure error={terms.error as ApiError} retry={() => void terms.refetch()} />
      ) : terms.data === undefined ? (
        <Skeleton rows={4} />
      ) : terms.data.accounts.length === 0 ? (
        <Empty drawing="seal" text="还没有收款账户" />
      ) : (
        terms.data.accounts.map((one) => (
          <Group
            key={one.id}
            title={`${one.bankName ?? payoutMethod.label(one.method)} ${one.numberMask}`}
            pairs={[
              ["收款人", one.holderMask],
              ["添加", `${one.addedByName} ${shanghaiTime(one.createdAt)}`],
              ["可用", one.usable ? "可用" : `${shanghaiTime(one.usableAt)} 起`],
            ]}
          >
            <Button small tone="danger" onClick={() => void remove(one.id, one.numberMask)}>
              删除
            </Button>
          </Group>
        ))
      )}
    </Drawer>
  );
}
