import type { ReactNode } from "react";
import { Link } from "react-router";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { call } from "@zhangfang/web/api/api.ts";
import { useUser } from "@zhangfang/web/api/user.ts";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { Neighbours } from "@zhangfang/web/list/Neighbours.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { DetailDrawer, Group, HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { memberColumn, MemberLink } from "../../members/web/index.ts";
import { payChannel } from "../../channels/contract.ts";
import { drawMode } from "../../value-book/contract.ts";
import {
  addRecharge,
  askCardRefund,
  cardRefundReason,
  cardRefundStatus,
  decideRecharge,
  getRecharge,
  listRecharges,
  rechargeStatus,
  rechargeViews,
  rechargeWay,
  settleRechargeCoupons,
  summariseRecharges,
} from "../contract/index.ts";
import { AddRechargeDrawer } from "./AddRechargeDrawer.tsx";
import { CardRefundDrawer } from "./card-refund/CardRefundDrawer.tsx";
import { Gift, Principal } from "./stored-figures.tsx";
import "./stored.css";

type Row = RowOf<typeof listRecharges>;

/** 储值充值: what was paid in, by whom and where, what came on top, and what is left of it. */
export function RechargeList({ views }: { views: ReactNode }): ReactNode {
  const list = useList(listRecharges, { defaults: { status: "2" }, live_ms: 15_000, views: rechargeViews });
  const sums = useSummary(summariseRecharges, list.filters).data;
  // What a tier was chosen from stays to be chosen.
  const { tierCents: chosen, ...others } = list.filters;
  const tiers = useSummary(summariseRecharges, others).data;
  const [add, refund, split] = [usePanel("add"), usePanel("card-refund"), usePanel("split")];
  const mayExport = useAct(["/dataCentre/cardRecharge/export"]);
  const { level } = useUser();
  return (
    <ListScreen
      title="储值充值"
      unit="笔"
      list={list}
      tabs={{ of: list.field("status"), set: rechargeStatus, counts: sums?.byStatus }}
      actions={
        <>
          {views}
          {sums && <Button onClick={() => split.open()}>分布</Button>}
          <Act of={addRecharge}>
            <Button tone="primary" onClick={() => add.open()}>
              收现金或转账
            </Button>
          </Act>
        </>
      }
      totals={
        sums && [
          ["本金", <Money key="p" cents={sums.principalCents} symbol />],
          ["赠送（不可退）", yuan(sums.giftCents)],
          ["已退卡", <Money key="r" cents={sums.returnedCents} symbol />],
        ]
      }
      filters={
        <>
          <DateRange of={list.range("from", "to")} label="下单时间" />
          <Keyword of={list.field("keyword")} label="会员" placeholder="会员号 / 手机号 / 订单号" />
          <OrgFilter of={list} levels={level === "SP" ? ["merchantId", "storeId"] : ["storeId"]} />
        </>
      }
      moreFilters={
        <>
          <Choice of={list.field("way")} label="收款方式" set={rechargeWay} />
          <Choice of={list.field("channel")} label="通道" set={payChannel} />
          <Choice of={list.field("tierCents")} label="档位" set={tiersOf(tiers, chosen)} />
        </>
      }
      {...(mayExport && { exportSource: "recharges" })}
      columns={shownColumns(list.open, refund.open)}
      empty={{ text: "还没有充值；设好储值规则后，收银机就能给会员充值" }}
    >
      <RechargeDetail list={list} onRefund={refund.open} />
      {split.id && sums && <SplitDrawer sums={sums} choose={list.setFilters} onClose={split.close} />}
      {add.id && <AddRechargeDrawer onClose={add.close} />}
      {refund.id && <CardRefundDrawer key={refund.id} rechargeId={refund.id} onClose={refund.close} />}
    </ListScreen>
  );
}

type Sums = OutputOf<typeof summariseRecharges>;
const tierName = (cents: number | null): string => (cents ? `充 ${yuan(cents)}` : "自填金额");
/** The tiers that were recharged, and the one that is chosen. */
const tiersOf = (sums: Sums | undefined, chosen: string | undefined) =>
  labelled(
    Object.fromEntries(
      [...(sums?.byTier ?? []).map(({ tierCents }) => tierCents ?? 0), ...(chosen === undefined ? [] : [Number(chosen)])].map((cents) => [
        cents,
        tierName(cents),
      ]),
    ),
  );

