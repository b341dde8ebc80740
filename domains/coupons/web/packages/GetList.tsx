import type { ReactNode } from "react";
import { Link } from "react-router";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { call } from "@zhangfang/web/api/api.ts";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { type Seek, Sought } from "@zhangfang/web/filter/Sought.tsx";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextArea, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { Neighbours } from "@zhangfang/web/list/Neighbours.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { DetailDrawer, Group, HeroLine, useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { memberColumn, MemberLink } from "../../../members/web/index.ts";
import {
  couponState,
  getPackage,
  getPackageGet,
  listPackageGets,
  listPackages,
  packageGetStatus,
  packageKind,
  previewPackageRefund,
  refundPackage,
  summarisePackageGets,
} from "../../contract/index.ts";
import { endOf } from "../campaigns/campaign-words.ts";
import "../coupons.css";

type Row = RowOf<typeof listPackageGets>;
const c = columns<Row>();
const READS = [listPackageGets, summarisePackageGets, getPackageGet, previewPackageRefund, listPackages, getPackage];

/** 券包领取记录: who got which package, what was paid, and what is left of it. */
export function GetList(): ReactNode {
  const list = useList(listPackageGets, { live_ms: 15_000 });
  const sums = useSummary(summarisePackageGets, list.filters).data;
  const refund = usePanel("refund");
  const get = useDetail(getPackageGet, list.openId && { id: list.openId });
  const mayExport = useAct(["/ticket/groupRecord/export"]);
  const mayPackages = useAct(listPackages);
  return (
    <ListScreen
      title="券包领取记录"
      unit="份"
      list={list}
      tabs={{ of: list.field("status"), set: packageGetStatus, counts: sums?.byStatus }}
      totals={
        sums && [
          ["收款", <Money key="paid" cents={sums.paidCents} symbol />],
          ["已退", <Money key="back" cents={sums.refundedCents} symbol />],
        ]
      }
      filters={
        <>
          <DateRange of={list.range("from", "to")} label="领取时间" />
          <Keyword of={list.field("keyword")} label="单号" placeholder="支付单号 / 会员号 / 手机号" />
          {mayPackages && <Sought of={list.field("packageId")} label="券包" seek={seekPackages} within={[]} placeholder="全部券包" />}
          <Choice of={list.field("kind")} label="收费" set={packageKind} />
        </>
      }
      {...(mayExport && { exportSource: "package-gets" })}
      columns={columnsOf(list.open, refund.open)}
      empty={{ text: "还没有人领过券包" }}
    >
      {list.openId && (
        <DetailDrawer title="券包领取详情" of={get} onClose={list.close} extra={<Neighbours of={list} />}>
          {(one) => <Facts of={one} onRefund={() => refund.open(one.id)} />}
        </DetailDrawer>
      )}
      {refund.id && <RefundDrawer id={refund.id} onClose={refund.close} />}
    </ListScreen>
  );
}
const seekPackages: Seek = async ({ search, id }, signal) => {
  if (id !== undefined) return [await call(getPackage, { id }, { signal, quiet: true })];
  const { items } = await call(listPackages, { pageSize: 20, ...(search && { keyword: search }) } as never, { signal, quiet: true });
  return items;
};
const givesBack = ({ status, priceCents }: Pick<Row, "status" | "priceCents">): boolean => status === 1 && priceCents > 0;

type Open = (id: string) => void;
const columnsOf = (open: Open, refund: Open) => [
  c.link("packageName", "券包", (row) => open(row.id), { width: 144, copy: false }),
  memberColumn<Row>(),
  c.text("memberNo", "会员号", { width: 112, hidden: true }),
  c.code("status", "状态", packageGetStatus, { width: 88 }),
  c.money("priceCents", "售价（元）", { width: 96, note: (row) => row.priceCents === 0 && "免费" }),
  c.text("coupons", "券", (row) => <span className="num">{`共 ${row.coupons} 张`}</span>, {
    width: 152,
    note: (row) => `已用 ${row.used}，未用 ${row.left}${row.returned > 0 ? `，退 ${row.returned}` : ""}`,
  }),
  c.money("refundCents", "退款（元）", { width: 96 }),
  c.text("orderNo", "支付单号", { width: 240, hidden: true }),
  c.time("gotAt", "发放时间", { width: 168, hidden: true }),
  c.time("createdAt", "领取时间", { width: 168, sort: "-createdAt" }),
  c.actions(
    (row) =>
      givesBack(row) && (
        <Act of={refundPackage}>
          <Button tone="link" onClick={() => refund(row.id)}>
            退款
          </Button>
        </Act>
      ),
    { width: 72, of: [refundPackage] },
  ),
];

