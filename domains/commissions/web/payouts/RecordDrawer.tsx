import type { ReactNode } from "react";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { Radios, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { HeroLine, useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { Empty } from "@zhangfang/web/show/Empty.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { getWithdrawal, recordWithdrawal, withdrawalStatus } from "../../contract/index.ts";
import type { Withdrawal } from "./withdrawal.ts";
import { withdrawalReads } from "./withdrawal-reads.ts";

const result = labelled({ paid: "已打款", failed: "打款失败" });

/** 登记打款结果 of a bank card, or of a transfer that the channel no longer answers for: by its number, or why it did not go or came back. */
export function RecordDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const withdrawal = useDetail(getWithdrawal, { id });
  const { data } = withdrawal;
  if (data?.recordable) return <RecordForm key={data.status} withdrawal={data} onClose={onClose} />;
  if (!data) return <WaitingDrawer title="登记打款结果" of={withdrawal} onClose={onClose} />;
  return (
    <Drawer title="登记打款结果" onClose={onClose}>
      <Empty drawing="seal" text={`此提现现为「${withdrawalStatus.label(data.status)}」，不需要你登记`} />
    </Drawer>
  );
}

function RecordForm({ withdrawal: w, onClose }: { withdrawal: Withdrawal; onClose: () => void }): ReactNode {
  const returned = w.status === 3;
  const net = `¥${yuan(w.netCents)}`;
  const form = useForm(recordWithdrawal, {
    initial: { id: w.id, ...(returned && { result: "returned" as const }) },
    draft: `${w.id}:${w.status}`,
    done: "已登记",
    refreshes: withdrawalReads,
    onDone: onClose,
    ask: (given) => ({
      text:
        given.result === "paid"
          ? `登记 ${net} 已付给「${w.receiverName}」${w.numberMask}，流水号 ${given.evidence ?? ""}。登记后不能改为失败。`
          : `登记${returned ? "退回" : "打款失败"}后，¥${yuan(w.askedCents)} 回到「${w.receiverName}」的可提现余额。`,
      ok: given.result === "paid" ? `登记已打款 ${net}` : `登记${returned ? "退回" : "打款失败"} ${net}`,
      danger: true,
    }),
  });
  const paid = form.values.result === "paid";
  return (
    <FormDrawer form={form} title={`${returned ? "登记退回" : "登记打款结果"} ${w.withdrawalNo}`} submit="登记" danger onClose={onClose}>
      {w.method === "wechat" && !returned && (
        <p className="notice notice-warn">
          通道可能已受理这笔转账却查不到结果。请先在微信支付商户平台按提现单号 {w.withdrawalNo} 核对，再登记。
        </p>
      )}
      <HeroLine label="到账金额" amount={w.netCents} status={<StatusTag of={withdrawalStatus} code={w.status} />} />
      {!returned && (
        <Field of={form.field("result")} label="结果">
          {(f) => <Radios id={f.id} value={f.value === "returned" ? undefined : f.value} onChange={f.onChange} set={result} />}
        </Field>
      )}
      <Field of={form.field("evidence")} label={paid ? (w.method === "wechat" ? "微信支付转账单号" : "银行流水号") : "原因"}>
        {(f) => <TextInput {...f} maxLength={80} />}
      </Field>
    </FormDrawer>
  );
}
