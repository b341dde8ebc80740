import type { ReactNode } from "react";
import { useLocation, useNavigate } from "react-router";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { Segments } from "@zhangfang/web/show/Segments.tsx";

const views = labelled({ days: "按日", differences: "差异" });
/** What both views have in common stays when somebody changes between them. */
const SHARED = ["serviceProviderId", "merchantId", "source", "from", "to"];

/** From the days to the differences and back. */
export function ViewSwitch({ now }: { now: "days" | "differences" }): ReactNode {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const go = (view: "days" | "differences"): void => {
    const before = new URLSearchParams(search);
    const next = new URLSearchParams(view === "differences" ? { view } : {});
    for (const name of SHARED) if (before.get(name) !== null) next.set(name, before.get(name) ?? "");
    void navigate({ pathname, search: `?${next.toString()}` });
  };
  return <Segments label="查看方式" set={views} value={now} onChange={go} />;
}
