import { type ReactNode, useState } from "react";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { useUser } from "@zhangfang/web/api/user.ts";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextArea } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { Neighbours } from "@zhangfang/web/list/Neighbours.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { DetailDrawer, Group, HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { memberColumn, MemberLink } from "../../../members/web/index.ts";
import {
  cardRefundReason,
  cardRefundStatus,
  cardRefundWay,
  confirmCardRefund,
  decideCardRefund,
  getCardRefund,
  listCardRefunds,
  proveCardRefund,
  summariseCardRefunds,
  withdrawCardRefund,
} from "../../contract/index.ts";
import { Gift, Principal } from "../stored-figures.tsx";

const READS = [listCardRefunds, getCardRefund, summariseCardRefunds] as const;

/** 退卡: who asked for what by which reason, and where it stands. */
export function CardRefundList({ views }: { views: ReactNode }): ReactNode {
  const list = useList(listCardRefunds, { live_ms: 15_000 });
  const sums = useSummary(summariseCardRefunds, list.filters).data;
  const mayExport = useAct(["/dataCentre/cardRecharge/export"]);
  const { level } = useUser();
  const c = columns<RowOf<typeof listCardRefunds>>();
  return (
    <ListScreen
      title="储值充值"
      unit="笔"
      list={list}
      actions={views}
      tabs={{ of: list.field("status"), set: cardRefundStatus, counts: sums?.byStatus }}
      totals={
        sums && [
          ["退给顾客", <Money key="p" cents={sums.paysCents} symbol />],
          ["退卡差额", yuan(sums.forfeitedCents)],
        ]
      }
      filters={
        <>
          <DateRange of={list.range("from", "to")} label="申请时间" />
          <Keyword of={list.field("keyword")} label="会员" placeholder="会员号 / 手机号 / 订单号" />
          <OrgFilter of={list} levels={level === "SP" ? ["merchantId", "storeId"] : ["storeId"]} />
          <Choice of={list.field("reason")} label="原因" set={cardRefundReason} />
        </>
      }
      {...(mayExport && { exportSource: "card-refunds" })}
      columns={[
        c.link("memberNo", "会员号", (row) => list.open(row.id), { width: 136 }),
        memberColumn<RowOf<typeof listCardRefunds>>(),
        c.text("storeName", "门店", { width: 128 }),
        c.text("reason", "原因", (row) => cardRefundReason.label(row.reason), { width: 100 }),
        c.text("way", "方式", (row) => cardRefundWay.label(row.way), { width: 88 }),
        c.money("principalCents", "本金", { width: 104 }),
        c.money("usedCents", "已消费", { width: 100 }),
        c.money("paysCents", "退给顾客（元）", { width: 120 }),
        c.money("forfeitedCents", "退卡差额", { width: 96 }),
        c.text("dueOn", "最晚", { width: 104 }),
        c.code("status", "状态", cardRefundStatus, { width: 88 }),
        c.time("createdAt", "申请时间"),
      ]}
      empty={{ text: "还没有退卡；在充值记录，或转来和导入的余额里选一笔，点「退卡」" }}
    >
      <CardRefundDetail list={list} />
    </ListScreen>
  );
}

