import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useList } from "@zhangfang/web/list/use-list.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { addCoupon, listCoupons } from "../contract.ts";
import { AddCoupon } from "./AddCoupon.tsx";

/** 商户优惠券: what is in sight, newest first. */
export function Coupons(): ReactNode {
  const list = useList(listCoupons);
  const add = usePanel("add");
  const mayExport = useAct(["/merchantTicket/list/export"]);
  const adding = (
    <Act of={addCoupon}>
      <Button tone="primary" onClick={() => add.open()}>
        新建商户优惠券
      </Button>
    </Act>
  );
  const c = columns<RowOf<typeof listCoupons>>();
  return (
    <ListScreen
      title="商户优惠券"
      unit="个"
      list={list}
      onOpen={false}
      filters={<Keyword of={list.field("keyword")} label="名称" placeholder="名称" />}
      actions={adding}
      {...(mayExport && { exportSource: "coupons" })}
      columns={[c.text("name", "名称"), c.time("createdAt", "新建时间")]}
      empty={{ text: "还没有商户优惠券", action: adding }}
    >
      {add.id && <AddCoupon onClose={add.close} />}
    </ListScreen>
  );
}
