import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { error as errorToast, success, warning } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Group, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Copy } from "@zhangfang/web/show/Copy.tsx";
import { Empty } from "@zhangfang/web/show/Empty.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { accountForms, type PayChannel } from "../../../../channels/contract.ts";
import {
  accountState,
  channelMode,
  getChannelAccounts,
  keyMode,
  setChannelAccountState,
  updateChannelAccount,
  verifyChannelAccount,
  verifyOutcome,
} from "../../../contract/index.ts";
import { ChannelAccountDrawer } from "./ChannelAccountDrawer.tsx";
import { ChannelOrder } from "./ChannelOrder.tsx";
import { MerchantPage } from "../MerchantPage.tsx";
import type { useMerchantChoice } from "../use-merchant-choice.tsx";

type Accounts = OutputOf<typeof getChannelAccounts>;
type Account = Accounts["accounts"][number];
type Show = "alipay" | "acquirers" | "order";

/** Accounts of a merchant at Alipay or at acquirers: keys are written and never read back. */
export function ChannelAccounts({
  input,
  picker,
  asking,
  tabs,
  show,
}: ReturnType<typeof useMerchantChoice> & { tabs: ReactNode; show: Show }): ReactNode {
  const found = useDetail(getChannelAccounts, input);
  const set = usePanel("set");
  const chosen = Number(set.id) as PayChannel;
  const has = found.data?.accounts.some(({ channel }) => channel === 0);
  const add = show !== "order" && !(show === "alipay" && has) && (
    <Act of={updateChannelAccount}>
      <Button tone="primary" onClick={() => set.open(String(show === "alipay" ? 0 : (firstFree(found.data) ?? 1)))}>
        {show === "alipay" ? "设置支付宝" : "添加收单机构"}
      </Button>
    </Act>
  );
  return (
    <MerchantPage
      title="APIv3密钥"
      picker={picker}
      tabs={tabs}
      of={found}
      chosen={input !== undefined}
      asking={asking}
      actions={found.data && add}
    >
      {(data) => (
        <>
          {show === "order" ? (
            <ChannelOrder of={data} />
          ) : (
            <List data={data} show={show} onChange={(channel) => set.open(String(channel))} />
          )}
          {set.id && show !== "order" && (
            <ChannelAccountDrawer key={show} of={data} channel={chosen} among={show === "alipay" ? [0] : ACQUIRERS} onClose={set.close} />
          )}
        </>
      )}
    </MerchantPage>
  );
}
const ACQUIRERS = (Object.keys(accountForms).map(Number) as PayChannel[]).filter((channel) => channel !== 0);
const firstFree = (data: Accounts | undefined): PayChannel | undefined =>
  ACQUIRERS.find((channel) => !data?.accounts.some((account) => account.channel === channel)) ?? ACQUIRERS[0];

function List({ data, show, onChange }: { data: Accounts; show: Show; onChange: (channel: PayChannel) => void }): ReactNode {
  const accounts = data.accounts.filter(({ channel }) => (channel === 0) === (show === "alipay"));
  if (accounts.length === 0)
    return (
      <Empty
        drawing="seal"
        text={
          show === "alipay" ? `${data.merchantName}还没有设置支付宝，不能用支付宝直连收款` : `${data.merchantName}还没有通过收单机构收款`
        }
      />
    );
  return accounts.map((account) => <Known key={account.channel} merchantId={data.merchantId} account={account} onChange={onChange} />);
}

function Known({
  merchantId,
  account,
  onChange,
}: {
  merchantId: string;
  account: Account;
  onChange: (channel: PayChannel) => void;
}): ReactNode {
  const form = accountForms[account.channel];
  const tail = (text: string | null) => text && <span className="num">**** {text}</span>;
  return (
    <section aria-label={form?.title}>
      <Group
        title={form?.title ?? ""}
        pairs={[
          ["状态", <StatusTag key="state" of={accountState} code={account.state} />],
          ...(form?.partner ? [["接入方式", channelMode.label(account.mode)] as const] : []),
          [form?.merchantNo ?? "商户号", account.merchantNo],
          [form?.appNo ?? "应用", account.appNo || null],
          ...(account.gatewayUrl ? [["应用网关", <Copy key="gateway" text={account.gatewayUrl} />] as const] : []),
          ["私钥", tail(account.privateKeyTail)],
          ["通道公钥指纹", tail(account.publicKeyTail)],
          ...(account.channel === 0 ? [["加签方式", keyMode.label(account.keyMode)] as const] : []),
          ...(account.certificates
            ? ([
                [
                  "应用证书序列号",
                  <span key="app" className="num">
                    {account.certificates.appSn}
                  </span>,
                ],
                [
                  "支付宝证书序列号",
                  <span key="alipay" className="num">
                    {account.certificates.alipaySn}
                  </span>,
                ],
                ["证书最早到期", <Time key="end" at={account.certificates.expiresAt} />],
              ] as const)
            : []),
          ...(form?.partner ? [["商户授权令牌", tail(account.authTokenTail)] as const] : []),
          ["设置时间", <Time key="at" at={account.secretsAt} />],
          ["通道验证", account.verifyOutcome ? <StatusTag key="said" of={verifyOutcome} code={account.verifyOutcome} /> : "尚未验证"],
          ["验证说明", account.verifyMessage],
          ["验证时间", account.verifiedAt && <Time at={account.verifiedAt} />],
        ]}
      />
      <p className="screen-acts">
        <Verify merchantId={merchantId} channel={account.channel} />
        <Act of={updateChannelAccount}>
          <Button onClick={() => onChange(account.channel)}>更换密钥</Button>
        </Act>
        <Switch merchantId={merchantId} account={account} title={form?.title ?? ""} />
      </p>
      {form && !form.verified && (
        <p className="note">{form.title}的接口字段尚未按其签约文档核对，上线前须由技术人员对照文档确认并在通道测试环境验证。</p>
      )}
    </section>
  );
}

function Verify({ merchantId, channel }: { merchantId: string; channel: PayChannel }): ReactNode {
  const [busy, run] = useRun([getChannelAccounts]);
  const ask = async (): Promise<void> => {
    const { outcome, message } = await call(verifyChannelAccount, { merchantId, channel });
    if (outcome === "ok") success(message);
    else if (outcome === "refused") errorToast(`通道拒绝：${message}`);
    else warning(`没有得到通道的结果，请稍后再试：${message}`);
  };
  return (
    <Act of={verifyChannelAccount}>
      <Button busy={busy} onClick={() => void run(ask)}>
        向通道验证
      </Button>
    </Act>
  );
}
/** New payments stop or begin at once; it can be taken back the same way. */
function Switch({ merchantId, account, title }: { merchantId: string; account: Account; title: string }): ReactNode {
  const [busy, run] = useRun([getChannelAccounts]);
  const state = account.state === "active" ? "disabled" : "active";
  const ask = async (): Promise<void> => {
    await call(setChannelAccountState, { merchantId, channel: account.channel, state });
    success(state === "active" ? `${title}已启用` : `${title}已停用，已收的款仍可查询和退款`);
  };
  return (
    <Act of={setChannelAccountState}>
      <Button busy={busy} onClick={() => void run(ask)}>
        {state === "active" ? "启用" : "停用"}
      </Button>
    </Act>
  );
}
