import type { ReactNode } from "react";
import { useLocation } from "react-router";
import { today } from "@zhangfang/web/filter/day-shortcuts.ts";
import { StoreDayList } from "./StoreDayList.tsx";
import { StoreDayPage } from "./StoreDayPage.tsx";
import "../reconciliation.css";
import "./store-day.css";

/** 门店日: the stores of a day, or one store's day where the address names the store. */
export function StoreDays(): ReactNode {
  const query = new URLSearchParams(useLocation().search);
  const storeId = query.get("storeId");
  const day = query.get("day") ?? today();
  return storeId ? <StoreDayPage key={`${storeId}/${day}`} storeId={storeId} day={day} /> : <StoreDayList />;
}
