import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import type { CodeOf } from "@zhangfang/contract/labelled.ts";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { rechargeView } from "../contract/index.ts";
import { CardRefundList } from "./card-refund/CardRefundList.tsx";
import { OtherLotList } from "./card-refund/OtherLotList.tsx";
import { RechargeList } from "./RechargeList.tsx";

/** 储值充值: what was paid in, what of it was paid back by law, and what came otherwise. */
export function RechargeScreen(): ReactNode {
  const [query, setQuery] = useSearchParams();
  const asked = query.get("view");
  const view = asked === "refunds" || asked === "lots" ? asked : "recharges";
  const choose = (next: CodeOf<typeof rechargeView>): void => {
    for (const name of ["after", "page", "sort", "id", "panel", "status", "way", "reason", "origin", "tierCents", "channel"])
      query.delete(name);
    query.set("view", next);
    setQuery(query);
  };
  const views = <Segments label="查看" set={rechargeView} value={view} onChange={choose} />;
  if (view === "refunds") return <CardRefundList views={views} />;
  return view === "lots" ? <OtherLotList views={views} /> : <RechargeList views={views} />;
}
