import { type ReactNode, useState } from "react";
import { percent } from "@zhangfang/contract/money.ts";
import { OrgPicker } from "@zhangfang/web/filter/OrgFilter.tsx";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Group, Loaded, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { Empty } from "@zhangfang/web/show/Empty.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import { findOrg, useOpening } from "@zhangfang/web/window/use-opening.ts";
import { getSharingSetup, sharingMode, sharingTiming, type SharingWallet, sharingWallet } from "../../contract/index.ts";
import type { Setup } from "../shared.ts";
import { AccountForm } from "./AccountForm.tsx";
import { AddGroup, ReceiverForm } from "./ReceiverForms.tsx";
import { Missing, missingOf } from "./Missing.tsx";
import { ReceiverTable } from "./ReceiverTable.tsx";
import { RuleForm } from "./RuleForm.tsx";

type Doing = { readonly what: "rule" | "group" | "receiver" | "account"; readonly id?: string; readonly wallet?: SharingWallet };

/** 分账设置: who gets shares of a merchant's payments, and by which rule. A provider picks the merchant first. */
export function SharingSetup({ merchantId, onClose }: { merchantId?: string | undefined; onClose: () => void }): ReactNode {
  const { level } = useUser();
  const [chosen, choose] = useState(merchantId);
  const [doing, setDoing] = useState<Doing>();
  const { asking } = useOpening({
    what: "merchantId",
    value: chosen,
    find: findOrg("merchantId"),
    open: choose,
    off: level === "MCH",
  });
  const input = level === "MCH" ? {} : chosen === undefined ? undefined : { merchantId: chosen };
  const setup = useDetail(getSharingSetup, input);
  const back = (): void => setDoing(undefined);
  if (setup.data && doing?.what === "rule") return <RuleForm setup={setup.data} onClose={back} />;
  if (setup.data && doing?.what === "group") return <AddGroup setup={setup.data} onClose={back} />;
  const chosenOne = setup.data?.receivers.find(({ id }) => id === doing?.id);
  if (setup.data && doing?.what === "account" && chosenOne)
    return <AccountForm receiver={chosenOne} wallet={doing.wallet ?? "alipay"} onClose={back} />;
  if (setup.data && doing?.what === "receiver") return <ReceiverForm setup={setup.data} receiver={chosenOne} onClose={back} />;
  return (
    <Drawer title="分账设置" onClose={onClose} width={880}>
      {level !== "MCH" && <OrgPicker level="merchantId" value={chosen} className="filter-control" onChange={choose} />}
      {asking ? (
        <Skeleton rows={6} />
      ) : input === undefined ? (
        <Empty drawing="search" text="还没有商户" />
      ) : (
        <Loaded of={setup}>{(data) => <Settings setup={data} onDo={setDoing} />}</Loaded>
      )}
    </Drawer>
  );
}

function Settings({ setup, onDo }: { setup: Setup; onDo: (doing: Doing) => void }): ReactNode {
  const { rule, groups, wallets } = setup;
  const group = groups.find(({ id }) => id === rule.groupId);
  return (
    <>
      {!setup.on && (
        <p className="notice notice-warn">「{setup.merchantName}」还没有开启分账：规则要在商户配置里打开「开启分账」后才生效。</p>
      )}
      <Wallets setup={setup} />
      <Group
        title="规则"
        pairs={[
          ["方式", sharingMode.label(rule.mode)],
          ["时间", rule.mode === "auto" ? sharingTiming.label(rule.timing) : null],
          ["接收方分组", group?.name],
          ["其余资金", rule.unfreeze ? "随分账解冻给商户" : "继续冻结，由人完结"],
          [
            "通道上限",
            wallets
              .map((one) => `${sharingWallet.label(one.wallet)} ${percent(one.maxRatio)}${one.maxRatioAt ? "" : "（通道默认）"}`)
              .join("，") || null,
          ],
          ["最近修改", rule.updatedAt && <Time at={rule.updatedAt} />],
        ]}
      >
        <p className="sharing-acts">
          <Button onClick={() => onDo({ what: "rule" })}>修改规则</Button>
        </p>
      </Group>
      <Group title="接收方">
        <ReceiverTable
          setup={setup}
          onEdit={(id) => onDo({ what: "receiver", id })}
          onAccount={(id, wallet) => onDo({ what: "account", id, wallet })}
        />
        <p className="sharing-acts">
          <Button tone="primary" onClick={() => onDo({ what: groups.length === 0 ? "group" : "receiver" })}>
            新建接收方
          </Button>
          <Button onClick={() => onDo({ what: "group" })}>新建分组</Button>
        </p>
      </Group>
    </>
  );
}

/** Which payments can be shared, and what is missing for it. */
function Wallets({ setup }: { setup: Setup }): ReactNode {
  const able = setup.wallets.map(({ wallet }) => sharingWallet.label(wallet)).join("、");
  const missing = missingOf(setup, setup.rule.groupId);
  return (
    <>
      <p className="notice">
        {able
          ? `${able}直连的收款可以分账，各走各的通道；收单机构的收款不冻结、不分账，全额结算给商户。`
          : "商户没有微信支付或支付宝直连账户，不能分账；收单机构的收款全额结算给商户。"}
      </p>
      {setup.rule.mode !== "none" && <Missing of={missing} />}
      {setup.wallets.some(({ wallet }) => wallet === "alipay") && (
        <p className="notice">
          支付宝的退分账由本系统在退款前逐个发起。当面付的退款，支付宝也可能自行按比例从接收方退回（未经核实），上线前请先用小额订单试一次。
        </p>
      )}
    </>
  );
}
