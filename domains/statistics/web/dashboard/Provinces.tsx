import { type ReactNode, useState } from "react";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Bars } from "../Bars.tsx";
import { Panel } from "../Panel.tsx";
import type { DashboardData } from "./use-dashboard.ts";

/** As many as the rankings beside have. */
const SHOWN = 10;

/** Where the money is taken, by the merchant's province; the first ten, the rest at a press. */
export function Provinces({ provinces }: Pick<DashboardData, "provinces">): ReactNode {
  const [all, setAll] = useState(false);
  const bars = (all ? provinces : provinces.slice(0, SHOWN)).map((row) => ({
    key: row.province ?? "",
    name: row.province ?? "未填写",
    cents: row.paidCents,
    beside: `${row.merchants.toLocaleString("en-US")} 家`,
  }));
  return (
    <Panel title="省份分布" note="实收（元）与有收款的商户">
      <Bars label="按省份" bars={bars} />
      {provinces.length > SHOWN && (
        <Button tone="link" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? "收起" : `展开全部 ${provinces.length} 个`}
        </Button>
      )}
    </Panel>
  );
}
