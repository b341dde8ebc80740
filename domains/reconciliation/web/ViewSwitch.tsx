import type { ReactNode } from "react";
import { useLocation, useNavigate } from "react-router";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { useUser } from "@zhangfang/web/api/user.ts";
import { Segments } from "@zhangfang/web/show/Segments.tsx";

const WHOLE = { days: "按日", differences: "差异" } as const;
const views = { platform: labelled(WHOLE), merchant: labelled({ ...WHOLE, stores: "门店日" }) };
export type View = "days" | "differences" | "stores";
/** What the views have in common stays when somebody changes between them. */
const SHARED = ["serviceProviderId", "merchantId", "group", "source", "from", "to"];

/** From the days to the differences, to the stores' days, and back. A store has the last alone, the platform the first two. */
export function ViewSwitch({ now }: { now: View }): ReactNode {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const { level } = useUser();
  if (level === "AE") return null;
  const go = (view: View): void => {
    const before = new URLSearchParams(search);
    const next = new URLSearchParams(view === "days" ? {} : { view });
    for (const name of SHARED) if (before.get(name) !== null) next.set(name, before.get(name) ?? "");
    void navigate({ pathname, search: `?${next.toString()}` });
  };
  return (
    <Segments<View>
      label="查看方式"
      set={(level === "ADMIN" ? views.platform : views.merchant) as typeof views.merchant}
      value={now}
      onChange={go}
    />
  );
}
