import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import type { CodeOf } from "@zhangfang/contract/labelled.ts";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { commentView } from "../../contract/index.ts";
import { CommentList } from "./CommentList.tsx";
import { CommentStores } from "./CommentStores.tsx";

/** 订单评价: what payers say, comment by comment, and how each store stands. */
export function CommentScreen(): ReactNode {
  const [query, setQuery] = useSearchParams();
  const view = query.get("view") === "stores" ? "stores" : "list";
  const choose = (next: CodeOf<typeof commentView>): void => {
    for (const name of ["after", "page", "sort", "id"]) query.delete(name);
    query.set("view", next);
    setQuery(query);
  };
  const views = <Segments label="查看方式" set={commentView} value={view} onChange={choose} />;
  return view === "stores" ? <CommentStores views={views} /> : <CommentList views={views} />;
}
