import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { Switch } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { getGrant, getUser, listUsers, setGrant } from "../../contract/index.ts";
import { ItemTree } from "../items/ItemTree.tsx";

/** 功能范围: what a root account below, and with it everybody under it, may hold at most. */
export function GrantDrawer({ userId, onClose }: { userId: string; onClose: () => void }): ReactNode {
  const grant = useDetail(getGrant, { id: userId });
  if (grant.data) return <GrantForm userId={userId} grant={grant.data} onClose={onClose} />;
  return <WaitingDrawer of={grant} title="功能范围" onClose={onClose} width={880} />;
}

function GrantForm({ userId, grant, onClose }: { userId: string; grant: OutputOf<typeof getGrant>; onClose: () => void }): ReactNode {
  const every = [...new Set(grant.tree.flatMap((item) => (item.parentId === 0 ? [] : [item.path])))];
  const form = useForm(setGrant, {
    initial: { id: userId, items: grant.granted },
    draft: userId,
    done: "已保存功能范围",
    refreshes: [listUsers, getUser, getGrant],
    onDone: onClose,
    ask: ({ items }) => ({
      text: `${items ? `账号「${grant.login}」只保留 ${items.length} 项功能` : `账号「${grant.login}」持有该级别全部功能`}，其 ${grant.accounts - 1} 个子账号不超出此范围。保存后：${grant.accounts} 个账号、${grant.sessions} 处登录立即退出。`,
      ok: "保存",
    }),
  });
  const { items } = form.values;
  return (
    <FormDrawer form={form} title={`功能范围 ${grant.login}`} submit="保存" wide onClose={onClose}>
      <div className="field">
        <Switch label="该级别全部功能（含以后新增）" value={items === null} onChange={(all) => form.set({ items: all ? null : every })} />
      </div>
      {items && (
        <Field of={form.field("items")} label="保留的功能">
          {(f) => <ItemTree {...f} value={f.value ?? []} tree={grant.tree} />}
        </Field>
      )}
    </FormDrawer>
  );
}
