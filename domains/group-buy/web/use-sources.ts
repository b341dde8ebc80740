import { labelled } from "@zhangfang/contract/labelled.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { type EntrySource, entrySource } from "../contract/index.ts";

/** 平台 of the filter: own uses stand among them for whoever sees these in their own rooms. */
export function useSources() {
  const [times, coupon] = [useAct(["/vip-member/timesRecords"]), useAct(["/dataCentre/couponDetail"])];
  const shown = entrySource.options.filter(({ value }) => (value !== "times" || times) && (value !== "coupon" || coupon));
  return labelled(Object.fromEntries(shown.map(({ value, label }) => [value, label])) as Record<EntrySource, string>);
}
