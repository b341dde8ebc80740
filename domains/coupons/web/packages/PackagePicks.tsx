import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { getPackage, listPackages } from "../../contract/index.ts";
import "../coupons.css";

/** A coupon of a campaign, and how many of them. */
interface PackageItem {
  readonly campaignId: string;
  readonly count: number;
}
/** The merchant's packages that are given out: one fills in what it is made of. It is given coupon by coupon, and is no 领取记录 of the package. */
export function PackagePicks({ onPick }: { onPick: (items: readonly PackageItem[]) => void }): ReactNode {
  const may = useAct(listPackages);
  const [busy, run] = useRun();
  const packages = useQuery({
    queryKey: [listPackages.path, "picks"],
    enabled: may,
    queryFn: ({ signal }) => call(listPackages, { state: "RUNNING" }, { signal, quiet: true }),
  });
  const items = packages.data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <details className="package-picks">
      <summary>照券包填</summary>
      <div>
        {items.map(({ id, name }) => (
          <Button key={id} small busy={busy} onClick={() => void run(async () => onPick((await call(getPackage, { id })).items))}>
            {name}
          </Button>
        ))}
      </div>
      <p className="note">填入券包里的每种券和张数，按券发放，不占券包的数量。</p>
    </details>
  );
}
