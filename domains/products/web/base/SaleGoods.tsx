import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { useScreenTitle } from "@zhangfang/web/screen-title.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { DetailScreen, Group, HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { baseOwner, getSaleGood, getSaleGoods, saleState, summariseSaleGoods } from "../../contract/index.ts";
import { choices, Tile } from "../words.tsx";

/** 销售商品: 商品 seen by what it is made of, and who sells it between which prices. */
export function SaleGoodsList(): ReactNode {
  const list = useList(getSaleGoods);
  const sums = useSummary(summariseSaleGoods, list.filters).data;
  const mayExport = useAct(["/basicInfo/saleGoods/export"]);
  const c = columns<RowOf<typeof getSaleGoods>>();
  return (
    <ListScreen
      title="销售商品"
      unit="个"
      list={list}
      onOpen={false}
      totals={sums && [["有商户在卖", sums.sold]]}
      filters={
        <>
          <Keyword of={list.field("keyword")} label="商品" placeholder="名称 / 条码" />
          <Choice of={list.field("category")} label="分类" set={choices(sums?.categories)} />
          <Choice of={list.field("owner")} label="归属" set={baseOwner} />
        </>
      }
      {...(mayExport && { exportSource: "sale-goods" })}
      columns={[
        c.text("picture", "图片", (row) => <Tile of={row.picture} name={row.name} />, { width: 64 }),
        c.link("name", "商品", { to: (row) => `/basicInfo/saleGoods/detail?id=${row.id}` }, { width: 176, copy: false }),
        c.text("spec", "规格", { width: 112 }),
        c.text("barcode", "条码", { width: 144 }),
        c.text("category", "分类", { width: 88 }),
        c.code("owner", "归属", baseOwner, { width: 96 }),
        c.number("merchants", "销售商户", { width: 96 }),
        c.number("onSale", "在售", { width: 80 }),
        c.money("lowCents", "最低售价（元）", { width: 128, main: true }),
        c.money("highCents", "最高售价（元）", { width: 128 }),
        c.time("createdAt", "新建时间", { hidden: true }),
      ]}
      empty={{ text: "还没有可以销售的基础商品。先在「基础商品」里新建", action: <Link to="/basicInfo/basicGoods">去基础商品</Link> }}
    />
  );
}

type Good = OutputOf<typeof getSaleGood>;
/** 销售商品详情. */
export function SaleGoodsDetail(): ReactNode {
  const [query] = useSearchParams();
  const id = query.get("id") ?? "";
  const good = useDetail(getSaleGood, id && { id });
  useScreenTitle(good.data && `销售商品 · ${good.data.name}`);
  return (
    <DetailScreen
      title="销售商品详情"
      list={["/basicInfo/saleGoods", "销售商品"]}
      of={good}
      actions={good.data && <Link to={`/basicInfo/basicGoods/detail?id=${good.data.baseId}`}>看基础商品</Link>}
    >
      {(row) => <Facts good={row} />}
    </DetailScreen>
  );
}
function Facts({ good: g }: { good: Good }): ReactNode {
  const c = columns<Good["sellers"][number]>();
  return (
    <>
      <HeroLine label={g.barcode ?? "无条码"} value={[g.name, g.spec].filter(Boolean).join(" ")} />
      <Group
        title="销售"
        pairs={[
          ["图片", <Tile of={g.picture} name={g.name} size={64} />],
          ["销售商户", `${g.merchants} 家，${g.onSale} 家在售`],
          ["最低售价", g.lowCents === null ? null : <Money cents={g.lowCents} symbol />],
          ["最高售价", g.highCents === null ? null : <Money cents={g.highCents} symbol />],
        ]}
      />
      <Group title={g.merchants > g.sellers.length ? `按售价排在前面的 ${g.sellers.length} 家` : "谁在卖"}>
        <DataTable
          label="商户"
          density="compact"
          rows={g.sellers}
          rowKey={(row) => row.skuId}
          blank={<p className="hint">还没有商户在卖</p>}
          columns={[
            c.text("merchantName", "商户", { width: 160 }),
            c.text("name", "商户的叫法", { width: 160 }),
            c.text("skuNo", "编码", { width: 120 }),
            c.money("priceCents", "售价（元）", { width: 112 }),
            c.money("memberCents", "会员价（元）", { width: 112 }),
            c.code("state", "状态", saleState, { width: 88 }),
          ]}
        />
      </Group>
    </>
  );
}
