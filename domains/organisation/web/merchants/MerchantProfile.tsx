import type { ReactNode } from "react";
import { percent } from "@zhangfang/contract/money.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Group, HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import {
  accountState,
  getMerchantProfile,
  missingFact,
  nodeState,
  ownChannel,
  setSettlementAccount,
  updateMerchantProfile,
} from "../../contract/index.ts";
import { payChannel } from "../../../channels/contract.ts";
import { MerchantPage } from "./MerchantPage.tsx";
import { OwnPictures } from "./OwnPictures.tsx";
import { ProfileDrawer, SettlementDrawer } from "./edit/ProfileDrawers.tsx";
import type { Profile } from "./edit/profile.ts";

/** 商户信息: the own profile, and what is still missing of it. */
export function MerchantProfile(): ReactNode {
  const profile = useDetail(getMerchantProfile, {});
  const [edit, settle] = [usePanel("edit"), usePanel("settle")];
  return (
    <MerchantPage
      title="商户信息"
      of={profile}
      chosen
      actions={
        profile.data && (
          <>
            <Act of={setSettlementAccount}>
              <Button onClick={() => settle.open()}>{profile.data.settleTail ? "更换结算账户" : "填写结算账户"}</Button>
            </Act>
            <Act of={updateMerchantProfile}>
              <Button tone="primary" onClick={() => edit.open()}>
                修改资料
              </Button>
            </Act>
          </>
        )
      }
    >
      {(found) => (
        <>
          <Missing profile={found} />
          <Facts profile={found} />
          {edit.id && <ProfileDrawer key={found.version} profile={found} onClose={edit.close} />}
          {settle.id && <SettlementDrawer key={found.version} profile={found} onClose={settle.close} />}
        </>
      )}
    </MerchantPage>
  );
}

function Missing({ profile: { missing, reminder } }: { profile: Profile }): ReactNode {
  if (missing.length === 0) return null;
  return (
    <p className="notice notice-warn" role="status">
      还缺 {missing.length} 项资料：{missing.map((code) => missingFact.label(code)).join("、")}。
      {reminder && (
        <>
          {reminder.byName} 于 <Time at={reminder.at} /> 提醒补全。
        </>
      )}
    </p>
  );
}

function Facts({ profile: m }: { profile: Profile }): ReactNode {
  return (
    <>
      <HeroLine label={`商户编号 ${m.number}`} value={m.name} status={<StatusTag of={nodeState} code={m.state} />} />
      <Group
        title="基本资料"
        pairs={[
          ["简称", m.shortName],
          ["行业", m.trade],
          ["地区", [m.province, m.city].filter(Boolean).join(" ")],
          ["地址", m.address],
          ["联系人", m.contactName],
          ["联系电话", m.contactPhone],
          ["客服电话", m.servicePhone],
          ["服务商", m.serviceProviderName],
          ["开通时间", <Time at={m.openedAt} />],
        ]}
      />
      <OwnPictures known={m.logoUrl} />
      <Group
        title="证照"
        pairs={[
          ["统一社会信用代码", m.licenceNo],
          ["法定代表人", m.legalPerson],
        ]}
      />
      <Group
        title="结算与费率"
        pairs={[
          ["开户银行", m.settleBank],
          ["户名", m.settleHolder],
          ["账号", m.settleTail && <span className="num">**** {m.settleTail}</span>],
          ["费率", percent(m.feeRate)],
        ]}
      />
      <Group
        title="支付通道"
        pairs={
          m.channels.length === 0
            ? [["通道", "还没有开通"]]
            : m.channels.map(({ name, channel, number, state }) => [
                name === "acquirer" ? payChannel.label(channel) : ownChannel.label(name),
                <span key={`${name}${channel}`}>
                  <span className="num">{number}</span> <StatusTag of={accountState} code={state} />
                </span>,
              ])
        }
      />
    </>
  );
}
