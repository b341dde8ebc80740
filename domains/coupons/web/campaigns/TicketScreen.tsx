import type { ReactNode } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { DifferenceList } from "../carriers/DifferenceList.tsx";
import { StatementList } from "../subsidies/StatementList.tsx";
import { CampaignList } from "./CampaignList.tsx";
import { useSide } from "./use-side.ts";

const providerViews = labelled({ own: "优惠券", subsidies: "补贴结算单" });
const merchantViews = labelled({ own: "自己的", offered: "服务商的", subsidies: "补贴结算单", differences: "微信同步差异" });

/**
 * 优惠券 and 商户优惠券: the campaigns of one's own, those that the provider offers, and what the
 * provider owes for its coupons, and what differs at WeChat.
 */
export function TicketScreen(): ReactNode {
  const { provider, base } = useSide();
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const asked = query.get("show");
  const view = asked === "subsidies" || ((asked === "offered" || asked === "differences") && !provider) ? asked : "own";
  const go = (next: string): void => void navigate(next === "own" ? `${base}/list` : `${base}/list?show=${next}`);
  const views = provider ? (
    <Segments label="查看" set={providerViews} value={view === "subsidies" ? view : "own"} onChange={go} />
  ) : (
    <Segments label="查看" set={merchantViews} value={view} onChange={go} />
  );
  if (view === "differences") return <DifferenceList views={views} />;
  if (view === "subsidies") return <StatementList views={views} />;
  return <CampaignList key={view} offered={view === "offered"} views={views} />;
}
