import type { ReactNode } from "react";
import { Link } from "react-router";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";

/** To the day of a store: what it took itself, what platforms sold for it, and closing it (domains/reconciliation). */
export function StoreDayLink({ storeId, at }: { storeId: string; at: string }): ReactNode {
  return (
    <Act of={["/reconciliation/bill"]}>
      <Link to={`/reconciliation/bill?view=stores&storeId=${storeId}&day=${shanghaiDay(at)}`}>门店日</Link>
    </Act>
  );
}
