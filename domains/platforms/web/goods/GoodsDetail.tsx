import type { ReactNode } from "react";
import { Link, useLocation, useSearchParams } from "react-router";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { useScreenTitle } from "@zhangfang/web/screen-title.tsx";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Copy } from "@zhangfang/web/show/Copy.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { DetailScreen, Group, HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { getPlatformGoods, goodsKind, goodsStatus, saveGoodsServe, voucherPlatform } from "../../contract/index.ts";
import { ServeDrawer } from "./ServeDrawer.tsx";

/** 平台商品详情 */
export function GoodsDetail(): ReactNode {
  const [query] = useSearchParams();
  const ks = useLocation().pathname.startsWith("/plat-ks/");
  const id = query.get("id") ?? "";
  const goods = useDetail(getPlatformGoods, id && { id });
  const serve = usePanel("serve");
  useScreenTitle(goods.data && `商品 · ${goods.data.title}`);
  return (
    <DetailScreen
      title="平台商品详情"
      list={[ks ? "/plat-ks/goods" : "/plat-dy/goods", "平台商品"]}
      of={goods}
      actions={
        goods.data && (
          <Act of={saveGoodsServe}>
            <Button tone="primary" onClick={() => serve.open(id)}>
              {goods.data.serve === "" ? "填要上的菜" : "改要上的菜"}
            </Button>
          </Act>
        )
      }
    >
      {(row) => (
        <>
          <HeroLine
            label={`${voucherPlatform.label(row.platform)} · ${goodsKind.label(row.kind)}`}
            value={row.title}
            status={<StatusTag of={goodsStatus} code={row.status} />}
          />
          <Group
            title="商品"
            pairs={[
              ["售价", <Money key="price" cents={row.priceCents} symbol />],
              ["门市价", <Money key="market" cents={row.marketCents} symbol />],
              ["库存", row.stock === null ? "平台未提供" : row.stock.toLocaleString("en-US")],
              ["已售", row.sold === null ? "平台未提供" : row.sold.toLocaleString("en-US")],
              ["在这里核销", `${row.verified.toLocaleString("en-US")} 次`],
              ["核销的用户实付", <Money key="used" cents={row.verifiedCents} symbol />],
              ["要上的菜", row.serve && `${row.serve}${row.servedBy && `（${row.servedBy} 填）`}`],
              ["平台编号", <Copy key="id" text={row.goodsId} />],
              ["商户", row.merchantName],
              ["同步时间", <Time key="seen" at={row.seenAt} />],
            ]}
          />
          <Group
            title="适用门店"
            pairs={row.poi.map(({ poiId, name, storeName }) => [
              name,
              storeName ?? (
                <Link key={poiId} to={`/store/other?platform=${row.platform}&keyword=${encodeURIComponent(poiId)}`}>
                  待映射，去映射
                </Link>
              ),
            ])}
          >
            {row.poi.length === 0 && <p className="note">平台没有说它在哪些门店能用。</p>}
          </Group>
          {serve.id && <ServeDrawer of={row} onClose={serve.close} />}
        </>
      )}
    </DetailScreen>
  );
}
