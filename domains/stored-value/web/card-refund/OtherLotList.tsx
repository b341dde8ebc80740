import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { useList } from "@zhangfang/web/list/use-list.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { memberColumn } from "../../../members/web/index.ts";
import { askCardRefund, listOtherLots, lotOrigin } from "../../contract/index.ts";
import { CardRefundDrawer } from "./CardRefundDrawer.tsx";

/** 转来和导入: value that no recharge brought; its 退卡 begins here. */
export function OtherLotList({ views }: { views: ReactNode }): ReactNode {
  const list = useList(listOtherLots);
  const refund = usePanel("lot-refund");
  const { level } = useUser();
  const c = columns<RowOf<typeof listOtherLots>>();
  return (
    <ListScreen
      title="储值充值"
      unit="批"
      list={list}
      actions={views}
      filters={
        <>
          <Keyword of={list.field("keyword")} label="会员" placeholder="会员号 / 手机号" />
          <OrgFilter of={list} levels={level === "SP" ? ["merchantId", "storeId"] : ["storeId"]} />
          <Choice of={list.field("origin")} label="来源" set={lotOrigin} />
        </>
      }
      columns={[
        c.text("memberNo", "会员号", { width: 136 }),
        memberColumn<RowOf<typeof listOtherLots>>(),
        c.text("storeName", "售卡门店", { width: 128 }),
        c.text("origin", "来源", (row) => lotOrigin.label(row.origin), { width: 72 }),
        c.money("principalCents", "本金（元）", { width: 108 }),
        c.money("giftCents", "赠送（元）", { width: 108 }),
        c.money("principalLeftCents", "剩余本金", { width: 108 }),
        c.money("giftLeftCents", "剩余赠送", { width: 100 }),
        c.time("createdAt", "到账时间"),
        c.actions(
          (row) => (
            <Act of={askCardRefund}>
              <Button tone="link" onClick={() => refund.open(row.id)}>
                退卡
              </Button>
            </Act>
          ),
          { width: 72, of: [askCardRefund] },
        ),
      ]}
      empty={{ text: "没有转来或导入、还有本金的余额" }}
    >
      {refund.id && <CardRefundDrawer key={refund.id} lotId={refund.id} onClose={refund.close} />}
    </ListScreen>
  );
}
