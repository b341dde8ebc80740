import type { ReactNode } from "react";
import { useLocation } from "react-router";
import { DayList } from "./days/DayList.tsx";
import { DifferenceList } from "./differences/DifferenceList.tsx";

/** 对账: the days with both sides of them, and under 差异 what does not fit. Which of the two stands in the address. */
export function BillReconciliation(): ReactNode {
  const view = new URLSearchParams(useLocation().search).get("view");
  return view === "differences" ? <DifferenceList /> : <DayList />;
}
