import { type ReactNode, useState } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { percent } from "@zhangfang/contract/money.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { useUser } from "@zhangfang/web/api/user.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { Radios, RateInput, Switch, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Copy } from "@zhangfang/web/show/Copy.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { Group, useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import {
  appOf,
  getPlatformAccount,
  provePlatformAccount,
  savePlatformAccount,
  savePlatformApp,
  type VoucherPlatform,
  voucherPlatform,
} from "../../contract/index.ts";

interface Given {
  readonly platform: VoucherPlatform;
  readonly merchantId: string | undefined;
  readonly onClose: () => void;
}
type Known = OutputOf<typeof getPlatformAccount>;
/** 平台账户: the merchant's; a provider that has chosen no merchant sets its own application. */
export function AccountDrawer({ platform, merchantId, onClose }: Given): ReactNode {
  const { level } = useUser();
  const account = useDetail(getPlatformAccount, { platform, ...(merchantId !== undefined && { merchantId }) });
  const title = `${voucherPlatform.label(platform)}账户`;
  if (!account.data) return <WaitingDrawer title={title} of={account} onClose={onClose} />;
  if (level === "SP" && merchantId === undefined) return <AppForm platform={platform} known={account.data.providerApp} onClose={onClose} />;
  return <AccountForm platform={platform} merchantId={merchantId} known={account.data} onClose={onClose} />;
}

function AppForm({ platform, known, onClose }: { platform: VoucherPlatform; known: Known["providerApp"]; onClose: () => void }): ReactNode {
  const name = voucherPlatform.label(platform);
  const form = useForm(savePlatformApp, {
    initial: { platform, revision: known?.revision ?? 0, appKey: known?.appKey ?? "" },
    draft: false,
    secrets: ["secret", "signSecret"],
    done: "已保存，选了它的商户都用它",
    refreshes: [getPlatformAccount],
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title={`服务商的${name}应用`} submit="保存" onClose={onClose}>
      <p className="note">替选了「服务商的应用」的商户签名。要改某个商户的账户，先在列表上方选商户。</p>
      <Field of={form.field("appKey")} label="应用标识">
        {(f) => <TextInput {...f} maxLength={64} autoComplete="off" />}
      </Field>
      <Secret of={form.field("secret")} label="应用密钥" there={known !== null} />
      {platform === "ks" && <Secret of={form.field("signSecret")} label="消息签名密钥" there={known !== null} optional />}
    </FormDrawer>
  );
}
function AccountForm({ platform, merchantId, known, onClose }: Given & { known: Known }): ReactNode {
  const { account } = known;
  const name = voucherPlatform.label(platform);
  const form = useForm(savePlatformAccount, {
    initial: {
      platform,
      ...(merchantId !== undefined && { merchantId }),
      revision: account?.revision ?? 0,
      accountNo: account?.accountNo ?? "",
      appOf: account?.appOf ?? "merchant",
      appKey: account?.appKey ?? "",
      takeRate: account?.takeRate ?? 0,
      active: account === null || account.state === "active",
    },
    draft: false,
    secrets: ["secret", "signSecret", "refreshToken"],
    done: "已保存，请测试连接",
    refreshes: [getPlatformAccount],
    onDone: onClose,
    ask: ({ active }) =>
      active === false && account?.state === "active"
        ? { text: `停用${name}账户？停用期间不能核销${name}的券，已有的结果照样查。`, ok: "停用", danger: true }
        : undefined,
  });
  const own = form.values.appOf !== "provider";
  return (
    <FormDrawer form={form} title={`${name}账户`} submit="保存" onClose={onClose}>
      <Field of={form.field("accountNo")} label="商户账户号" help={platform === "dy" ? "抖音来客根账户的编号" : "快手本地生活商户的编号"}>
        {(f) => <TextInput {...f} maxLength={64} autoComplete="off" />}
      </Field>
      <Field of={form.field("appOf")} label="用谁的应用">
        {(f) => <Radios {...f} set={appOf} />}
      </Field>
      {own ? (
        <>
          <Field of={form.field("appKey")} label="应用标识">
            {(f) => <TextInput {...f} maxLength={64} autoComplete="off" />}
          </Field>
          <Secret of={form.field("secret")} label="应用密钥" there={account?.hasSecret === true} />
          {platform === "ks" && (
            <Secret of={form.field("signSecret")} label="消息签名密钥" there={account?.hasSignSecret === true} optional />
          )}
        </>
      ) : (
        known.providerApp === null && <p className="notice notice-warn">看不到服务商的应用；服务商没有填时不能核销。</p>
      )}
      {platform === "ks" && <Secret of={form.field("refreshToken")} label="授权 refresh_token" there={account?.hasRefresh === true} />}
      <Field of={form.field("takeRate")} label="预计佣金" optional help="预计收入按用户实付的这个比例扣佣金；实际以平台账单为准">
        {(f) => <RateInput {...f} />}
      </Field>
      <Field of={form.field("active")} label="状态">
        {(f) => <Switch {...f} label={`能核销${name}的券`} />}
      </Field>
      {account && (
        <Group
          title="连接"
          pairs={[
            ["通知地址", <Copy key="url" text={account.noticeUrl} />],
            ["测试通过", account.provedAt && <Time at={account.provedAt} />],
            ["预计佣金", percent(account.takeRate)],
          ]}
        >
          <Prove platform={platform} merchantId={merchantId} />
        </Group>
      )}
    </FormDrawer>
  );
}
type SecretField = Parameters<typeof Field<string | undefined>>[0]["of"];
function Secret({ of, label, there, optional = false }: { of: SecretField; label: string; there: boolean; optional?: boolean }): ReactNode {
  return (
    <Field of={of} label={label} {...((there || optional) && { optional: true })} help={there ? "已经填过，留空不改" : "填了就看不到了"}>
      {(f) => <TextInput {...f} value={f.value ?? ""} type="password" maxLength={256} autoComplete="new-password" />}
    </Field>
  );
}
/** 测试连接: what is saved, not what is typed. */
function Prove({ platform, merchantId }: { platform: VoucherPlatform; merchantId: string | undefined }): ReactNode {
  const [busy, run] = useRun([getPlatformAccount]);
  const [said, setSaid] = useState<OutputOf<typeof provePlatformAccount>>();
  const prove = () =>
    run(async () => setSaid(await call(provePlatformAccount, { platform, ...(merchantId !== undefined && { merchantId }) })));
  return (
    <Act of={provePlatformAccount}>
      <p>
        <Button busy={busy} onClick={() => void prove()}>
          测试连接
        </Button>
      </p>
      {said && (
        <p className={said.proved ? "note" : "notice notice-bad"} role="status">
          {said.words}
        </p>
      )}
    </Act>
  );
}
