import type { ReactNode } from "react";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { rankingKind } from "../../contract/index.ts";
import { Bars } from "../Bars.tsx";
import { Panel } from "../Panel.tsx";
import type { Address } from "../use-address.ts";
import { useDrill } from "../use-drill.ts";
import type { DashboardData } from "./use-dashboard.ts";

/** Who takes the most, at each level below the account; which level stands in the address. */
export function Rankings({ rankings, address }: Pick<DashboardData, "rankings"> & { address: Address }): ReactNode {
  const to = useDrill();
  const ranking = rankings.find(({ kind }) => kind === address.values["ranking"]) ?? rankings[0];
  if (!ranking) return null;
  const kinds = labelled(Object.fromEntries(rankings.map(({ kind }) => [kind, rankingKind.label(kind)])));
  return (
    <Panel
      title="排行"
      note={`${ranking.count.toLocaleString("en-US")} ${ranking.kind === "team" ? "个" : "家"}有收款`}
      extra={
        rankings.length > 1 && (
          <Segments
            small
            label="排行对象"
            set={kinds}
            value={ranking.kind}
            onChange={(next) => address.set({ ranking: next === rankings[0]?.kind ? undefined : String(next) })}
          />
        )
      }
    >
      <Bars
        ranked
        label={`${rankingKind.label(ranking.kind)}排行`}
        bars={ranking.rows.map((row) => ({
          key: row.id ?? "none",
          name: row.name,
          cents: row.paidCents,
          beside: `${row.payCount.toLocaleString("en-US")} 笔`,
          to: to(row.drill),
        }))}
      />
    </Panel>
  );
}
