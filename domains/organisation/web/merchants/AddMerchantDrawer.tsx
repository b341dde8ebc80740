import { type ReactNode, useState } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Field, FormSection } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { PickOne, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Copy } from "@zhangfang/web/show/Copy.tsx";
import { Group, useDetail } from "@zhangfang/web/show/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/Drawer.tsx";
import { Time } from "@zhangfang/web/show/Time.tsx";
import { useUser } from "@zhangfang/web/user.ts";
import { addMerchantAccount, listAttributionChoices, listMerchantRows, summariseMerchants } from "../../contract/index.ts";
import { choicesOf } from "./choices.ts";
import { MerchantFields } from "./MerchantFields.tsx";
import { RateField } from "./RateField.tsx";

type Made = OutputOf<typeof addMerchantAccount>;

/** 新建商户: the merchant, its attribution and its first account; then the one-time password, this once. */
export function AddMerchantDrawer({ onClose, onOpen }: { onClose: () => void; onOpen: (id: string) => void }): ReactNode {
  const [made, setMade] = useState<Made>();
  if (made) return <FirstPassword made={made} onClose={onClose} onOpen={onOpen} />;
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

/** The password stands here and nowhere else: closing it is the end of it. */
function FirstPassword({ made, onClose, onOpen }: { made: Made; onClose: () => void; onOpen: (id: string) => void }): ReactNode {
  const both = `登录名：${made.login}\n初始密码：${made.password ?? ""}`;
  return (
    <Drawer
      title={`商户 ${made.number} 已建好`}
      onClose={onClose}
      footer={
        <Button tone="primary" onClick={() => onOpen(made.id)}>
          查看商户
        </Button>
      }
    >
      <p role="alert" className="form-failure">
        {made.password === null
          ? "初始密码已显示过一次，不再显示。如遗失请在账号管理重置。"
          : "初始密码只显示这一次，关闭后无法再查看，请现在交给商户。"}
      </p>
      <Group
        title="主账号"
        pairs={[
          ["登录名", <Copy text={made.login}>{made.login}</Copy>],
          [
            "初始密码",
            made.password && (
              <Copy text={made.password}>
                <code className="num">{made.password}</code>
              </Copy>
            ),
          ],
          ["一起复制", made.password && <Copy text={both}>登录名和密码</Copy>],
          ["有效至", <Time at={made.expiresAt} />],
        ]}
      />
      <p className="note">首次登录时须换成自己的密码。</p>
    </Drawer>
  );
}