/** What has arrived of the filter, by store, tier and channel; each line opens its recharges. */
function SplitDrawer({
  sums,
  choose,
  onClose,
}: {
  sums: Sums;
  choose: ReturnType<typeof useList<typeof listRecharges>>["setFilters"];
  onClose: () => void;
}): ReactNode {
  interface Line extends Omit<Sums["byStore"][number], "id"> {
    readonly id: string;
    readonly filters: Parameters<typeof choose>[0];
  }
  const c = columns<Line>();
  const table = (title: string, rows: readonly Line[]): ReactNode => (
    <Group title={title}>
      <DataTable
        label={title}
        rows={rows}
        blank={<p className="note">没有到账的充值</p>}
        columns={[
          // Another filter closes the panel.
          c.link("name", title, ({ filters }) => choose(filters), { copy: false, width: 136 }),
          c.number("count", "笔数", { width: 72 }),
          c.money("principalCents", "本金（元）"),
          c.money("giftCents", "赠送（元）"),
          c.money("returnedCents", "已退卡"),
        ]}
      />
    </Group>
  );
  return (
    <Drawer title="充值分布" onClose={onClose}>
      {table(
        "门店",
        sums.byStore.map((row) => ({ ...row, filters: { storeId: row.id } })),
      )}
      {table(
        "档位",
        sums.byTier.map(({ tierCents, ...row }) => {
          const id = String(tierCents ?? 0);
          return { ...row, id, name: tierName(tierCents), filters: { tierCents: id } };
        }),
      )}
      {table(
        "通道",
        sums.byChannel.map(({ way, channel, ...row }) => ({
          ...row,
          id: `${way}-${channel}`,
          name: channel === null ? rechargeWay.label(way) : payChannel.label(channel),
          filters: channel === null ? { way: String(way) } : { channel: String(channel) },
        })),
      )}
    </Drawer>
  );
}

function shownColumns(open: (id: string) => void, onRefund: (id: string) => void) {
  const c = columns<Row>();
  return [
    c.link("memberNo", "会员号", (row) => open(row.id), { width: 136 }),
    memberColumn<Row>(),
    c.text("storeName", "门店", { width: 128 }),
    c.code("way", "收款方式", rechargeWay, { width: 88 }),
    c.code("channel", "通道", payChannel, { hidden: true }),
    c.money("principalCents", "本金（元）", { width: 108 }),
    c.money("giftCents", "赠送（元）", { width: 108 }),
    c.number("points", "送积分", { width: 80 }),
    c.money("principalLeftCents", "剩余本金", { width: 108 }),
    c.money("giftLeftCents", "剩余赠送", { width: 100 }),
    c.money("returnedCents", "已退卡", { width: 96 }),
    c.code("status", "状态", rechargeStatus, { width: 84 }),
    c.time("createdAt", "下单时间"),
    c.actions(
      (row) =>
        row.status === 2 &&
        row.principalLeftCents + row.giftLeftCents > 0 && (
          <Act of={askCardRefund}>
            <Button tone="link" onClick={() => onRefund(row.id)}>
              退卡
            </Button>
          </Act>
        ),
      { width: 72, of: [askCardRefund] },
    ),
  ];
}

function RechargeDetail({
  list,
  onRefund,
}: {
  list: ReturnType<typeof useList<typeof listRecharges>>;
  onRefund: (id: string) => void;
}): ReactNode {
  const recharge = useDetail(getRecharge, list.openId && { id: list.openId });
  const [busy, run] = useRun([listRecharges, getRecharge, summariseRecharges]);
  if (!list.openId) return null;
  const one = recharge.data;
  const decide = async (approve: boolean): Promise<void> => {
    if (!one) return;
    const text = approve ? `确认收到 ¥${yuan(one.principalCents)}？通过后立即到账。` : "驳回后不会到账。";
    if (!(await confirm(text, { ok: approve ? "通过" : "驳回" }))) return;
    await run(async () => {
      await call(decideRecharge, { id: one.id, approve });
      success(approve ? "已通过，余额已到账" : "已驳回");
    });
  };
  return (
    <DetailDrawer
      title="充值详情"
      of={recharge}
      onClose={list.close}
      extra={<Neighbours of={list} />}
      footer={
        one && (
          <>
            {one.mayDecide && (
              <Act of={decideRecharge}>
                <Button busy={busy} onClick={() => void decide(false)}>
                  驳回
                </Button>
                <Button tone="primary" busy={busy} onClick={() => void decide(true)}>
                  通过
                </Button>
              </Act>
            )}
            {one.status === 2 && one.couponsFailed > 0 && <FailedCoupons of={one} />}
            {one.status === 2 && one.principalLeftCents + one.giftLeftCents > 0 && (
              <Act of={askCardRefund}>
                <Button onClick={() => onRefund(one.id)}>退卡</Button>
              </Act>
            )}
          </>
        )
      }
    >
      {(shown) => <RechargeFacts recharge={shown} />}
    </DetailDrawer>
  );
}

