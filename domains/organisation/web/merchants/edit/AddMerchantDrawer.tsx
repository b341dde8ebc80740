import { type ReactNode, useState } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Field, FormSection } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { PickOne, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import { addMerchantAccount, listAttributionChoices, listMerchantRows, summariseMerchants } from "../../../contract/index.ts";
import { FirstPassword } from "../../FirstPassword.tsx";
import { choicesOf } from "../choices.ts";
import { MerchantFields } from "./MerchantFields.tsx";
import { RateField } from "./RateField.tsx";

type Made = OutputOf<typeof addMerchantAccount>;

/** 新建商户: the merchant, its attribution and its first account; then the one-time password, this once. */
export function AddMerchantDrawer({ onClose, onOpen }: { onClose: () => void; onOpen: (id: string) => void }): ReactNode {
  const [made, setMade] = useState<Made>();
  if (made) return <FirstPassword made={made} what="商户" called={made.number} onClose={onClose} onOpen={onOpen} />;
  return <AddForm onClose={onClose} onDone={setMade} />;
}

function AddForm({ onClose, onDone }: { onClose: () => void; onDone: (made: Made) => void }): ReactNode {
  const { level } = useUser();
  const choices = useDetail(listAttributionChoices, {}).data;
  const form = useForm(addMerchantAccount, { initial: {}, draft: "new", refreshes: [listMerchantRows, summariseMerchants], onDone });
  return (
    <FormDrawer form={form} title="新建商户" submit="新建商户" onClose={onClose}>
      <MerchantFields form={form as never} />
      <FormSection title="联系人与主账号">
        <Field of={form.field("contactName")} label="联系人">
          {(f) => <TextInput {...f} maxLength={32} />}
        </Field>
        <Field of={form.field("contactPhone")} label="联系电话">
          {(f) => <TextInput {...f} inputMode="tel" maxLength={13} />}
        </Field>
        <Field of={form.field("login")} label="登录名" help="商户用它登录，建后不能修改；初始密码由系统生成">
          {(f) => <TextInput {...f} autoComplete="off" maxLength={64} />}
        </Field>
      </FormSection>
      <FormSection title="归属与费率">
        {level === "SP" && (
          <>
            <Field of={form.field("agentId")} label="代理商" optional>
              {(f) => <PickOne {...f} options={choicesOf(choices?.agents)} />}
            </Field>
            <Field of={form.field("businessTeamId")} label="业务团队" optional>
              {(f) => <PickOne {...f} options={choicesOf(choices?.teams)} />}
            </Field>
          </>
        )}
        <Field of={form.field("salesmanId")} label="业务员" optional help="选择后带出他的团队或代理商">
          {(f) => <PickOne {...f} options={choicesOf(choices?.salesmen)} />}
        </Field>
        {level === "SP" && <RateField of={form.field("feeRate")} optional help="留空则用服务商的默认费率" />}
      </FormSection>
    </FormDrawer>
  );
}
