import { type ReactNode, useState } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Field, FormSection } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { RateInput, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { addAgentAccount, listAgents, summariseAgents } from "../../contract/index.ts";
import { FirstPassword } from "../FirstPassword.tsx";

type Made = OutputOf<typeof addAgentAccount>;

/** 新建代理商: the agent and its first account; then the one-time password, this once. */
export function AddAgentDrawer({ onClose, onOpen }: { onClose: () => void; onOpen: (id: string) => void }): ReactNode {
  const [made, setMade] = useState<Made>();
  if (made) return <FirstPassword made={made} what="代理商" called={made.login} onClose={onClose} onOpen={onOpen} />;
  return <AddForm onClose={onClose} onDone={setMade} />;
}

function AddForm({ onClose, onDone }: { onClose: () => void; onDone: (made: Made) => void }): ReactNode {
  const form = useForm(addAgentAccount, { initial: {}, draft: "new", refreshes: [listAgents, summariseAgents], onDone });
  return (
    <FormDrawer form={form} title="新建代理商" submit="新建代理商" onClose={onClose}>
      <FormSection title="基本资料">
        <Field of={form.field("name")} label="代理商名称">
          {(f) => <TextInput {...f} maxLength={64} />}
        </Field>
        <Field of={form.field("region")} label="区域" optional>
          {(f) => <TextInput {...f} maxLength={64} placeholder="如：成都" />}
        </Field>
        <Field of={form.field("profitRatio")} label="分润比例" help="代理商从商户手续费中分得的部分">
          {(f) => <RateInput {...f} />}
        </Field>
      </FormSection>
      <FormSection title="联系人与主账号">
        <Field of={form.field("contactName")} label="联系人">
          {(f) => <TextInput {...f} maxLength={32} />}
        </Field>
        <Field of={form.field("contactPhone")} label="联系电话">
          {(f) => <TextInput {...f} inputMode="tel" maxLength={13} />}
        </Field>
        <Field of={form.field("login")} label="登录名" help="代理商用它登录，建后不能修改；初始密码由系统生成">
          {(f) => <TextInput {...f} autoComplete="off" maxLength={64} />}
        </Field>
      </FormSection>
    </FormDrawer>
  );
}
