import { type ReactNode, Suspense } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { More } from "@zhangfang/web/show/over/Popover.tsx";
import { Tag } from "@zhangfang/web/show/StatusTag.tsx";
import {
  addProduct,
  changePrice,
  getProducts,
  productSource,
  saleState,
  setScalePattern,
  summariseProducts,
  updateProduct,
} from "../../contract/index.ts";
import { choices, named, Tile } from "../words.tsx";
import { PriceDrawer } from "./PriceDrawer.tsx";
import { ProductBatch } from "./ProductBatch.tsx";
import { ProductDetail } from "./ProductDetail.tsx";
import { AddProductDrawer, EditProductDrawer } from "./ProductForm.tsx";
import { ProductImport } from "./ProductImport.tsx";
import { ScaleDrawer } from "./ScaleDrawer.tsx";

const IMPORT = ["/product/product/import"] as const;

/** 商品: a row for each SKU. */
export function ProductList(): ReactNode {
  const list = useList(getProducts);
  const sums = useSummary(summariseProducts, list.filters).data;
  const [add, edit, price, importing, scale] = [
    usePanel("add"),
    usePanel("edit"),
    usePanel("price"),
    usePanel("import"),
    usePanel("scale"),
  ];
  const mayExport = useAct(["/product/product/export"]);
  const adding = (
    <>
      <Act of={IMPORT}>
        <Button onClick={() => importing.open("products-new")}>批量导入</Button>
      </Act>
      <Act of={addProduct}>
        <Button tone="primary" onClick={() => add.open()}>
          新建商品
        </Button>
      </Act>
    </>
  );
  return (
    <ListScreen
      title="商品"
      unit="个"
      list={list}
      tabs={{ of: list.field("state"), set: saleState, counts: sums?.byState }}
      filters={
        <>
          <Keyword of={list.field("keyword")} label="商品" placeholder="名称 / 编码 / 条码" />
          <Choice of={list.field("category")} label="分类" set={choices(sums?.categories)} />
          <Choice of={list.field("tagId")} label="标签" set={named(sums?.tags)} />
          <Choice of={list.field("source")} label="来源" set={productSource} />
        </>
      }
      actions={
        <>
          <MoreSheets importing={importing.open} scale={() => scale.open()} />
          {adding}
        </>
      }
      {...(mayExport && { exportSource: "products" })}
      batch={(selection) => <ProductBatch selection={selection} tags={sums?.tags ?? []} />}
      columns={shownColumns({ open: list.open, edit: edit.open, price: price.open })}
      empty={{ text: "还没有商品。新建一个，或用表格批量导入", action: adding }}
    >
      <ProductDetail list={list} onEdit={edit.open} onPrice={price.open} />
      {importing.id && (
        <Suspense>
          <ProductImport panel={importing} onMade={list.refresh} />
        </Suspense>
      )}
      {add.id && <AddProductDrawer categories={sums?.categories ?? []} onClose={add.close} />}
      {edit.id && <EditProductDrawer id={edit.id} categories={sums?.categories ?? []} onClose={edit.close} />}
      {price.id && <PriceDrawer skuId={price.id} onClose={price.close} />}
      {scale.id && sums && <ScaleDrawer pattern={sums.scalePattern} onClose={scale.close} />}
    </ListScreen>
  );
}

/** What is done less often: how scales print, and the sheets that change what is there. */
function MoreSheets({ importing, scale }: { importing: (kind: string) => void; scale: () => void }): ReactNode {
  const may = [useAct(IMPORT), useAct(setScalePattern)];
  if (!may.includes(true)) return null;
  return (
    <More>
      <Act of={IMPORT}>
        <Button tone="quiet" onClick={() => importing("products-update")}>
          导入更新
        </Button>
        <Button tone="quiet" onClick={() => importing("products-price")}>
          导入改价
        </Button>
      </Act>
      <Act of={setScalePattern}>
        <Button tone="quiet" onClick={scale}>
          秤码格式
        </Button>
      </Act>
    </More>
  );
}

function shownColumns({ open, edit, price }: Readonly<Record<"open" | "edit" | "price", (id: string) => void>>) {
  const c = columns<RowOf<typeof getProducts>>();
  return [
    c.text("picture", "图片", (row) => <Tile of={row.picture} name={row.name} />, { width: 64 }),
    c.link("name", "商品", (row) => open(row.id), { width: 144, copy: false }),
    c.text("spec", "规格", { width: 96 }),
    c.text("skuNo", "编码", { width: 104 }),
    c.text("barcode", "条码", { width: 128 }),
    c.text("category", "分类", { width: 72 }),
    c.money("priceCents", "售价（元）", {
      width: 112,
      main: true,
      note: (row) => row.nextAt !== null && <Tag tone="active">已定改价</Tag>,
    }),
    c.money("memberCents", "会员价（元）", { width: 104 }),
    c.text("tags", "标签", { width: 96 }),
    c.code("state", "状态", saleState, { width: 88, note: (row) => row.withdrawn && "服务商已收回" }),
    c.code("source", "来源", productSource, { width: 112, hidden: true }),
    c.text("unit", "单位", { width: 64, hidden: true }),
    c.time("createdAt", "新建时间", { hidden: true }),
    c.actions(
      (row) => (
        <>
          <Act of={updateProduct}>
            <Button tone="link" onClick={() => price(row.id)}>
              改价
            </Button>
            <Button tone="link" onClick={() => edit(row.id)}>
              修改
            </Button>
          </Act>
        </>
      ),
      { width: 104, of: [updateProduct, changePrice] },
    ),
  ];
}
