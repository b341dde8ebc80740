import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { getGroup, listGroups, updateGroup } from "../../contract/index.ts";

/** 修改业务集团, over the version that is read here. */
export function EditGroupDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const group = useDetail(getGroup, { id });
  if (group.data) return <EditForm key={group.data.version} group={group.data} onClose={onClose} />;
  return <WaitingDrawer of={group} title="修改业务集团" onClose={onClose} />;
}

function EditForm({ group, onClose }: { group: OutputOf<typeof getGroup>; onClose: () => void }): ReactNode {
  const { id, version, name } = group;
  const form = useForm(updateGroup, {
    initial: { id, version, name },
    draft: `${id}:${version}`,
    done: "已保存",
    refreshes: [listGroups, getGroup],
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title={`修改业务集团 ${name}`} submit="保存" onClose={onClose}>
      <Field of={form.field("name")} label="集团名称">
        {(f) => <TextInput {...f} maxLength={64} />}
      </Field>
      <Field of={form.field("leader")} label="负责人" optional help="不修改请留空">
        {(f) => (
          <TextInput
            {...f}
            onChange={(given) => f.onChange(given === "" ? undefined : given)}
            placeholder={group.leader ?? ""}
            maxLength={32}
          />
        )}
      </Field>
    </FormDrawer>
  );
}
