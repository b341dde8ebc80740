import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { friendPayView, type FriendPayView } from "../../contract/index.ts";
import { FriendPayLinks } from "./FriendPayLinks.tsx";
import { FriendPayStatistics } from "./FriendPayStatistics.tsx";
import { PayoutList } from "./PayoutList.tsx";

/** 代付统计: orders that somebody other than the orderer pays, by day, by store, and link by link; and what was paid out through a channel. */
export function DaifuScreen(): ReactNode {
  const [query, setQuery] = useSearchParams();
  const view = friendPayView.values.find((one) => one === query.get("view")) ?? "day";
  const choose = (next: FriendPayView): void => {
    // What is filtered by stays; where one was in the pages of another view does not.
    for (const name of [
      "after",
      "page",
      "sort",
      "id",
      ...(next === "links" ? [] : ["state", "keyword"]),
      ...(next === "payouts" || view === "payouts" ? ["status", "method", "keyword", "merchantId", "storeId"] : []),
    ])
      query.delete(name);
    query.set("view", next);
    setQuery(query);
  };
  const views = <Segments label="统计方式" set={friendPayView} value={view} onChange={choose} />;
  if (view === "payouts") return <PayoutList views={views} />;
  return view === "links" ? <FriendPayLinks views={views} /> : <FriendPayStatistics by={view} views={views} />;
}
