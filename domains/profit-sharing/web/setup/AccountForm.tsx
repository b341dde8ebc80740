import type { ReactNode } from "react";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { PickOne, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { success, warning } from "@zhangfang/web/notify.ts";
import {
  addReceiverAccount,
  getSharingSetup,
  receiverType,
  type ReceiverType,
  type SharingWallet,
  sharingWallet,
  walletOfType,
} from "../../contract/index.ts";
import type { Receiver, Setup } from "../shared.ts";

const LABELS: Readonly<Record<ReceiverType, readonly [account: string, name: string, named: boolean]>> = {
  MERCHANT_ID: ["商户号", "商户全称", true],
  PERSONAL_OPENID: ["openid", "姓名", false],
  PERSONAL_SUB_OPENID: ["openid", "姓名", false],
  ALIPAY_USER_ID: ["支付宝用户号（2088 开头）", "姓名或企业全称", false],
  ALIPAY_LOGIN_NAME: ["支付宝登录号（手机号或邮箱）", "姓名或企业全称", true],
};
/** What the account and the name of a type are called, and whether the name has to be there. */
export const labelsOf = (type: ReceiverType | undefined) => LABELS[type ?? "MERCHANT_ID"];
/** The types of the wallets that the merchant is paid by; all where it has none yet. */
export const typesOf = ({ wallets }: Pick<Setup, "wallets">) =>
  receiverType.options.filter(({ value }) => wallets.length === 0 || wallets.some((one) => one.wallet === walletOfType(value)));
export const TYPE_HELP = "微信个人不能在退款前把钱退回，由商户承担；支付宝账号都可以退回";

/** 添加账号: at the wallet where the receiver has none, or none that the channel took. */
export function AccountForm({ receiver, wallet, onClose }: { receiver: Receiver; wallet: SharingWallet; onClose: () => void }): ReactNode {
  const options = receiverType.options.filter(({ value }) => walletOfType(value) === wallet);
  const form = useForm(addReceiverAccount, {
    initial: { id: receiver.id, type: options[0]?.value ?? "ALIPAY_USER_ID" },
    secrets: ["name"],
    refreshes: [getSharingSetup],
    onDone: (said) => {
      if (said.bindState === "bound") success(`已为「${receiver.alias}」登记账号`);
      else warning(`已添加，通道没有登记成功：${said.message ?? ""}`);
      onClose();
    },
  });
  const { type } = form.values;
  const [account, name, named] = labelsOf(type);
  return (
    <FormDrawer form={form} title={`添加${sharingWallet.label(wallet)}账号 · ${receiver.alias}`} submit="添加并登记" onClose={onClose}>
      <Field of={form.field("type")} label="账号类型" help={TYPE_HELP}>
        {(f) => <PickOne {...f} onChange={(to) => form.set({ type: to as ReceiverType })} options={options} />}
      </Field>
      <Field of={form.field("account")} label={account}>
        {(f) => <TextInput {...f} autoComplete="off" maxLength={64} />}
      </Field>
      <Field
        of={form.field("name")}
        label={name}
        optional={!named || receiver.name !== null}
        help="加密保存，只用于通道核对；不填用接收方已有的"
      >
        {(f) => <TextInput {...f} autoComplete="off" maxLength={60} />}
      </Field>
    </FormDrawer>
  );
}
