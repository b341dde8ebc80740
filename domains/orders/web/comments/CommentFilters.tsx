import type { ReactNode } from "react";
import type { Endpoint } from "@zhangfang/contract/endpoint.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import type { List } from "@zhangfang/web/list/use-list.ts";
import { commentStatus, type listComments } from "../../contract/index.ts";

const answered = labelled({ true: "已回复", false: "未回复" });

/** What both views are narrowed by; that of the stores counts today as it happens. */
export function CommentFilters<E extends Endpoint>({ list: given, live = false }: { list: List<E>; live?: boolean }): ReactNode {
  const list = given as unknown as List<typeof listComments>;
  return (
    <>
      <DateRange of={list.range("from", "to")} label="评价时间" live={live} />
      <Keyword of={list.field("keyword")} label="内容" placeholder="评价内容或完整订单号" />
      <Choice of={list.field("status")} label="状态" set={commentStatus} />
      <Choice of={list.field("replied")} label="回复" set={answered} />
      <OrgFilter of={list} />
    </>
  );
}
