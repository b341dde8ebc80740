import type { ReactNode } from "react";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { Pick, PickOne, Radios, RateInput, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { success, warning } from "@zhangfang/web/notify.ts";
import {
  addReceiver,
  addSharingGroup,
  getSharingSetup,
  receiverState,
  type ReceiverType,
  relationType,
  updateReceiver,
} from "../../contract/index.ts";
import type { Receiver, Setup } from "../shared.ts";
import { labelsOf, TYPE_HELP, typesOf } from "./AccountForm.tsx";

interface Props {
  readonly setup: Setup;
  readonly onClose: () => void;
}
const groupsOf = ({ groups }: Setup) => groups.map(({ id, name }) => ({ value: id, label: name }));

/** 新建接收方分组. */
export function AddGroup({ setup, onClose }: Props): ReactNode {
  const form = useForm(addSharingGroup, {
    initial: { merchantId: setup.merchantId },
    done: "已新建分组",
    refreshes: [getSharingSetup],
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title="新建接收方分组" submit="新建分组" onClose={onClose}>
      <Field of={form.field("name")} label="分组名称" help="规则按分组分账，例如：合作方、门店员工">
        {(f) => <TextInput {...f} maxLength={20} />}
      </Field>
    </FormDrawer>
  );
}

/** A receiver: new, or what of it may change. Its account and name are the channel's and never change. */
export function ReceiverForm({ setup, receiver, onClose }: Props & { receiver: Receiver | undefined }): ReactNode {
  return receiver ? <EditForm setup={setup} receiver={receiver} onClose={onClose} /> : <AddForm setup={setup} onClose={onClose} />;
}

function AddForm({ setup, onClose }: Props): ReactNode {
  const form = useForm(addReceiver, {
    initial: {
      merchantId: setup.merchantId,
      groupId: setup.groups[0]?.id ?? "",
      type: typesOf(setup)[0]?.value ?? "MERCHANT_ID",
      relation: "PARTNER",
    },
    draft: setup.merchantId,
    secrets: ["name"],
    refreshes: [getSharingSetup],
    onDone: (said) => {
      if (said.bindState === "bound") success("已新建并在通道登记");
      else warning(`已新建，通道没有登记成功：${said.message ?? ""}`);
      onClose();
    },
  });
  const [account, name, named] = labelsOf(form.values.type);
  return (
    <FormDrawer form={form} title={`新建接收方 · ${setup.merchantName}`} submit="新建并登记" onClose={onClose}>
      <Field of={form.field("alias")} label="名称" help="员工怎么叫它">
        {(f) => <TextInput {...f} maxLength={20} />}
      </Field>
      <Field of={form.field("groupId")} label="分组">
        {(f) => <PickOne {...f} options={groupsOf(setup)} />}
      </Field>
      <Field of={form.field("type")} label="账号类型" help={`${TYPE_HELP}。另一个通道的账号随后添加`}>
        {(f) => <PickOne {...f} onChange={(to) => form.set({ type: to as ReceiverType })} options={typesOf(setup)} />}
      </Field>
      <Field of={form.field("account")} label={account}>
        {(f) => <TextInput {...f} autoComplete="off" maxLength={64} />}
      </Field>
      <Field of={form.field("name")} label={name} optional={!named} help="加密保存，只用于通道核对">
        {(f) => <TextInput {...f} autoComplete="off" maxLength={60} />}
      </Field>
      <Field of={form.field("relation")} label="与商户的关系">
        {(f) => <Pick {...f} set={relationType} />}
      </Field>
      {form.values.relation === "CUSTOM" && (
        <Field of={form.field("customRelation")} label="自定义关系" help="最多 10 个字">
          {(f) => <TextInput {...f} maxLength={10} />}
        </Field>
      )}
      <Field of={form.field("ratio")} label="默认比例" help="占分账基数（实收 − 手续费 − 已退）">
        {(f) => <RateInput {...f} />}
      </Field>
    </FormDrawer>
  );
}

function EditForm({ setup, receiver, onClose }: Props & { receiver: Receiver }): ReactNode {
  const { id, version, groupId, alias, ratio, state } = receiver;
  const form = useForm(updateReceiver, {
    initial: { id, version, groupId, alias, ratio, state },
    done: "已保存",
    refreshes: [getSharingSetup],
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title={`修改接收方 ${alias}`} submit="保存" onClose={onClose}>
      <Field of={form.field("alias")} label="名称">
        {(f) => <TextInput {...f} maxLength={20} />}
      </Field>
      <Field of={form.field("groupId")} label="分组">
        {(f) => <PickOne {...f} options={groupsOf(setup)} />}
      </Field>
      <Field of={form.field("ratio")} label="默认比例" help="从下一次分账起">
        {(f) => <RateInput {...f} />}
      </Field>
      <Field of={form.field("state")} label="状态" help="暂停后不再分给它">
        {(f) => <Radios {...f} set={receiverState} />}
      </Field>
    </FormDrawer>
  );
}
