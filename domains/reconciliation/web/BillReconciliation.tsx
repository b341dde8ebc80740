import type { ReactNode } from "react";
import { useLocation } from "react-router";
import { useUser } from "@zhangfang/web/api/user.ts";
import { DayList } from "./days/DayList.tsx";
import { DifferenceList } from "./differences/DifferenceList.tsx";
import { StoreDays } from "./store-days/StoreDays.tsx";

/**
 * 对账: the days with both sides of them, under 差异 what does not fit, under 门店日 what each store's day came to. Which of them stands in
 * the address; a store has its own days alone.
 */
export function BillReconciliation(): ReactNode {
  const view = new URLSearchParams(useLocation().search).get("view");
  const { level } = useUser();
  if (view === "stores" || level === "AE") return <StoreDays />;
  return view === "differences" ? <DifferenceList /> : <DayList />;
}
