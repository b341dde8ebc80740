import type { ReactNode } from "react";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { listStoreChoices, listStoreRows } from "../../contract/index.ts";
import type { SetKind } from "./kinds.ts";
import { StorePicks } from "./StorePicks.tsx";

interface Of {
  readonly kind: SetKind;
  readonly onClose: () => void;
}
const touched = ({ list, get }: SetKind) => [list, get, listStoreRows, listStoreChoices];

/** A new set with its first stores. */
export function AddSet({ kind, onClose }: Of): ReactNode {
  const form = useForm(kind.add, { initial: {}, draft: "new", done: `${kind.what}已建好`, refreshes: touched(kind), onDone: onClose });
  return (
    <FormDrawer form={form} title={`新建${kind.what}`} submit={`新建${kind.what}`} onClose={onClose}>
      <Field of={form.field("name")} label={`${kind.what}名称`}>
        {(f) => <TextInput {...f} maxLength={32} />}
      </Field>
      <Field of={form.field("storeIds")} label="门店" optional help="之后也可以在门店列表里批量加入">
        {(f) => <StorePicks {...f} />}
      </Field>
    </FormDrawer>
  );
}

/** Another name for a set. */
export function RenameSet({ kind, set, onClose }: Of & { set: { readonly id: string; readonly name: string } }): ReactNode {
  const { id, name } = set;
  const form = useForm(kind.rename, { initial: { id, name }, draft: id, done: "已保存", refreshes: touched(kind), onDone: onClose });
  return (
    <FormDrawer form={form} title={`修改${kind.what}名称`} submit="保存" onClose={onClose}>
      <Field of={form.field("name")} label={`${kind.what}名称`}>
        {(f) => <TextInput {...f} maxLength={32} />}
      </Field>
    </FormDrawer>
  );
}

/** More stores for a set. */
export function AddStoresToSet({
  kind,
  set,
  onClose,
}: Of & { set: { readonly id: string; readonly name: string; readonly sessionCount: number } }): ReactNode {
  const form = useForm(kind.change, {
    initial: { id: set.id, act: "add" },
    draft: set.id,
    refreshes: touched(kind),
    done: "已加入",
    onDone: onClose,
    ask: ({ ids }) =>
      set.sessionCount > 0
        ? {
            text: `把 ${ids?.length ?? 0} 家门店加入「${set.name}」？区域经理的 ${set.sessionCount} 处登录立即退出，重新登录后看到新的门店。`,
            ok: "加入",
          }
        : undefined,
  });
  return (
    <FormDrawer form={form} title={`添加门店到「${set.name}」`} submit="加入" onClose={onClose}>
      <Field of={form.field("ids")} label="门店">
        {(f) => <StorePicks {...f} />}
      </Field>
    </FormDrawer>
  );
}