type Detail = OutputOf<typeof getRecharge>;
/** Coupons that came with it and could not be given: once more, or no more. */
function FailedCoupons({ of: { id, couponsFailed } }: { of: Detail }): ReactNode {
  const [busy, run] = useRun([getRecharge]);
  const settle = async (again: boolean): Promise<void> => {
    const text = again
      ? `再发没发成的 ${couponsFailed} 张券？已领完的，先给优惠券加库存。`
      : `不再发没发成的 ${couponsFailed} 张券？顾客收不到这些券，请先与顾客说好。`;
    if (!(await confirm(text, { ok: again ? "再发" : "不再发" }))) return;
    await run(async () => {
      await call(settleRechargeCoupons, { id, again });
      success(again ? "正在再发，稍后刷新查看" : "已不再发");
    });
  };
  return (
    <Act of={settleRechargeCoupons}>
      <Button busy={busy} onClick={() => void settle(false)}>
        券不再发
      </Button>
      <Button busy={busy} onClick={() => void settle(true)}>
        再发券
      </Button>
    </Act>
  );
}
function RechargeFacts({ recharge }: { recharge: Detail }): ReactNode {
  const m = columns<Detail["moves"][number]>();
  const r = columns<Detail["refunds"][number]>();
  return (
    <>
      <HeroLine label="充值本金" amount={recharge.principalCents} status={<StatusTag of={rechargeStatus} code={recharge.status} />} />
      <Group
        title="这一批"
        pairs={[
          ["剩余本金", <Principal key="p" cents={recharge.principalLeftCents} />],
          ["剩余赠送", <Gift key="g" cents={recharge.giftLeftCents} />],
          ["赠送", <Gift key="w" cents={recharge.giftCents} />],
          ["送积分", recharge.points],
          ["送券", recharge.coupons],
          ["已退卡", <Principal key="r" cents={recharge.returnedCents} />],
          ["扣法", drawMode.label(recharge.mode)],
        ]}
      />
      <Group
        title="充值"
        pairs={[
          ["会员", <MemberLink key="m" of={recharge} />],
          ["会员号", recharge.memberNo],
          ["门店", recharge.storeName],
          ["方式", rechargeWay.label(recharge.way)],
          ["订单号", recharge.orderNo],
          ["经手", recharge.askedBy],
          ["审核", recharge.decidedBy],
          ["说明", recharge.note],
          ["有效期", "不过期"],
        ]}
      />
      {recharge.refunds.length > 0 && (
        <Group title="退卡">
          <DataTable
            label="这一批的退卡"
            rows={recharge.refunds}
            columns={[
              r.text("reason", "原因", (row) => (
                <Link to={`/dataCentre/cardRecharge?view=refunds&id=${row.id}`}>{cardRefundReason.label(row.reason as 1)}</Link>
              )),
              r.money("paysCents", "退给顾客（元）"),
              r.text("status", "状态", (row) => cardRefundStatus.label(row.status as 0)),
              r.time("createdAt", "申请时间"),
            ]}
          />
        </Group>
      )}
      <Group title="变动">
        <DataTable
          label="这一批的变动"
          rows={recharge.moves}
          columns={[
            m.time("at", "时间"),
            m.text("cause", "事由", { width: 104 }),
            m.text("storeName", "门店", { width: 120 }),
            m.money("principalCents", "本金（元）"),
            m.money("giftCents", "赠送（元）"),
          ]}
        />
      </Group>
    </>
  );
}
