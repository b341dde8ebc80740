import type { ReactNode } from "react";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { WaitingDrawer, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { addOwnPosition, listOwnItems, listPositions, listStaffChoices, updateOwnPosition } from "../../contract/index.ts";
import { ItemTree } from "../items/ItemTree.tsx";

type Position = RowOf<typeof listPositions>;
type Tree = OutputOf<typeof listOwnItems>["tree"];

/** A position: its name and the items that it gives, out of what the root holds. */
export function PositionDrawer({ position, onClose }: { position: Position | undefined; onClose: () => void }): ReactNode {
  const items = useDetail(listOwnItems, {});
  const title = position ? `编辑岗位 ${position.name}` : "新增岗位";
  if (!items.data) return <WaitingDrawer of={items} title={title} width={880} onClose={onClose} />;
  const { tree } = items.data;
  if (position) return <EditPosition position={position} tree={tree} title={title} onClose={onClose} />;
  return <AddPosition tree={tree} title={title} onClose={onClose} />;
}

function AddPosition({ tree, title, onClose }: { tree: Tree; title: string; onClose: () => void }): ReactNode {
  const form = useForm(addOwnPosition, {
    initial: { items: ["/"] },
    draft: "new",
    done: "已新增岗位",
    refreshes: [listPositions, listStaffChoices],
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title={title} submit={`新增岗位（${form.values.items?.length ?? 0} 项）`} wide onClose={onClose}>
      <Field of={form.field("name")} label="岗位名称">
        {(f) => <TextInput {...f} maxLength={32} placeholder="如：财务" />}
      </Field>
      <Field of={form.field("items")} label="权限">
        {(f) => <ItemTree {...f} value={f.value ?? []} tree={tree} />}
      </Field>
    </FormDrawer>
  );
}

function EditPosition({
  position,
  tree,
  title,
  onClose,
}: {
  position: Position;
  tree: Tree;
  title: string;
  onClose: () => void;
}): ReactNode {
  const offered = new Set(tree.map((item) => item.path));
  const { id, name, holders, sessions } = position;
  const form = useForm(updateOwnPosition, {
    // What the root lost meanwhile can't be given again.
    initial: { id, name, items: position.items.filter((path) => offered.has(path)) },
    draft: id,
    done: "已保存",
    refreshes: [listPositions, listStaffChoices],
    onDone: onClose,
    ask: ({ items = [] }) =>
      holders > 0 && (items.length !== position.items.length || items.some((path) => !position.items.includes(path)))
        ? { text: `修改岗位「${name}」的权限？保存后：${holders} 个子账号按新权限使用，${sessions} 处登录立即退出。`, ok: "保存" }
        : undefined,
  });
  return (
    <FormDrawer form={form} title={title} submit={`保存（${form.values.items?.length ?? 0} 项）`} wide onClose={onClose}>
      <Field of={form.field("name")} label="岗位名称">
        {(f) => <TextInput {...f} maxLength={32} />}
      </Field>
      <Field of={form.field("items")} label="权限">
        {(f) => <ItemTree {...f} value={f.value ?? []} tree={tree} />}
      </Field>
    </FormDrawer>
  );
}