function Facts({ of: get, onRefund }: { of: OutputOf<typeof getPackageGet>; onRefund: () => void }): ReactNode {
  return (
    <>
      <HeroLine
        label={get.packageName}
        value={get.priceCents === 0 ? "免费领取" : `¥${yuan(get.priceCents)}`}
        status={<StatusTag of={packageGetStatus} code={get.status} />}
      />
      {givesBack(get) && (
        <Act of={refundPackage}>
          <div className="coupon-line package-acts">
            <Button onClick={onRefund}>退款</Button>
          </div>
        </Act>
      )}
      <Group
        title="这一份"
        pairs={[
          ["会员", <MemberLink key="m" of={get} />],
          ["会员号", get.memberNo],
          ["支付单号", get.orderNo && <Link to={`/dataCentre/payOrder?keyword=${get.orderNo}`}>{get.orderNo}</Link>],
          ["下单时间", <Time key="c" at={get.createdAt} />],
          ["发放时间", get.gotAt && <Time key="g" at={get.gotAt} />],
          ["退款", get.refundCents !== null && <Money key="b" cents={get.refundCents} symbol />],
          ["退款单号", get.refundNo],
        ]}
      />
      <Group title="里面的券">
        <Parts of={get.parts} priced={get.priceCents > 0} />
      </Group>
    </>
  );
}
type Part = OutputOf<typeof getPackageGet>["parts"][number] & { readonly why?: string };
const p = columns<Part>();
/** Its coupons; `brief` for a narrow place, where why each stays is said under its state. */
function Parts({ of, priced, brief = false }: { of: readonly Part[]; priced: boolean; brief?: boolean }): ReactNode {
  const mayCoupons = useAct(["/dataCentre/couponDetail"]);
  const more = [
    p.text(
      "no",
      "尾号",
      (row) => (row.no !== null && mayCoupons ? <Link to={`/dataCentre/couponDetail?id=${row.couponId ?? ""}`}>{row.no}</Link> : row.no),
      { width: 72 },
    ),
    p.text("validTo", "到期", (row) => row.validTo && <span className="num">{endOf(row.validTo)}</span>, { width: 144 }),
  ];
  return (
    <DataTable
      label="里面的券"
      density="compact"
      rows={of}
      rowKey={(part) => `${part.couponId ?? part.name} ${of.indexOf(part)}`}
      columns={[
        p.text("name", "优惠券", { width: 160, note: (row) => row.worth }),
        p.text("state", "状态", (row) => row.state !== null && <StatusTag of={couponState} code={row.state} />, {
          width: brief ? 128 : 88,
          ...(brief && { note: (row: Part) => row.why }),
        }),
        ...(brief ? [] : more),
        ...(priced ? [p.money("shareCents", "分摊（元）", { width: 96 })] : []),
      ]}
    />
  );
}

/** 退款: what goes back and what stays, each named; nobody types an amount. */
function RefundDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const preview = useDetail(previewPackageRefund, { id });
  const title = "券包退款";
  if (!preview.data) return <WaitingDrawer title={title} of={preview} onClose={onClose} />;
  if (preview.data.refusal !== null)
    return (
      <Drawer title={title} onClose={onClose}>
        <p className="notice notice-warn">{preview.data.refusal}</p>
        <Group title="里面的券">
          <Parts of={preview.data.stays} priced brief />
        </Group>
      </Drawer>
    );
  return <RefundForm key={preview.data.refundCents} id={id} preview={preview.data} onClose={onClose} />;
}
function RefundForm({
  id,
  preview,
  onClose,
}: {
  id: string;
  preview: OutputOf<typeof previewPackageRefund>;
  onClose: () => void;
}): ReactNode {
  const { refundCents, priceCents, goes, stays, needsPassword } = preview;
  const form = useForm(refundPackage, {
    initial: { id, refundCents, reason: "" },
    draft: false,
    done: "已提交退款，这些券不能再用",
    refreshes: READS,
    onDone: onClose,
    ask: () => ({
      text: `退款 ¥${yuan(refundCents)} 原路退回付款人，${goes.length} 张没用的券作废${stays.length > 0 ? `，另外 ${stays.length} 张不退` : ""}。只能退一次。`,
      ok: `确认退款 ¥${yuan(refundCents)}`,
      danger: true,
    }),
  });
  return (
    <FormDrawer form={form} title="券包退款" submit={`确认退款 ¥${yuan(refundCents)}`} danger onClose={onClose}>
      <HeroLine label={`应退，售价 ¥${yuan(priceCents)}`} amount={refundCents} />
      <p className="note">按每张券最多能减多少分摊售价，只退没用过的；提交时先占住，到账前不能用，钱退不成会放开。</p>
      <Group title={`退掉并作废（${goes.length} 张）`}>
        <Parts of={goes} priced brief />
      </Group>
      {stays.length > 0 && (
        <Group title={`不退，照常（${stays.length} 张）`}>
          <Parts of={stays} priced brief />
        </Group>
      )}
      <Field of={form.field("reason")} label="说明" help="顾客会在退款通知里看到">
        {(f) => <TextArea {...f} maxLength={80} rows={2} />}
      </Field>
      {needsPassword && (
        <Field of={form.field("refundPassword")} label="退款密码" help="在商户配置里设置">
          {(f) => <TextInput {...f} type="password" autoComplete="off" maxLength={32} />}
        </Field>
      )}
    </FormDrawer>
  );
}
