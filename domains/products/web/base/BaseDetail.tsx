import { type ReactNode, useState } from "react";
import { Link, useSearchParams } from "react-router";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { MoneyInput, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { useScreenTitle } from "@zhangfang/web/screen-title.tsx";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { DetailScreen, Group, HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { adoptBaseGood, baseOwner, getBaseGood, getBaseGoods, getProducts, offerBaseGoods, taxPolicy, taxRate, updateBaseGood } from "../../contract/index.ts";
import { Tile } from "../words.tsx";
import { EditBaseDrawer } from "./BaseForm.tsx";
import { OfferDrawer } from "./OfferDrawer.tsx";
import "../products.css";

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
            columns={[m.text("name", "商户", { width: 200 }), m.text("sells", "在卖", (row) => (row.sells ? "是" : "还没有"), { width: 96 }), m.text("offeredAt", "下发时间", (row) => <Time at={row.offeredAt} />, { width: 160 })]}
          />
        </Group>
      )}
    </>
  );
}

/** 转为销售商品: a price for each spec that is to be sold; the others are left out. */
function AdoptDrawer({ good, onClose }: { good: Good; onClose: () => void }): ReactNode {
  type Row = { variantId: string; skuNo?: string | undefined; priceCents?: number | undefined; memberCents?: number | null };
  const [rows, setRows] = useState<readonly Row[]>(good.variants.map(({ id }) => ({ variantId: id })));
  const form = useForm(adoptBaseGood, { initial: { id: good.id, skus: [] }, draft: false, done: "已转为销售商品", refreshes: [getBaseGood, getBaseGoods, getProducts], onDone: onClose });
  const put = (at: number, some: Partial<Row>): void => {
    const next = rows.with(at, { ...rows[at]!, ...some });
    setRows(next);
    form.set({ skus: next.filter(({ priceCents }) => priceCents !== undefined) as never });
  };
  const priced = rows.flatMap((row, at) => (row.priceCents === undefined ? [] : [at]));
  return (
    <FormDrawer form={form} title={`销售 ${good.name}`} submit={`销售 ${priced.length} 个规格`} wide onClose={onClose}>
      <p className="hint">填了售价的规格开始销售；名称、图片、单位和税务跟着基础商品变。</p>
      <div className="variant-rows">
        {good.variants.map(({ id, spec, barcode }, at) => {
          const wrong = ["skuNo", "priceCents", "memberCents", "variantId"].map((name) => form.errorAt(`skus.${priced.indexOf(at)}.${name}`)).find(Boolean);
          const name = spec.join(" / ") || "默认";
          return (
            <div className="variant-row" key={id} role="group" aria-label={name}>
              <span>
                {name}
                <br />
                <span className="hint">{barcode ?? "无条码"}</span>
              </span>
              <label>
                编码
                <TextInput value={rows[at]?.skuNo ?? ""} onChange={(value) => put(at, { skuNo: value === "" ? undefined : value })} maxLength={32} placeholder="留空自动编号" aria-label={`${name} 编码`} />
              </label>
              <label>
                售价
                <MoneyInput onChange={(value) => put(at, { priceCents: value })} {...(rows[at]?.priceCents !== undefined && { value: rows[at].priceCents })} aria-label={`${name} 售价`} />
              </label>
              <label>
                会员价
                <MoneyInput onChange={(value) => put(at, { memberCents: value ?? null })} {...(rows[at]?.memberCents != null && { value: rows[at].memberCents })} aria-label={`${name} 会员价`} />
              </label>
              {wrong && (
                <p className="field-error variant-wrong" role="alert">
                  {wrong}
                </p>
              )}
            </div>
          );
        })}
      </div>
      {form.errorAt("skus") && <p className="field-error">{form.errorAt("skus")}</p>}
    </FormDrawer>
  );
}
