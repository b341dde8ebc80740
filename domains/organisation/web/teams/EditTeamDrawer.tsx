import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { getTeam, listTeams, updateTeam } from "../../contract/index.ts";

/** 修改业务团队, over the version that is read here. */
export function EditTeamDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const team = useDetail(getTeam, { id });
  if (team.data) return <EditForm key={team.data.version} team={team.data} onClose={onClose} />;
  return <WaitingDrawer of={team} title="修改业务团队" onClose={onClose} />;
}

function EditForm({ team, onClose }: { team: OutputOf<typeof getTeam>; onClose: () => void }): ReactNode {
  const { id, version, name } = team;
  const form = useForm(updateTeam, {
    initial: { id, version, name },
    draft: `${id}:${version}`,
    done: "已保存",
    refreshes: [listTeams, getTeam],
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title={`修改业务团队 ${name}`} submit="保存" onClose={onClose}>
      <Field of={form.field("name")} label="团队名称">
        {(f) => <TextInput {...f} maxLength={64} />}
      </Field>
      <Field of={form.field("leader")} label="负责人" optional help="不修改请留空">
        {(f) => (
          <TextInput
            {...f}
            onChange={(given) => f.onChange(given === "" ? undefined : given)}
            placeholder={team.leader ?? ""}
            maxLength={32}
          />
        )}
      </Field>
    </FormDrawer>
  );
}
