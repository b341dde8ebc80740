import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { Neighbours } from "@zhangfang/web/list/Neighbours.tsx";
import type { List } from "@zhangfang/web/list/use-list.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { DetailDrawer, Group, HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import {
  cancelPrice,
  getProduct,
  getProducts,
  inherited,
  priceKind,
  priceStatus,
  removeProduct,
  saleState,
  summariseProducts,
  taxPolicy,
  taxRate,
  updateProduct,
} from "../../contract/index.ts";
import { codesText, Tile } from "../words.tsx";

type Product = OutputOf<typeof getProduct>;
type Open = (id: string) => void;

/** One product over the list, with all its SKUs. */
export function ProductDetail({ list, onEdit, onPrice }: { list: List<typeof getProducts>; onEdit: Open; onPrice: Open }): ReactNode {
  const product = useDetail(getProduct, list.openId && { id: list.openId });
  const [busy, run] = useRun([getProducts, summariseProducts]);
  if (list.openId === undefined) return null;
  const { data } = product;
  const remove = async (of: Product): Promise<void> => {
    if (
      !(await confirm(`删除「${of.name}${of.spec && ` ${of.spec}`}」（${of.skuNo}）？收银机不再出现，条码可以给别的商品，编码不能再用。`, {
        ok: "删除",
        danger: true,
      }))
    )
      return;
    await run(async () => {
      await call(removeProduct, { id: of.id });
      success("已删除");
      list.close();
    });
  };
  return (
    <DetailDrawer
      title="商品详情"
      of={product}
      onClose={list.close}
      extra={<Neighbours of={list} />}
      footer={
        data && (
          <>
            <Act of={removeProduct}>
              <Button tone="danger" busy={busy} onClick={() => void remove(data)}>
                删除
              </Button>
            </Act>
            <Act of={updateProduct}>
              <Button onClick={() => onPrice(data.id)}>改价</Button>
              <Button tone="primary" onClick={() => onEdit(data.id)}>
                修改
              </Button>
            </Act>
          </>
        )
      }
    >
      {(row) => <Facts product={row} />}
    </DetailDrawer>
  );
}

function Facts({ product: p }: { product: Product }): ReactNode {
  return (
    <>
      <HeroLine
        label={`编码 ${p.skuNo}`}
        value={[p.name, p.spec].filter(Boolean).join(" ")}
        status={<StatusTag of={saleState} code={p.state} />}
      />
      <Group
        title="商品"
        pairs={[
          ["图片", <Tile of={p.picture} name={p.name} size={64} />],
          ["分类", p.category],
          ["单位", p.unit],
          ["标签", p.tags],
          ["税收分类编码", p.taxCode],
          ["税率", p.taxRate === null ? null : `${taxRate.label(p.taxRate)}${p.policy === 0 ? "" : `（${taxPolicy.label(p.policy)}）`}`],
          ["特性", [p.weighed && "称重", p.gift && "赠品", p.noDiscount && "不参与优惠"].filter(Boolean).join("、")],
          [
            "来源",
            p.baseId === null
              ? "自建"
              : `基础商品${p.own.length > 0 ? `，自有：${p.own.map((one) => inherited.label(one)).join("、")}` : "，全部继承"}`,
          ],
          ["新建时间", <Time at={p.createdAt} />],
        ]}
      />
      <Group title={`规格（${p.skus.length}）`}>
        <Skus of={p} />
      </Group>
      {p.stores.length > 0 && (
        <Group title="门店自己的设置">
          <Stores of={p} />
        </Group>
      )}
      <Group title="改价记录">
        <Prices of={p} />
      </Group>
    </>
  );
}
function Skus({ of: p }: { of: Product }): ReactNode {
  const c = columns<Product["skus"][number]>();
  return (
    <DataTable
      label="规格"
      density="compact"
      rows={p.skus}
      columns={[
        c.text("spec", "规格", (row) => row.spec.join(" / ") || "默认", { width: 128 }),
        c.text("skuNo", "编码", { width: 112 }),
        c.text("barcodes", "条码", (row) => codesText(row.barcodes), { width: 200 }),
        c.money("priceCents", "售价（元）", { width: 104 }),
        c.money("memberCents", "会员价（元）", { width: 104 }),
        c.code("state", "状态", saleState, { width: 88 }),
      ]}
    />
  );
}
function Stores({ of: p }: { of: Product }): ReactNode {
  const c = columns<Product["stores"][number] & { id: string }>();
  return (
    <DataTable
      label="门店"
      density="compact"
      rows={p.stores.map((one) => ({ ...one, id: one.storeId }))}
      columns={[
        c.text("storeName", "门店", { width: 160 }),
        c.text("onSale", "在售", (row) => (row.onSale ? "是" : "否"), { width: 72 }),
        c.money("priceCents", "本店售价（元）", { width: 120 }),
        c.money("memberCents", "本店会员价（元）", { width: 130 }),
        c.number("stock", "库存", { width: 88 }),
      ]}
    />
  );
}
function Prices({ of: p }: { of: Product }): ReactNode {
  const [busy, run] = useRun([getProduct, getProducts]);
  const may = useAct(cancelPrice);
  const c = columns<Product["prices"][number]>();
  const cancel = (id: string) =>
    run(async () => {
      await call(cancelPrice, { id });
      success("已取消改价");
    });
  return (
    <DataTable
      label="改价记录"
      density="compact"
      rows={p.prices}
      columns={[
        c.time("fromAt", "生效时间", { width: 152 }),
        c.text("skuNo", "编码", { width: 104, note: (row) => row.storeName }),
        c.code("kind", "类型", priceKind, { width: 72 }),
        c.money("cents", "价格（元）", { width: 96 }),
        c.code("status", "状态", priceStatus, { width: 80 }),
        c.text("byName", "操作人", { width: 104, note: (row) => row.imported && "导入" }),
        ...(may
          ? [
              c.actions(
                (row) =>
                  row.status < 2 && (
                    <Button tone="link" busy={busy} onClick={() => void cancel(row.id)}>
                      取消
                    </Button>
                  ),
                { width: 64 },
              ),
            ]
          : []),
      ]}
    />
  );
}
