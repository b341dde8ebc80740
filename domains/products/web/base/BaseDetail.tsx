import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { useScreenTitle } from "@zhangfang/web/screen-title.tsx";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { DetailScreen, Group, HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { adoptBaseGood, baseOwner, getBaseGood, offerBaseGoods, taxPolicy, taxRate, updateBaseGood } from "../../contract/index.ts";
import { Tile } from "../words.tsx";
import { AdoptDrawer } from "./AdoptDrawer.tsx";
import { EditBaseDrawer } from "./BaseForm.tsx";
import { OfferDrawer } from "./OfferDrawer.tsx";

type Good = OutputOf<typeof getBaseGood>;

/** 基础商品详情: what it is, and who may sell it. */
export function BaseDetail(): ReactNode {
  const [query] = useSearchParams();
  const id = query.get("id") ?? "";
  const good = useDetail(getBaseGood, id && { id });
  const [edit, offer, adopt] = [usePanel("edit"), usePanel("offer"), usePanel("adopt")];
  useScreenTitle(good.data && `基础商品 · ${good.data.name}`);
  const { data } = good;
  return (
    <DetailScreen
      title="基础商品详情"
      list={["/basicInfo/basicGoods", "基础商品"]}
      of={good}
      actions={
        data && (
          <>
            <Act of={offerBaseGoods}>{data.owner === "provider" && <Button onClick={() => offer.open()}>下发或收回</Button>}</Act>
            <Act of={updateBaseGood}>{data.mine && <Button onClick={() => edit.open()}>修改</Button>}</Act>
            <Act of={adoptBaseGood}>
              {data.adoptedAs === null ? (
                <Button tone="primary" onClick={() => adopt.open()}>
                  转为销售商品
                </Button>
              ) : (
                <Link to={`/product/product?id=${data.adoptedAs}`}>查看我的商品</Link>
              )}
            </Act>
          </>
        )
      }
    >
      {(row) => (
        <>
          <Facts good={row} />
          {edit.id && <EditBaseDrawer key={row.revision} good={row} onClose={edit.close} />}
          {offer.id && <OfferDrawer ids={[row.id]} onClose={offer.close} />}
          {adopt.id && <AdoptDrawer good={row} onClose={adopt.close} />}
        </>
      )}
    </DetailScreen>
  );
}
function Facts({ good: g }: { good: Good }): ReactNode {
  const v = columns<Good["variants"][number]>();
  const m = columns<Good["merchants"][number]>();
  return (
    <>
      <HeroLine label={`${baseOwner.label(g.owner)}${g.merchantName === null ? "" : ` · ${g.merchantName}`}`} value={g.name} />
      <Group
        title="商品"
        pairs={[
          ["图片", <Tile of={g.picture} name={g.name} size={64} />],
          ["分类", g.category],
          ["品牌", g.brand],
          ["单位", g.unit],
          ["税收分类编码", g.taxCode],
          ["税率", g.taxRate === null ? null : `${taxRate.label(g.taxRate)}${g.policy === 0 ? "" : `（${taxPolicy.label(g.policy)}）`}`],
          ["新建时间", <Time at={g.createdAt} />],
        ]}
      />
      <Group title={`规格（${g.variants.length}）`}>
        <DataTable
          label="规格"
          density="compact"
          rows={g.variants}
          columns={[
            v.text("spec", g.attributes.join(" / ") || "规格", (row) => row.spec.join(" / ") || "默认", { width: 200 }),
            v.text("barcode", "条码", { width: 200 }),
            v.actions((row) => <Link to={`/basicInfo/saleGoods/detail?id=${row.id}`}>谁在卖</Link>, { width: 96 }),
          ]}
        />
      </Group>
      {g.owner === "provider" && (
        <Group title={`下发给 ${g.offers} 家商户，${g.sellers} 家在卖`}>
          <DataTable
            label="商户"
            density="compact"
            rows={g.merchants}
            blank={<p className="hint">还没有下发给任何商户</p>}
            columns={[
              m.text("name", "商户", { width: 200 }),
              m.text("sells", "在卖", (row) => (row.sells ? "是" : "还没有"), { width: 96 }),
              m.text("offeredAt", "下发时间", (row) => <Time at={row.offeredAt} />, { width: 160 }),
            ]}
          />
        </Group>
      )}
    </>
  );
}