function CardRefundDetail({ list }: { list: ReturnType<typeof useList<typeof listCardRefunds>> }): ReactNode {
  const refund = useDetail(getCardRefund, list.openId && { id: list.openId });
  const [proving, setProving] = useState(false);
  if (!list.openId) return null;
  return (
    <DetailDrawer
      title="退卡详情"
      of={refund}
      onClose={list.close}
      extra={<Neighbours of={list} />}
      footer={refund.data && <Acts refund={refund.data} onProve={() => setProving(true)} />}
    >
      {(one) => (
        <>
          <HeroLine label="退给顾客" amount={one.paysCents} status={<StatusTag of={cardRefundStatus} code={one.status} />} />
          {one.nameBefore && (
            <p className="form-failure">
              {one.nameBefore.changedOn} 改过姓名，原名 {one.nameBefore.name}。
              {one.way === 1 ? "线下转账前请当面核对本人。" : "请核对本人。"}
            </p>
          )}
          {one.failure !== null && <p className="form-failure">{one.failure}。占住的余额已放开，可重新申请。</p>}
          <Group
            title="算法"
            pairs={[
              ["原因", cardRefundReason.label(one.reason)],
              ["本金", <Principal key="p" cents={one.principalCents} />],
              ["赠送", <Gift key="g" cents={one.giftCents} />],
              ["已消费", <Money key="u" cents={one.usedCents} />],
              ["占住本金", <Principal key="h" cents={one.heldPrincipalCents} />],
              ["占住赠送", <Gift key="v" cents={one.heldGiftCents} />],
              ["退卡差额", <Money key="f" cents={one.forfeitedCents} />],
              ["收回积分", one.points],
            ]}
          />
          <Group
            title="经过"
            pairs={[
              ["会员", <MemberLink key="m" of={one} />],
              ["会员号", one.memberNo],
              ["门店", one.storeName],
              ["方式", cardRefundWay.label(one.way)],
              ["充值订单号", one.orderNo],
              ["退款单号", one.refundNo],
              ["最晚", one.dueOn],
              ["说明", one.note],
              ["申请人", one.askedBy],
              ["审核人", one.decidedBy],
              ["凭证", one.evidence],
              ["登记人", one.provedBy],
            ]}
          />
          {proving && <ProveDrawer id={one.id} onClose={() => setProving(false)} />}
        </>
      )}
    </DetailDrawer>
  );
}

function Acts({ refund, onProve }: { refund: OutputOf<typeof getCardRefund>; onProve: () => void }): ReactNode {
  const [busy, run] = useRun([...READS]);
  const { id } = refund;
  const sum = `¥${yuan(refund.paysCents)}`;
  const act = async (text: string, ok: string, danger: boolean, send: () => Promise<unknown>, done: string): Promise<void> => {
    if (!(await confirm(text, { ok, danger }))) return;
    await run(async () => {
      await send();
      success(done);
    });
  };
  return (
    <>
      {refund.mayWithdraw && (
        <Act of={withdrawCardRefund}>
          <Button
            busy={busy}
            onClick={() => void act("撤回后余额立即放开。", "撤回", false, () => call(withdrawCardRefund, { id }), "已撤回")}
          >
            撤回
          </Button>
        </Act>
      )}
      {refund.mayDecide && (
        <Act of={decideCardRefund}>
          <Button
            busy={busy}
            onClick={() => void act("驳回后余额立即放开。", "驳回", false, () => call(decideCardRefund, { id, approve: false }), "已驳回")}
          >
            驳回
          </Button>
          <Button
            tone="danger"
            busy={busy}
            onClick={() =>
              void act(
                `通过后退给顾客 ${sum}，赠送作废。`,
                `通过 ${sum}`,
                true,
                () => call(decideCardRefund, { id, approve: true }),
                "已通过",
              )
            }
          >
            通过 {sum}
          </Button>
        </Act>
      )}
      {refund.status === 1 && refund.way === 1 && (
        <Act of={proveCardRefund}>
          <Button onClick={onProve}>登记付款凭证</Button>
        </Act>
      )}
      {refund.mayConfirm && (
        <Act of={confirmCardRefund}>
          <Button
            tone="danger"
            busy={busy}
            onClick={() => void act(`确认顾客已收到 ${sum}？`, `确认已付 ${sum}`, true, () => call(confirmCardRefund, { id }), "已退卡")}
          >
            确认已付 {sum}
          </Button>
        </Act>
      )}
    </>
  );
}

function ProveDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const form = useForm(proveCardRefund, {
    initial: { id },
    draft: false,
    done: "已登记，等另一人确认",
    refreshes: [...READS],
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title="登记付款凭证" submit="登记" onClose={onClose}>
      <Field of={form.field("evidence")} label="凭证" help="付款流水号、收款人姓名（须与会员同名）、付款时间">
        {(f) => <TextArea {...f} maxLength={200} />}
      </Field>
    </FormDrawer>
  );
}
