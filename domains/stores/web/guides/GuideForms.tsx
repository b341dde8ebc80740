import type { ReactNode } from "react";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { OrgPicker } from "@zhangfang/web/filter/OrgFilter.tsx";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextInput } from "@zhangfang/web/form/inputs.tsx";
import { type FormField, useForm } from "@zhangfang/web/form/use-form.ts";
import { success, warning } from "@zhangfang/web/notify.ts";
import { addGuide, guideStatus, listGuides, updateGuide } from "../../contract/index.ts";

const emptyIsKept = (given: string | undefined): string | undefined => (given === "" ? undefined : given);
function tell({ status, message }: OutputOf<typeof addGuide>): void {
  if (status === "active") success("已登记");
  else warning(`已保存，${guideStatus.label(status)}：${message ?? ""}`);
}
const card = (qrCode: FormField<string>, avatar: FormField<string>): ReactNode => (
  <>
    <Field of={qrCode} label="名片二维码" help="企业微信里员工的个人二维码网址">
      {(f) => <TextInput {...f} inputMode="url" maxLength={1024} placeholder="https://open.work.weixin.qq.com/wwopen/userQRCode?vcode=…" />}
    </Field>
    <Field of={avatar} label="头像" help="员工头像的网址">
      {(f) => <TextInput {...f} inputMode="url" maxLength={1024} placeholder="https://" />}
    </Field>
  </>
);

/** 新增服务人员: kept, and registered with the channel at once. */
export function AddGuide({ onClose }: { onClose: () => void }): ReactNode {
  const form = useForm(addGuide, {
    initial: {},
    draft: "new",
    refreshes: [listGuides],
    onDone: (answer) => {
      tell(answer);
      onClose();
    },
  });
  const text = (name: "code" | "name" | "phone" | "corpId" | "wecomUserId", label: string, max: number, help?: string): ReactNode => (
    <Field of={form.field(name)} label={label} {...(help && { help })}>
      {(f) => <TextInput {...f} maxLength={max} autoComplete="off" />}
    </Field>
  );
  return (
    <FormDrawer form={form} title="新增服务人员" submit="登记" onClose={onClose}>
      <Field of={form.field("storeId")} label="所在门店" help="须已关联微信门店">
        {(f) => <OrgPicker {...f} level="storeId" className="pick" />}
      </Field>
      {text("code", "编号", 16)}
      {text("name", "姓名", 16, "企业微信通讯录上的姓名")}
      {text("phone", "手机号", 11, "企业微信通讯录上的手机号")}
      {text("corpId", "企业ID", 32, "商户的企业微信 CorpID")}
      {text("wecomUserId", "企业微信员工ID", 64)}
      {card(form.field("qrCode"), form.field("avatar"))}
    </FormDrawer>
  );
}

/** 修改服务人员. What is personal is not brought back to be edited: an empty field leaves it as it is. */
export function EditGuide({ guide, onClose }: { guide: RowOf<typeof listGuides>; onClose: () => void }): ReactNode {
  const { id, version, qrCode, avatar } = guide;
  const form = useForm(updateGuide, {
    initial: { id, version, qrCode, avatar },
    draft: `${id}:${version}`,
    refreshes: [listGuides],
    onDone: (answer) => {
      tell(answer);
      onClose();
    },
  });
  return (
    <FormDrawer form={form} title={`修改服务人员 ${guide.code}`} submit="保存并更新登记" onClose={onClose}>
      <Field of={form.field("name")} label="姓名" optional help="不修改请留空">
        {(f) => <TextInput {...f} onChange={(given) => f.onChange(emptyIsKept(given))} placeholder={guide.name} maxLength={16} />}
      </Field>
      <Field of={form.field("phone")} label="手机号" optional help="不修改请留空">
        {(f) => <TextInput {...f} onChange={(given) => f.onChange(emptyIsKept(given))} placeholder={guide.phone} maxLength={11} />}
      </Field>
      {card(form.field("qrCode"), form.field("avatar"))}
    </FormDrawer>
  );
}
