import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import {
  goodsKind,
  listVouchers,
  summariseVouchers,
  voucherCheck,
  type VoucherPlatform,
  voucherPlatform,
  voucherStatus,
} from "../../contract/index.ts";

type Row = RowOf<typeof listVouchers>;
/** 平台券: vouchers that were brought here. */
export function VoucherList({ platform, views }: { platform: VoucherPlatform; views: ReactNode }): ReactNode {
  const navigate = useNavigate();
  const list = useList(listVouchers, { defaults: { platform } });
  const sums = useSummary(summariseVouchers, list.filters).data;
  const mayExport = useAct([`/plat-${platform}/coupon/export`]);
  const detailOf = ({ id }: Row): string => `/plat-${platform}/coupon/detail?id=${id}`;
  const ofMerchants = new Set(list.rows.map(({ merchantName }) => merchantName)).size > 1;
  const c = columns<Row>();
  return (
    <ListScreen
      title={`${voucherPlatform.label(platform)}平台券`}
      unit="张"
      list={list}
      onOpen={(row) => void navigate(detailOf(row))}
      hrefOf={(row) => `#${detailOf(row)}`}
      tabs={{ of: list.field("status"), set: voucherStatus, counts: sums?.byStatus }}
      totals={
        sums && [
          ["用户实付", `¥${yuan(sums.payCents)}`],
          ["券面值", `¥${yuan(sums.faceCents)}`],
        ]
      }
      filters={
        <>
          <DateRange of={list.range("from", "to")} label="更新时间" />
          <Keyword of={list.field("keyword")} label="券" placeholder="后四位 / 商品" />
          <Choice of={list.field("kind")} label="类型" set={goodsKind} />
          <Choice of={list.field("check")} label="核对" set={voucherCheck} />
          <OrgFilter of={list} levels={["merchantId", "storeId"]} />
        </>
      }
      actions={views}
      {...(mayExport && { exportSource: `vouchers-${platform}` })}
      columns={[
        c.link("title", "商品", { to: detailOf }, { width: 216, copy: false, note: (row) => goodsKind.label(row.kind) }),
        c.text("tail", "券码", (row) => <span className="num">{row.tail === "" ? "扫码" : `尾号 ${row.tail}`}</span>, { width: 88 }),
        c.code("status", "状态", voucherStatus, { width: 88 }),
        c.number("used", "已用（次）", { width: 96, note: (row) => (row.times > 1 ? `共 ${row.times}` : "") }),
        c.money("payCents", "用户实付（元）", { width: 128, main: true }),
        c.money("faceCents", "券面值（元）", { width: 120, hidden: true }),
        c.text("merchantName", "商户", { width: 120, hidden: !ofMerchants }),
        c.text("storeName", "门店", { width: 136 }),
        c.text("byName", "经手人", { width: 96 }),
        c.time("endsAt", "到期", { width: 168, hidden: true }),
        c.time("updatedAt", "更新时间", { width: 168, sort: "-updatedAt" }),
      ]}
      empty={{ text: "还没有人拿券来过。在核销台扫一张就有了" }}
    />
  );
}
