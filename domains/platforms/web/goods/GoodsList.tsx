import type { ReactNode } from "react";
import { Link, useNavigate } from "react-router";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { useUser } from "@zhangfang/web/api/user.ts";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { OneRow } from "@zhangfang/web/list/OneRow.tsx";
import { type Column, columns } from "@zhangfang/web/list/table/columns.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import {
  getPlatformGoods,
  getPlatformSync,
  goodsKind,
  goodsStatus,
  listPlatformGoods,
  saveGoodsServe,
  savePlatformAccount,
  startPlatformSync,
  summarisePlatformGoods,
  type VoucherPlatform,
  voucherPlatform,
} from "../../contract/index.ts";
import { minute } from "../platform-words.ts";
import { AccountDrawer } from "./AccountDrawer.tsx";
import { ServeDrawer } from "./ServeDrawer.tsx";

type Row = RowOf<typeof listPlatformGoods>;
/** 平台商品: what the platform sells for the merchant, as it was loaded last. */
function GoodsList({ platform }: { platform: VoucherPlatform }): ReactNode {
  const navigate = useNavigate();
  const { level } = useUser();
  const list = useList(listPlatformGoods, { defaults: { platform } });
  const sums = useSummary(summarisePlatformGoods, list.filters).data;
  const [account, serve] = [usePanel("account"), usePanel("serve")];
  const merchantId = list.filters["merchantId"];
  const detailOf = ({ id }: Row): string => `/plat-${platform}/goods/detail?id=${id}`;
  const name = voucherPlatform.label(platform);
  const acts = (
    <>
      <Act of={savePlatformAccount}>
        <Button onClick={() => account.open()}>{name}账户</Button>
      </Act>
      <Sync platform={platform} merchantId={merchantId} provider={level === "SP"} />
    </>
  );
  return (
    <ListScreen
      title={`${name}平台商品`}
      unit="个"
      list={list}
      onOpen={(row) => void navigate(detailOf(row))}
      hrefOf={(row) => `#${detailOf(row)}`}
      tabs={{ of: list.field("status"), set: goodsStatus, counts: sums?.byStatus }}
      totals={
        sums && sums.waitingStores > 0
          ? [
              [
                "待映射门店",
                <Link key="waiting" to={`/store/other?platform=${platform}&state=waiting`}>
                  {sums.waitingStores} 家，去映射
                </Link>,
              ],
            ]
          : undefined
      }
      filters={
        <>
          <Keyword of={list.field("keyword")} label="商品" placeholder="名称 / 平台编号" />
          <Choice of={list.field("kind")} label="类型" set={goodsKind} />
          <OrgFilter of={list} levels={["merchantId"]} />
        </>
      }
      actions={acts}
      columns={columnsOf(detailOf, serve.open, level === "MCH")}
      empty={{ text: `还没有${name}商品。先填账户，再同步`, action: acts }}
    >
      {account.id && <AccountDrawer platform={platform} merchantId={merchantId} onClose={account.close} />}
      <OneRow list={list} by={getPlatformGoods} id={serve.id} title="要上的菜" onClose={serve.close}>
        {(row) => <ServeDrawer key={row.id} of={row} onClose={serve.close} />}
      </OneRow>
    </ListScreen>
  );
}
export const DouyinGoods = (): ReactNode => <GoodsList platform="dy" />;
export const KuaishouGoods = (): ReactNode => <GoodsList platform="ks" />;

/** Figures stand on the right, also where some are not told. */
const figure = (column: Column<Row>): Column<Row> => ({ ...column, kind: "number" });
const untold = <span className="blank">平台未提供</span>;
function columnsOf(detailOf: (row: Row) => string, edit: (id: string) => void, own: boolean) {
  const c = columns<Row>();
  return [
    c.link("title", "商品", { to: detailOf }, { width: 200, copy: false, note: (row) => goodsKind.label(row.kind) }),
    c.code("status", "状态", goodsStatus, { width: 88 }),
    c.money("priceCents", "售价（元）", { width: 104, main: true }),
    c.money("marketCents", "门市价（元）", { width: 112, hidden: true }),
    figure(c.text("stock", "库存", (row) => (row.stock === null ? untold : row.stock.toLocaleString("en-US")), { width: 88 })),
    figure(c.text("sold", "已售", (row) => (row.sold === null ? untold : row.sold.toLocaleString("en-US")), { width: 88 })),
    c.text("stores", "门店", (row) => (row.stores === null ? untold : `${row.stores} 家，已映射 ${row.mapped}`), { width: 136 }),
    c.text("serve", "要上的菜", { width: 160 }),
    c.text("merchantName", "商户", { width: 120, hidden: own }),
    c.time("seenAt", "同步时间", { width: 160, sort: "-seenAt" }),
    c.actions(
      (row) => (
        <Act of={saveGoodsServe}>
          <Button tone="link" onClick={() => edit(row.id)}>
            {row.serve === "" ? "填要上的菜" : "改要上的菜"}
          </Button>
        </Act>
      ),
      { width: 112, of: [saveGoodsServe] },
    ),
  ];
}

/** 同步, with how far it is. */
function Sync(given: { platform: VoucherPlatform; merchantId: string | undefined; provider: boolean }): ReactNode {
  const { platform, merchantId, provider } = given;
  const asked = { platform, ...(merchantId !== undefined && { merchantId }) };
  const last = useDetail(getPlatformSync, asked, { until: ({ sync }) => sync?.status !== 0 }).data?.sync;
  const [busy, run] = useRun([getPlatformSync, listPlatformGoods, summarisePlatformGoods]);
  const running = last?.status === 0;
  if (provider && merchantId === undefined) return <span className="note">选一个商户再同步</span>;
  return (
    <>
      {last && (
        <span className="note" role="status">
          {running
            ? `正在同步：${last.stores} 家门店，${last.goods} 个商品`
            : last.status === 1
              ? `${minute(last.startedAt)} 同步了 ${last.stores} 家门店、${last.goods} 个商品`
              : `没有同步完：${last.why}`}
        </span>
      )}
      <Act of={startPlatformSync}>
        <Button tone="primary" busy={busy || running} onClick={() => void run(() => call(startPlatformSync, asked))}>
          同步
        </Button>
      </Act>
    </>
  );
}
