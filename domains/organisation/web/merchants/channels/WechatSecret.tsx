import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { error as errorToast, success, warning } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Group, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Empty } from "@zhangfang/web/show/Empty.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { channelMode, getChannelSecret, setChannelSecret, verifyChannelSecret, verifyOutcome } from "../../../contract/index.ts";
import { ChannelSecretDrawer } from "./ChannelSecretDrawer.tsx";
import { MerchantPage } from "../MerchantPage.tsx";
import type { useMerchantChoice } from "../use-merchant-choice.tsx";

type Secret = OutputOf<typeof getChannelSecret>;

/** APIv3密钥: keys are written here and never read back; their ends, their date and the channel's word are what is shown. */
export function WechatSecret({ input, picker, asking, tabs }: ReturnType<typeof useMerchantChoice> & { tabs: ReactNode }): ReactNode {
  const secret = useDetail(getChannelSecret, input);
  const set = usePanel("set");
  const { data } = secret;
  const setting = (
    <Act of={setChannelSecret}>
      <Button tone="primary" onClick={() => set.open()}>
        {data?.known ? "更换密钥" : "设置密钥"}
      </Button>
    </Act>
  );
  return (
    <MerchantPage
      title="APIv3密钥"
      picker={picker}
      tabs={tabs}
      of={secret}
      chosen={input !== undefined}
      asking={asking}
      actions={
        data && (
          <>
            {data.known && <Verify merchantId={data.merchantId} />}
            {setting}
          </>
        )
      }
    >
      {(found) => (
        <>
          {found.known ? <Known known={found.known} /> : <Empty drawing="seal" text={`${found.merchantName}还没有设置密钥，不能收款`} />}
          {set.id && <ChannelSecretDrawer secret={found} onClose={set.close} />}
        </>
      )}
    </MerchantPage>
  );
}

function Known({ known }: { known: NonNullable<Secret["known"]> }): ReactNode {
  const tail = (text: string | null) => text && <span className="num">**** {text}</span>;
  return (
    <>
      <Group
        title="商户"
        pairs={[
          ["接入方式", channelMode.label(known.mode)],
          ["AppID", known.appId],
          [known.mode === "partner" ? "服务商商户号" : "商户号", known.mchId],
          ["子商户号", known.subMchId],
        ]}
      />
      <Group
        title="密钥（只写，不回显）"
        pairs={[
          ["证书序列号", tail(known.certSerialTail)],
          ["APIv3 密钥", tail(known.apiV3KeyTail)],
          ["商户私钥", tail(known.privateKeyTail)],
          ["AppSecret", tail(known.appSecretTail)],
          ["微信支付公钥", tail(known.platformKeyTail)],
          ["平台证书", tail(known.platformCertTail)],
          ["设置时间", known.secretsAt && <Time at={known.secretsAt} />],
        ]}
      />
      <Group
        title="通道验证"
        pairs={[
          ["结果", known.verifyOutcome ? <StatusTag of={verifyOutcome} code={known.verifyOutcome} /> : "尚未验证"],
          ["说明", known.verifyMessage],
          ["验证时间", known.verifiedAt && <Time at={known.verifiedAt} />],
        ]}
      />
      {known.platformKeyTail && known.platformCertTail && (
        <p className="note">正在从平台证书更换为微信支付公钥：两者签名的通知和应答都会受理。更换完成后请停用平台证书。</p>
      )}
      <p className="note">验证会核对商户号、证书和私钥；APIv3 密钥在收到第一条通道通知时得到验证。</p>
    </>
  );
}

/** Asks the channel; no answer is said as no answer. */
function Verify({ merchantId }: { merchantId: string }): ReactNode {
  const [busy, run] = useRun([getChannelSecret]);
  const ask = async (): Promise<void> => {
    await run(async () => {
      const { outcome, message } = await call(verifyChannelSecret, { merchantId });
      if (outcome === "ok") success(message);
      else if (outcome === "refused") errorToast(`通道拒绝：${message}`);
      else warning(`没有得到通道的结果，请稍后再试：${message}`);
    });
  };
  return (
    <Act of={verifyChannelSecret}>
      <Button busy={busy} onClick={() => void ask()}>
        向通道验证
      </Button>
    </Act>
  );
}
