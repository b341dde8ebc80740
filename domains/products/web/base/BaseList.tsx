import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { selectedIds } from "@zhangfang/web/list/selected.ts";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { addBaseGood, baseOwner, getBaseGoods, offerBaseGoods, summariseBaseGoods, taxRate } from "../../contract/index.ts";
import { choices, Tile } from "../words.tsx";
import { AddBaseDrawer } from "./BaseForm.tsx";
import { OfferDrawer } from "./OfferDrawer.tsx";

/** 基础商品: the library, of the provider and of merchants. */
export function BaseList(): ReactNode {
  const list = useList(getBaseGoods);
  const sums = useSummary(summariseBaseGoods, list.filters).data;
  const [add, offer] = [usePanel("add"), usePanel("offer")];
  const mayExport = useAct(["/basicInfo/basicGoods/export"]);
  const adding = (
    <Act of={addBaseGood}>
      <Button tone="primary" onClick={() => add.open()}>
        新建基础商品
      </Button>
    </Act>
  );
  const mayOffer = useAct(offerBaseGoods);
  return (
    <ListScreen
      title="基础商品"
      unit="个"
      list={list}
      tabs={{ of: list.field("owner"), set: baseOwner, counts: sums?.byOwner }}
      onOpen={false}
      filters={
        <>
          <Keyword of={list.field("keyword")} label="商品" placeholder="名称 / 品牌 / 条码" />
          <Choice of={list.field("category")} label="分类" set={choices(sums?.categories)} />
          <OrgFilter of={list} levels={["merchantId"]} />
        </>
      }
      actions={adding}
      {...(mayExport && { exportSource: "base-goods" })}
      {...(mayOffer && {
        batch: (selection) => (
          <Button
            small
            onClick={() =>
              void selectedIds(getBaseGoods, selection, { most: 200, unit: "个商品" }).then((ids) => {
                if (ids && ids.length > 0) offer.open(ids.join(","));
              })
            }
          >
            下发或收回
          </Button>
        ),
      })}
      columns={shownColumns()}
      empty={{ text: "还没有基础商品。建好一次，商户拿来定价就能卖", action: adding }}
    >
      {add.id && <AddBaseDrawer categories={sums?.categories ?? []} onClose={add.close} />}
      {offer.id && offer.id !== "new" && <OfferDrawer ids={offer.id.split(",")} onClose={offer.close} />}
    </ListScreen>
  );
}
function shownColumns() {
  const c = columns<RowOf<typeof getBaseGoods>>();
  return [
    c.text("picture", "图片", (row) => <Tile of={row.picture} name={row.name} />, { width: 64 }),
    c.link("name", "名称", { to: (row) => `/basicInfo/basicGoods/detail?id=${row.id}` }, { width: 176, copy: false }),
    c.text("barcode", "条码", { width: 144 }),
    c.number("skus", "规格数", { width: 80 }),
    c.text("category", "分类", { width: 88 }),
    c.text("brand", "品牌", { width: 96 }),
    c.text("unit", "单位", { width: 64 }),
    c.text("taxRate", "税率", (row) => (row.taxRate === null ? null : taxRate.label(row.taxRate)), {
      width: 72,
      note: (row) => row.taxCode,
    }),
    c.code("owner", "归属", baseOwner, { width: 96, note: (row) => row.merchantName }),
    c.number("offers", "下发商户", { width: 96 }),
    c.number("sellers", "在售商户", { width: 96 }),
    c.time("createdAt", "新建时间", { hidden: true }),
  ];
}
