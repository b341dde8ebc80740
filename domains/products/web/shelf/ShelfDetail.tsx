import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import type { Panel } from "@zhangfang/web/list/address/use-panel.ts";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { Neighbours } from "@zhangfang/web/list/Neighbours.tsx";
import type { List } from "@zhangfang/web/list/use-list.ts";
import { undoable } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Empty } from "@zhangfang/web/show/Empty.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { DetailDrawer, Group, HeroLine, useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import {
  changePrice,
  getShelf,
  getShelfItem,
  moveStock,
  saleState,
  setShelfSale,
  stockCause,
  stockState,
  summariseShelf,
} from "../../contract/index.ts";
import { StorePriceDrawer } from "../goods/PriceDrawer.tsx";
import { ReturnDrawer, StockDrawer, WarningDrawer } from "./StockDrawers.tsx";

type Item = OutputOf<typeof getShelfItem>;
type Opens = Readonly<Record<"stock" | "price" | "back" | "warning", (id: string) => void>>;

/** One product at one store, with the moves of its stock. */
export function ShelfDetail({ list, storeId, ...opens }: { list: List<typeof getShelf>; storeId: string } & Opens): ReactNode {
  const item = useDetail(getShelfItem, list.openId && { id: list.openId, storeId });
  if (list.openId === undefined) return null;
  const { data } = item;
  return (
    <DetailDrawer
      title="门店商品详情"
      of={item}
      onClose={list.close}
      extra={<Neighbours of={list} />}
      footer={data && <Acts item={data} {...opens} />}
    >
      {(row) => <Facts item={row} />}
    </DetailDrawer>
  );
}
function Acts({ item, stock, price, back, warning }: { item: Item } & Opens): ReactNode {
  const [busy, run] = useRun([getShelf, getShelfItem, summariseShelf]);
  const onSale = item.state === "off";
  const turn = (on: boolean): Promise<unknown> => call(setShelfSale, { storeId: item.storeId, skuIds: [item.id], onSale: on });
  const flip = () =>
    run(async () => {
      await turn(onSale);
      undoable(onSale ? "已在本店上架" : "已在本店下架", () => void run(() => turn(!onSale)));
    });
  return (
    <>
      <Act of={setShelfSale}>
        {item.merchantState === "on" && (
          <Button busy={busy} onClick={() => void flip()}>
            {onSale ? "本店上架" : "本店下架"}
          </Button>
        )}
      </Act>
      <Act of={changePrice}>
        <Button onClick={() => price(item.id)}>本店改价</Button>
      </Act>
      <Act of={moveStock}>
        {item.stock !== null && (
          <>
            <Button onClick={() => warning(item.id)}>预警线</Button>
            <Button onClick={() => back(item.id)}>退货入库</Button>
          </>
        )}
        <Button tone="primary" onClick={() => stock(item.id)}>
          {item.stock === null ? "开始计数" : "调整库存"}
        </Button>
      </Act>
    </>
  );
}
function Facts({ item }: { item: Item }): ReactNode {
  const c = columns<Item["moves"][number]>();
  return (
    <>
      <HeroLine
        label={`${item.storeName} · ${item.skuNo}`}
        value={[item.name, item.spec].filter(Boolean).join(" ")}
        status={<StatusTag of={saleState} code={item.state} />}
      />
      <Group
        title="价格"
        pairs={[
          ["本店售价", <Money cents={item.priceCents} symbol />],
          ["本店会员价", item.memberCents === null ? null : <Money cents={item.memberCents} symbol />],
          ["商户售价", <Money cents={item.merchantPriceCents} symbol />],
          ["商户会员价", item.merchantMemberCents === null ? null : <Money cents={item.merchantMemberCents} symbol />],
        ]}
      />
      <Group
        title="库存"
        pairs={[
          ["库存", item.stock === null ? "不计" : `${item.stock} 件`],
          ["占用", item.stock === null ? null : `${item.reserved} 件`],
          ["预警线", item.warnBelow === null ? null : `${item.warnBelow} 件`],
          ["状态", <StatusTag of={stockState} code={item.stockState} />],
        ]}
      />
      <Group title="库存流水">
        {item.moves.length === 0 ? (
          <Empty drawing="ledger" text="还没有流水。开始计数后，卖出、入库和盘点都记在这里" />
        ) : (
          <DataTable
            label="库存流水"
            density="compact"
            rows={item.moves}
            columns={[
              c.time("at", "时间", { width: 152 }),
              c.code("cause", "原因", stockCause, { width: 88 }),
              c.text(
                "units",
                "变动",
                (row) => <span className="num">{row.units > 0 ? `+${row.units}` : String(row.units).replace("-", "−")}</span>,
                { width: 80 },
              ),
              c.number("after", "之后", { width: 80 }),
              c.text("orderNo", "订单号", { width: 200 }),
              c.text("note", "说明", { width: 112 }),
              c.text("byName", "操作人", { width: 88 }),
            ]}
          />
        )}
      </Group>
    </>
  );
}

/** The form that is open over a product of a store. */
export function ShelfPanels({
  storeId,
  ...panels
}: { storeId: string } & Readonly<Record<"stock" | "price" | "back" | "warning", Panel>>): ReactNode {
  const [which, panel] = (Object.entries(panels) as [keyof typeof panels, Panel][]).find(([, one]) => one.id !== undefined) ?? [];
  const item = useDetail(getShelfItem, panel?.id ? { id: panel.id, storeId } : undefined);
  if (!panel || which === undefined) return null;
  if (!item.data) return <WaitingDrawer of={item} title="门店商品" onClose={panel.close} />;
  const Drawer = { stock: StockDrawer, price: StorePriceDrawer, back: ReturnDrawer, warning: WarningDrawer }[which];
  return <Drawer key={item.data.id} item={item.data} onClose={panel.close} />;
}
