import type { ReactNode } from "react";
import { useLocation, useNavigate } from "react-router";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { ChannelAccounts } from "./ChannelAccounts.tsx";
import { useMerchantChoice } from "../use-merchant-choice.tsx";
import { WechatSecret } from "./WechatSecret.tsx";

const tab = labelled({ wechat: "微信支付", alipay: "支付宝", acquirers: "收单机构", order: "通道优先级" });
type Tab = (typeof tab.values)[number];

/** APIv3密钥: WeChat Pay's keys, beside them those of Alipay and of acquirers, and which channel goes first. */
export function ChannelSecret(): ReactNode {
  const choice = useMerchantChoice();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const asked = new URLSearchParams(search).get("tab");
  const chosen = tab.values.find((one) => one === asked) ?? "wechat";
  const choose = (next: Tab): void => {
    const query = new URLSearchParams(search);
    query.set("tab", next);
    void navigate({ pathname, search: `?${query.toString()}` });
  };
  const tabs = <Segments label="通道" set={tab} value={chosen} onChange={choose} />;
  return chosen === "wechat" ? <WechatSecret {...choice} tabs={tabs} /> : <ChannelAccounts {...choice} tabs={tabs} show={chosen} />;
}
