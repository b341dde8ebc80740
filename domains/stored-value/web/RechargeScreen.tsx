import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import type { CodeOf } from "@zhangfang/contract/labelled.ts";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { rechargeView } from "../contract/index.ts";
import { CardRefundList } from "./CardRefundList.tsx";
import { RechargeList } from "./RechargeList.tsx";

/** 储值充值: what was paid in, and what of it was paid back by law. */
export function RechargeScreen(): ReactNode {
  const [query, setQuery] = useSearchParams();
  const view = query.get("view") === "refunds" ? "refunds" : "recharges";
  const choose = (next: CodeOf<typeof rechargeView>): void => {
    for (const name of ["after", "page", "sort", "id", "panel", "status", "way", "reason"]) query.delete(name);
    query.set("view", next);
    setQuery(query);
  };
  const views = <Segments label="查看" set={rechargeView} value={view} onChange={choose} />;
  return view === "refunds" ? <CardRefundList views={views} /> : <RechargeList views={views} />;
}
