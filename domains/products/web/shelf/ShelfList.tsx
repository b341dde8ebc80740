import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import type { Selection } from "@zhangfang/web/list/Batch.tsx";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { getShelf, getShelfItem, moveStock, saleState, setShelfSale, stockState, summariseShelf } from "../../contract/index.ts";
import { choices, named, Tile } from "../words.tsx";
import { ShelfDetail, ShelfPanels } from "./ShelfDetail.tsx";

/** 门店商品: what the merchant has, at one store; the first one where none is chosen. */
export function ShelfList(): ReactNode {
  const list = useList(getShelf);
  const sums = useSummary(summariseShelf, list.filters).data;
  const [stock, price, back, warning] = [usePanel("stock"), usePanel("price"), usePanel("return"), usePanel("warning")];
  const mayExport = useAct(["/product/store/export"]);
  const storeId = list.filters["storeId"] ?? sums?.storeId ?? undefined;
  return (
    <ListScreen
      title="门店商品"
      unit="个"
      list={list}
      tabs={{ of: list.field("state"), set: saleState, counts: sums?.byState }}
      totals={
        sums && [
          ["负库存", sums.byStock["below"] ?? 0],
          ["低于预警", sums.byStock["low"] ?? 0],
        ]
      }
      filters={
        <>
          <Choice
            of={list.field("storeId")}
            label="门店"
            set={named(sums?.stores)}
            none={sums?.stores.find(({ id }) => id === sums.storeId)?.name ?? "请选择"}
          />
          <Keyword of={list.field("keyword")} label="商品" placeholder="名称 / 编码 / 条码" />
          <Choice of={list.field("category")} label="分类" set={choices(sums?.categories)} />
          <Choice of={list.field("stock")} label="库存" set={stockState} />
        </>
      }
      {...(mayExport && { exportSource: "product-stores" })}
      batch={(selection) => storeId && <ShelfBatch selection={selection} storeId={storeId} />}
      columns={shownColumns({ open: list.open, stock: stock.open })}
      empty={{ text: "还没有商品。先在「商品」里新建，每家门店就都有了" }}
    >
      {storeId && (
        <ShelfDetail list={list} storeId={storeId} stock={stock.open} price={price.open} back={back.open} warning={warning.open} />
      )}
      {storeId && <ShelfPanels storeId={storeId} stock={stock} price={price} back={back} warning={warning} />}
    </ListScreen>
  );
}

function ShelfBatch({ selection, storeId }: { selection: Selection; storeId: string }): ReactNode {
  const [busy, run] = useRun([getShelf, getShelfItem, summariseShelf]);
  const sale = async (onSale: boolean): Promise<void> => {
    const act = onSale ? "上架" : "下架";
    if (
      !(await confirm(`在这家门店${act} ${selection.count} 个商品？别的门店不变。`, {
        ok: `${act} ${selection.count} 个`,
        danger: !onSale,
      }))
    )
      return;
    const { storeId: _store, ...filter } = selection.filters;
    await run(async () => {
      const { changed } = await call(setShelfSale, {
        storeId,
        onSale,
        ...(selection.all ? { filter: filter as never, count: selection.count } : { skuIds: [...selection.ids] }),
      });
      success(`已${act} ${changed} 个`);
      selection.clear();
    });
  };
  return (
    <Act of={setShelfSale}>
      <Button small busy={busy} onClick={() => void sale(true)}>
        本店上架
      </Button>
      <Button small busy={busy} onClick={() => void sale(false)}>
        本店下架
      </Button>
    </Act>
  );
}

function shownColumns({ open, stock }: Readonly<Record<"open" | "stock", (id: string) => void>>) {
  const c = columns<RowOf<typeof getShelf>>();
  return [
    c.text("picture", "图片", (row) => <Tile of={row.picture} name={row.name} />, { width: 64 }),
    c.link("name", "商品", (row) => open(row.id), { width: 136, copy: false }),
    c.text("spec", "规格", { width: 88 }),
    c.text("skuNo", "编码", { width: 104 }),
    c.text("barcode", "条码", { width: 136, hidden: true }),
    c.text("category", "分类", { width: 72 }),
    c.money("priceCents", "本店售价（元）", { width: 120, main: true, note: (row) => row.ownPrice && "本店自定" }),
    c.money("memberCents", "本店会员价（元）", { width: 128 }),
    c.number("stock", "库存", { width: 72, note: (row) => row.reserved > 0 && `占用 ${row.reserved}` }),
    c.code("stockState", "库存状态", stockState, { width: 96 }),
    c.code("state", "状态", saleState, { width: 96, note: (row) => row.merchantState === "off" && "商户已下架" }),
    c.actions(
      (row) => (
        <Act of={moveStock}>
          <Button tone="link" onClick={() => stock(row.id)}>
            库存
          </Button>
        </Act>
      ),
      { width: 72, of: [moveStock] },
    ),
  ];
}
