import { type ReactNode, useState } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { Radios, Switch, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { Copy } from "@zhangfang/web/show/Copy.tsx";
import { Group, useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { getPlatformAccount, savePlatformAccount } from "../../platforms/contract/accounts.ts";
import { appOf } from "../../platforms/contract/codes.ts";
import type { AskedPlatform } from "../contract/index.ts";

const asked = labelled({ ele: "饿了么", "meituan-wm": "美团外卖" });
const NUMBER = { ele: "店铺授权 token", "meituan-wm": "商户编号" } as const;

/** 外卖平台账户: by what the merchant's orders are asked for, and the address that the platform tells of them. */
export function AccountDrawer({ merchantId, onClose }: { merchantId: string | undefined; onClose: () => void }): ReactNode {
  const [platform, setPlatform] = useState<AskedPlatform>("ele");
  const account = useDetail(getPlatformAccount, { platform, ...(merchantId !== undefined && { merchantId }) });
  if (!account.data) return <WaitingDrawer title="外卖平台账户" of={account} onClose={onClose} />;
  const choice = <Segments label="外卖平台" set={asked} value={platform} onChange={setPlatform} />;
  return (
    <AccountForm
      key={`${platform}${account.data.account?.revision ?? 0}`}
      platform={platform}
      merchantId={merchantId}
      known={account.data}
      choice={choice}
      onClose={onClose}
    />
  );
}

const Ended = ({ name, at }: { name: string; at: string }): ReactNode => (
  <p className="notice notice-warn">
    {name} {shanghaiTime(at).slice(5, 16)} 说授权已解除，取不到订单。请在{name}重新授权，填上新的 token 保存；取到订单后这条提示自己消失。
  </p>
);
function AccountForm({
  platform,
  merchantId,
  known: { account },
  choice,
  onClose,
}: {
  platform: AskedPlatform;
  merchantId: string | undefined;
  known: OutputOf<typeof getPlatformAccount>;
  choice: ReactNode;
  onClose: () => void;
}): ReactNode {
  const name = asked.label(platform);
  const form = useForm(savePlatformAccount, {
    initial: {
      platform,
      ...(merchantId !== undefined && { merchantId }),
      revision: account?.revision ?? 0,
      accountNo: account?.accountNo ?? "",
      appOf: account?.appOf ?? "merchant",
      appKey: account?.appKey ?? "",
      takeRate: 0,
      active: account === null || account.state === "active",
    },
    draft: false,
    secrets: ["secret"],
    done: `已保存。把通知地址填到${name}，新订单就会过来`,
    refreshes: [getPlatformAccount],
    ask: ({ active }) =>
      active === false && account?.state === "active"
        ? { text: `停用${name}账户？停用期间的订单不会取过来，重新启用也不补，可以导入订单表。`, ok: "停用", danger: true }
        : undefined,
  });
  const there = account?.hasSecret === true;
  return (
    <FormDrawer form={form} title="外卖平台账户" submit="保存" onClose={onClose}>
      {choice}
      {account?.endedAt && <Ended name={name} at={account.endedAt} />}
      <Field of={form.field("accountNo")} label={NUMBER[platform]}>
        {(f) => <TextInput {...f} maxLength={64} autoComplete="off" />}
      </Field>
      <Field of={form.field("appOf")} label="用谁的应用">
        {(f) => <Radios {...f} set={appOf} />}
      </Field>
      {form.values.appOf !== "provider" && (
        <>
          <Field of={form.field("appKey")} label="应用标识">
            {(f) => <TextInput {...f} maxLength={64} autoComplete="off" />}
          </Field>
          <Field
            of={form.field("secret")}
            label="应用密钥"
            {...(there && { optional: true })}
            help={there ? "已经填过，留空不改" : "填了就看不到了"}
          >
            {(f) => <TextInput {...f} value={f.value ?? ""} type="password" maxLength={256} autoComplete="new-password" />}
          </Field>
        </>
      )}
      <Field of={form.field("active")} label="状态">
        {(f) => <Switch {...f} label={`取${name}的订单`} />}
      </Field>
      {account && <Group title="填到平台" pairs={[["通知地址", <Copy key="url" text={account.noticeUrl} />]]} />}
    </FormDrawer>
  );
}
