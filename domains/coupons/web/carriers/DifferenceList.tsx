import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { useList } from "@zhangfang/web/list/use-list.ts";
import { listDifferences } from "../../contract/index.ts";
import { differenceColumns } from "./DifferenceActs.tsx";

/** 微信同步差异: what of a merchant's coupons is not at WeChat as it is here. */
export function DifferenceList({ views }: { views: ReactNode }): ReactNode {
  const list = useList(listDifferences);
  const c = columns<RowOf<typeof listDifferences>>();
  return (
    <ListScreen
      title="微信同步差异"
      unit="处"
      list={list}
      actions={views}
      onOpen={false}
      columns={[
        c.link("campaign", "优惠券", { to: ({ campaignId }) => `/merchantTicket/details?id=${campaignId}` }, { width: 160, copy: false }),
        ...differenceColumns(),
      ]}
      empty={{ text: "没有差异。发到微信的券，每小时和微信核对一次" }}
    />
  );
}
