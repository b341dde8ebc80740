import { type ReactNode, useState } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Field, FormSection } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { PickOne, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import { addTeamAccount, listGroupChoices, listTeams, summariseTeams } from "../../contract/index.ts";
import { FirstPassword } from "../FirstPassword.tsx";
import { choicesOf } from "../merchants/choices.ts";

type Made = OutputOf<typeof addTeamAccount>;

/** 新建业务团队: the team and its first account; then the one-time password, this once. */
export function AddTeamDrawer({ onClose, onOpen }: { onClose: () => void; onOpen: (id: string) => void }): ReactNode {
  const [made, setMade] = useState<Made>();
  if (made) return <FirstPassword made={made} what="业务团队" called={made.login} onClose={onClose} onOpen={onOpen} />;
  return <AddForm onClose={onClose} onDone={setMade} />;
}

function AddForm({ onClose, onDone }: { onClose: () => void; onDone: (made: Made) => void }): ReactNode {
  const { level } = useUser();
  const groups = useDetail(listGroupChoices, {}).data;
  const form = useForm(addTeamAccount, { initial: {}, draft: "new", refreshes: [listTeams, summariseTeams], onDone });
  return (
    <FormDrawer form={form} title="新建业务团队" submit="新建业务团队" onClose={onClose}>
      <FormSection title="基本资料">
        <Field of={form.field("name")} label="团队名称">
          {(f) => <TextInput {...f} maxLength={64} />}
        </Field>
        <Field of={form.field("leader")} label="负责人">
          {(f) => <TextInput {...f} maxLength={32} />}
        </Field>
        {level === "SP" && (
          <Field of={form.field("businessGroupId")} label="业务集团" optional help="不选则由服务商直属">
            {(f) => <PickOne {...f} options={choicesOf(groups?.items)} />}
          </Field>
        )}
      </FormSection>
      <FormSection title="主账号">
        <Field of={form.field("login")} label="登录名" help="团队用它登录，建后不能修改；初始密码由系统生成">
          {(f) => <TextInput {...f} autoComplete="off" maxLength={64} />}
        </Field>
      </FormSection>
    </FormDrawer>
  );
}
