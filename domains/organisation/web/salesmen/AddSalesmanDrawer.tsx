import { type ReactNode, useState } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Field, FormSection } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { PickOne, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import { addSalesmanAccount, listAttributionChoices, listSalesmen, summariseSalesmen } from "../../contract/index.ts";
import { FirstPassword } from "../FirstPassword.tsx";
import { choicesOf } from "../merchants/choices.ts";

type Made = OutputOf<typeof addSalesmanAccount>;

/** 新建业务员: he and his account; then the one-time password, this once. */
export function AddSalesmanDrawer({ onClose, onOpen }: { onClose: () => void; onOpen: (id: string) => void }): ReactNode {
  const [made, setMade] = useState<Made>();
  if (made) return <FirstPassword made={made} what="业务员" called={made.login} onClose={onClose} onOpen={onOpen} />;
  return <AddForm onClose={onClose} onDone={setMade} />;
}

function AddForm({ onClose, onDone }: { onClose: () => void; onDone: (made: Made) => void }): ReactNode {
  const { level } = useUser();
  const choices = useDetail(listAttributionChoices, {}).data;
  const form = useForm(addSalesmanAccount, { initial: {}, draft: "new", refreshes: [listSalesmen, summariseSalesmen], onDone });
  return (
    <FormDrawer form={form} title="新建业务员" submit="新建业务员" onClose={onClose}>
      <FormSection title="基本资料">
        <Field of={form.field("name")} label="姓名">
          {(f) => <TextInput {...f} maxLength={32} />}
        </Field>
        <Field of={form.field("phone")} label="手机号">
          {(f) => <TextInput {...f} inputMode="tel" maxLength={13} />}
        </Field>
        {(level === "SP" || level === "GP") && (
          <Field of={form.field("businessTeamId")} label="业务团队" optional={level === "SP"}>
            {(f) => <PickOne {...f} options={choicesOf(choices?.teams)} />}
          </Field>
        )}
        {level === "SP" && (
          <Field of={form.field("agentId")} label="代理商" optional help="团队和代理商只选其一；都不选则由服务商直属">
            {(f) => <PickOne {...f} options={choicesOf(choices?.agents)} />}
          </Field>
        )}
      </FormSection>
      <FormSection title="主账号">
        <Field of={form.field("login")} label="登录名" help="业务员用它登录，建后不能修改；初始密码由系统生成">
          {(f) => <TextInput {...f} autoComplete="off" maxLength={64} />}
        </Field>
      </FormSection>
    </FormDrawer>
  );
}
