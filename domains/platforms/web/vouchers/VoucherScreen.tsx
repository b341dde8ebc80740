import type { ReactNode } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { verifyVoucher, type VoucherPlatform } from "../../contract/index.ts";
import { Desk } from "../desk/Desk.tsx";
import { VoucherList } from "./VoucherList.tsx";

const views = labelled({ desk: "核销台", list: "平台券" });
/** The desk first, for whoever uses vouchers; the list for everybody. */
function VoucherScreen({ platform }: { platform: VoucherPlatform }): ReactNode {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const mayUse = useAct(verifyVoucher);
  const view = mayUse && query.get("show") !== "list" ? "desk" : "list";
  const go = (next: "desk" | "list"): void =>
    void navigate(next === "desk" ? `/plat-${platform}/coupon` : `/plat-${platform}/coupon?show=list`);
  const choice = mayUse ? <Segments label="查看" set={views} value={view} onChange={go} /> : null;
  return view === "desk" ? <Desk views={choice} /> : <VoucherList platform={platform} views={choice} />;
}
export const DouyinVouchers = (): ReactNode => <VoucherScreen platform="dy" />;
export const KuaishouVouchers = (): ReactNode => <VoucherScreen platform="ks" />;
