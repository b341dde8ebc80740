import type { ReactNode } from "react";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { today } from "@zhangfang/web/filter/day-shortcuts.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { DayInput } from "@zhangfang/web/form/days/DayInput.tsx";
import { Radios, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { useCounts, useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { success } from "@zhangfang/web/notify.ts";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { Button, type ButtonTone } from "@zhangfang/web/show/Button.tsx";
import { DetailDrawer, Group, HeroLine, Loaded, useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import {
  answerStatement,
  getStatement,
  listStatements,
  listSubsidies,
  payStatement,
  statementState,
  subsidyCause,
  summariseSubsidies,
} from "../../contract/index.ts";
import { minute } from "../campaigns/campaign-words.ts";
import { useSide } from "../campaigns/use-side.ts";

type Row = RowOf<typeof listStatements>;
const READS = [listStatements, getStatement, summariseSubsidies];

/** 补贴结算单: what the provider owes for its coupons, month by month; the provider pays outside, the merchant says whether it came. */
export function StatementList({ views }: { views: ReactNode }): ReactNode {
  const { base, provider } = useSide();
  const mayExport = useAct([`${base}/list/export`]);
  const list = useList(listStatements);
  const { merchantId } = list.filters as { merchantId?: string };
  const sums = useSummary(summariseSubsidies, merchantId ? { merchantId } : {}).data;
  const [pay, answer] = [usePanel("pay"), usePanel("answer")];
  const open = { pay: pay.open, answer: answer.open };
  const c = columns<Row>();
  return (
    <ListScreen
      title={provider ? "补贴结算单" : "服务商补贴"}
      unit="张"
      list={list}
      tabs={{ of: list.field("state"), set: statementState, counts: useCounts(list, "state", statementState) }}
      filters={provider && <OrgFilter of={list} levels={["merchantId"]} />}
      actions={views}
      {...(mayExport && { exportSource: provider ? "subsidy-statements" : "merchant-statements" })}
      totals={
        sums && [
          ["还没出结算单", <Money cents={sums.openCents} symbol />],
          ["待付款", <Money cents={sums.waitingCents} symbol />],
          ["待商户确认", <Money cents={sums.paidCents} symbol />],
          ["已结清", <Money cents={sums.settledCents} symbol />],
        ]
      }
      columns={[
        c.text("month", "月份", { width: 88 }),
        ...(provider ? [c.text("merchantName", "商户", { width: 152 })] : []),
        c.money("earnedCents", "用券补贴（元）", { width: 120 }),
        c.money("backCents", "退款收回（元）", { width: 120 }),
        c.money("carriedCents", "上月结转（元）", { width: 120, hidden: true }),
        c.money("dueCents", "应付（元）", { width: 112, main: true, hint: "上月结转 + 用券补贴 − 退款收回；不到 0 的结转到下月" }),
        c.code("state", "状态", statementState, { width: 104 }),
        c.text("paidOn", "付款", (row) => (row.paidOn ? <span className="num">{row.paidOn}</span> : null), {
          width: 128,
          note: (row) => row.paidRef,
        }),
        c.actions((row) => <StatementActs of={row} open={open} tone="link" />, { width: 104, of: [payStatement, answerStatement] }),
      ]}
      empty={{ text: "还没有结算单。用了服务商的券，下个月 1 日出上个月的" }}
    >
      {list.openId && <StatementDrawer id={list.openId} open={open} onClose={list.close} />}
      {pay.id && <PayDrawer id={pay.id} onClose={pay.close} />}
      {answer.id && <AnswerDrawer id={answer.id} onClose={answer.close} />}
    </ListScreen>
  );
}

interface Open {
  readonly pay: (id: string) => void;
  readonly answer: (id: string) => void;
}
/** Whose turn it is: the provider's to pay, the merchant's to say whether it came. */
function StatementActs({ of: { id, state }, open, tone }: { of: Row; open: Open; tone: ButtonTone }): ReactNode {
  if (state === "WAITING" || state === "DISPUTED")
    return (
      <Act of={payStatement}>
        <Button tone={tone} onClick={() => open.pay(id)}>
          记录付款
        </Button>
      </Act>
    );
  if (state !== "PAID") return null;
  return (
    <Act of={answerStatement}>
      <Button tone={tone} onClick={() => open.answer(id)}>
        确认到账
      </Button>
    </Act>
  );
}

function stateWords({ state, paidOn, paidBy, paidRef, answeredBy, answeredAt, reason }: Row): string {
  const paid = paidOn ? `${paidBy} 记录 ${paidOn} 付款，凭证号 ${paidRef}` : "";
  if (state === "WAITING") return "等服务商付款并记录";
  if (state === "CARRIED") return "退款收回的比补贴多，结转到下月，不用付款";
  if (state === "PAID") return `${paid}，等商户确认到账`;
  const answered = answeredAt ? `${answeredBy} 于 ${minute(answeredAt)}` : "";
  return state === "CONFIRMED" ? `${paid}；${answered} 确认到账` : `${paid}；${answered} 说没对上：${reason}`;
}
function StatementDrawer({ id, open, onClose }: { id: string; open: Open; onClose: () => void }): ReactNode {
  const statement = useDetail(getStatement, { id });
  return (
    <DetailDrawer
      title="补贴结算单"
      of={statement}
      onClose={onClose}
      extra={statement.data && <StatementActs of={statement.data} open={open} tone="primary" />}
    >
      {(row) => (
        <>
          <HeroLine
            label={`${row.merchantName} · ${row.month}`}
            amount={row.dueCents}
            status={<StatusTag of={statementState} code={row.state} />}
          />
          <p className="note">{stateWords(row)}</p>
          <Group
            title="怎么算的（元）"
            pairs={[
              ["上月结转", row.carriedCents < 0 ? <Money key="carried" cents={row.carriedCents} /> : null],
              ["用券补贴", <Money key="earned" cents={row.earnedCents} />],
              ["退款收回", <Money key="back" cents={(0 - row.backCents) as never} />],
              [
                "应付",
                <b key="due">
                  <Money cents={row.dueCents} />
                </b>,
              ],
            ]}
          />
          <Entries id={row.id} />
        </>
      )}
    </DetailDrawer>
  );
}
/** Each order and each refund of the month. */
function Entries({ id }: { id: string }): ReactNode {
  const entries = useDetail(listSubsidies, { statementId: id, pageSize: 100, withTotal: true });
  const c = columns<RowOf<typeof listSubsidies>>();
  return (
    <Group title="每一笔">
      <Loaded of={entries}>
        {({ items, next, total }) => (
          <>
            <DataTable
              label="补贴明细"
              density="compact"
              rows={items}
              columns={[
                c.time("at", "时间", { width: 152 }),
                c.code("cause", "来源", subsidyCause, { width: 88 }),
                c.text("orderNo", "订单号", { width: 200 }),
                c.text("storeName", "门店", { width: 120 }),
                c.money("cents", "补贴（元）", { width: 104 }),
              ]}
            />
            {next !== null && <p className="note">这里是最近 100 笔，一共 {total?.count ?? "很多"} 笔</p>}
          </>
        )}
      </Loaded>
    </Group>
  );
}

type Statement = OutputOf<typeof getStatement>;
/** 记录付款. */
function PayDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const statement = useDetail(getStatement, { id });
  if (statement.data) return <PayForm of={statement.data} onClose={onClose} />;
  return <WaitingDrawer title="记录付款" of={statement} onClose={onClose} />;
}
function PayForm({ of: { id, merchantName, month, dueCents, state, reason }, onClose }: { of: Statement; onClose: () => void }): ReactNode {
  const form = useForm(payStatement, {
    initial: { id, paidOn: today() },
    draft: false,
    done: "已记录，等商户确认到账",
    refreshes: READS,
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title="记录付款" submit={`已付 ${yuan(dueCents)} 元`} onClose={onClose}>
      <p className="note">
        {merchantName} {month} 的补贴 ¥{yuan(dueCents)}。钱在系统外付，这里只记下来，商户确认到账后结清。
      </p>
      {state === "DISPUTED" && <p className="notice notice-warn">商户说没对上：{reason}</p>}
      <Field of={form.field("paidOn")} label="付款日期">
        {(f) => <DayInput {...f} onChange={(day) => f.onChange(day ?? undefined)} />}
      </Field>
      <Field of={form.field("paidRef")} label="付款凭证号" help="银行流水号，商户凭它查到这笔钱">
        {(f) => <TextInput {...f} maxLength={64} />}
      </Field>
    </FormDrawer>
  );
}
const answers = labelled({ yes: "到账了，金额对", no: "没到账或金额不对" });
/** 确认到账. */
function AnswerDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const statement = useDetail(getStatement, { id });
  if (statement.data) return <AnswerForm of={statement.data} onClose={onClose} />;
  return <WaitingDrawer title="确认到账" of={statement} onClose={onClose} />;
}
function AnswerForm({ of: { id, month, dueCents, paidOn, paidRef }, onClose }: { of: Statement; onClose: () => void }): ReactNode {
  const form = useForm(answerStatement, {
    initial: { id },
    draft: false,
    refreshes: READS,
    onDone: () => {
      success(form.values.received ? `${month} 的补贴已结清` : "已告诉服务商");
      onClose();
    },
  });
  const { received } = form.values;
  const chosen = received === undefined ? undefined : received ? ("yes" as const) : ("no" as const);
  const field = form.field("received");
  return (
    <FormDrawer
      form={form}
      title="确认到账"
      submit={received === undefined ? "选择到账结果" : received ? `确认收到 ${yuan(dueCents)} 元` : "没对上"}
      danger={received === false}
      onClose={onClose}
    >
      <p className="note">
        {month} 的补贴 ¥{yuan(dueCents)}。服务商记录 {paidOn} 付款，凭证号 {paidRef}。确认后这个月就结清，不能再改。
      </p>
      <Field
        of={{ name: "received", value: chosen, error: field.error, set: (one) => field.set(one === undefined ? undefined : one === "yes") }}
        label="到账结果"
      >
        {(f) => <Radios {...f} set={answers} />}
      </Field>
      {received === false && (
        <Field of={form.field("reason")} label="哪里不对" help="服务商会看到">
          {(f) => <TextInput {...f} maxLength={100} />}
        </Field>
      )}
    </FormDrawer>
  );
}
