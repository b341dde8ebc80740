import { type ReactNode, useState } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Field, FormSection } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { addGroupAccount, listGroups, summariseGroups } from "../../contract/index.ts";
import { FirstPassword } from "../FirstPassword.tsx";

type Made = OutputOf<typeof addGroupAccount>;

/** 新建业务集团: the group and its first account; then the one-time password, this once. */
export function AddGroupDrawer({ onClose, onOpen }: { onClose: () => void; onOpen: (id: string) => void }): ReactNode {
  const [made, setMade] = useState<Made>();
  if (made) return <FirstPassword made={made} what="业务集团" called={made.login} onClose={onClose} onOpen={onOpen} />;
  return <AddForm onClose={onClose} onDone={setMade} />;
}

function AddForm({ onClose, onDone }: { onClose: () => void; onDone: (made: Made) => void }): ReactNode {
  const form = useForm(addGroupAccount, { initial: {}, draft: "new", refreshes: [listGroups, summariseGroups], onDone });
  return (
    <FormDrawer form={form} title="新建业务集团" submit="新建业务集团" onClose={onClose}>
      <FormSection title="基本资料">
        <Field of={form.field("name")} label="集团名称">
          {(f) => <TextInput {...f} maxLength={64} />}
        </Field>
        <Field of={form.field("leader")} label="负责人">
          {(f) => <TextInput {...f} maxLength={32} />}
        </Field>
      </FormSection>
      <FormSection title="主账号">
        <Field of={form.field("login")} label="登录名" help="集团用它登录，建后不能修改；初始密码由系统生成">
          {(f) => <TextInput {...f} autoComplete="off" maxLength={64} />}
        </Field>
      </FormSection>
    </FormDrawer>
  );
}
