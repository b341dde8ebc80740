import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { Radios, Switch, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { Group, useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import {
  getInvoice,
  listInvoices,
  listReds,
  redReason,
  startRed,
  summariseInvoices,
  summariseReds,
  takeIssued,
  takeRed,
} from "../contract/index.ts";

type One = OutputOf<typeof getInvoice>;
const READS = [listInvoices, summariseInvoices, getInvoice, listReds];

/** 红冲 of an invoice, in a drawer. */
export function Red({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const one = useDetail(getInvoice, { id });
  if (!one.data) return <WaitingDrawer title="红冲发票" of={one} onClose={onClose} />;
  return <RedForm of={one.data} onClose={onClose} />;
}
function RedForm({ of: { id, invoiceNo, totalCents, title, buyer }, onClose }: { of: One; onClose: () => void }): ReactNode {
  const form = useForm(startRed, {
    initial: { id, reason: 1, renew: false },
    draft: false,
    done: "已提交红字",
    refreshes: READS,
    onDone: onClose,
    ask: ({ renew }) => ({
      text: `红冲发票 ${invoiceNo ?? ""}，${yuan(totalCents)} 元？整张冲掉，不能恢复${renew ? "；冲完按订单还值的钱给同一抬头重新开" : ""}。`,
      ok: `红冲 ${yuan(totalCents)} 元`,
      danger: true,
    }),
  });
  return (
    <FormDrawer form={form} title="红冲发票" submit={`红冲 ${yuan(totalCents)} 元`} danger onClose={onClose}>
      <Group
        title="发票"
        pairs={[
          ["发票号码", invoiceNo],
          ["抬头", title],
          ["金额", <Money key="sum" cents={totalCents} symbol />],
        ]}
      />
      {buyer === "organisation" && (
        <p className="notice notice-warn">对方已经入账的，要对方在 72 小时内确认；不确认就作废，可以再来一次。</p>
      )}
      <Field of={form.field("reason")} label="原因">
        {(f) => <Radios {...f} set={redReason} />}
      </Field>
      <Field of={form.field("renew")} label="重新开票">
        {(f) => <Switch {...f} label="冲完给同一抬头重新开" />}
      </Field>
    </FormDrawer>
  );
}
/** 按平台的结果记账 of an invoice, in a drawer. */
export function Take({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const one = useDetail(getInvoice, { id });
  if (!one.data) return <WaitingDrawer title="按平台的结果记账" of={one} onClose={onClose} />;
  return <TakeForm of={one.data} onClose={onClose} />;
}
function TakeForm({ of: { id, number, totalCents, issuedCents }, onClose }: { of: One; onClose: () => void }): ReactNode {
  const cents = issuedCents ?? (0 as never);
  const form = useForm(takeIssued, {
    initial: { id, cents, reason: "" },
    draft: false,
    done: "已提交，再问平台一次后记账并红冲",
    refreshes: READS,
    onDone: onClose,
    ask: () => ({
      text: `按平台开出的 ${yuan(cents)} 元记账，并马上红冲这 ${yuan(cents)} 元？订单按应开的 ${yuan(totalCents)} 元给同一抬头重新开。`,
      ok: `记账并红冲 ${yuan(cents)} 元`,
      danger: true,
    }),
  });
  return (
    <FormDrawer form={form} title="按平台的结果记账" submit={`记账并红冲 ${yuan(cents)} 元`} danger onClose={onClose}>
      <Group
        title="发票"
        pairs={[
          ["流水号", number],
          ["应开", <Money key="ours" cents={totalCents} symbol />],
          ["平台开的", <Money key="theirs" cents={cents} symbol />],
        ]}
      />
      <Field of={form.field("reason")} label="原因">
        {(f) => <TextInput {...f} placeholder="例如 已在诺诺核对，开出的就是这张" />}
      </Field>
    </FormDrawer>
  );
}
interface Differing {
  readonly id: string;
  readonly invoiceNo: string;
  readonly number: string;
  readonly totalCents: One["totalCents"];
  readonly saidCents: One["totalCents"];
}
/** 按平台的结果记账 of a red letter, in a drawer. */
export function TakeRed({ of, onClose }: { of: Differing; onClose: () => void }): ReactNode {
  const { id, invoiceNo, number, totalCents, saidCents } = of;
  const form = useForm(takeRed, {
    initial: { id, cents: saidCents, reason: "" },
    draft: false,
    done: "已提交，再问平台一次后记为已红冲",
    refreshes: [...READS, summariseReds],
    onDone: onClose,
    ask: () => ({
      text: `平台红冲了 ${yuan(saidCents)} 元，应为 ${yuan(totalCents)} 元。按平台的 ${yuan(saidCents)} 元记账后，发票 ${invoiceNo} 整张算已红冲，不能恢复。`,
      ok: `按 ${yuan(saidCents)} 元记账`,
      danger: true,
    }),
  });
  return (
    <FormDrawer form={form} title="按平台的红冲金额记账" submit={`按 ${yuan(saidCents)} 元记账`} danger onClose={onClose}>
      <Group
        title="红字"
        pairs={[
          ["蓝字发票", invoiceNo],
          ["确认单号", number],
          ["应红冲", <Money key="ours" cents={totalCents} symbol />],
          ["平台红冲的", <Money key="theirs" cents={saidCents} symbol />],
        ]}
      />
      <Field of={form.field("reason")} label="原因">
        {(f) => <TextInput {...f} placeholder="例如 已在电子税务局核对，差额已另行处理" />}
      </Field>
    </FormDrawer>
  );
}
