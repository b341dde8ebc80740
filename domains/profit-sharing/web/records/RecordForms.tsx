import type { ReactNode } from "react";
import { yuan } from "@zhangfang/contract/money.ts";
import { today } from "@zhangfang/web/filter/day-shortcuts.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { DayInput } from "@zhangfang/web/form/days/DayInput.tsx";
import { Radios, TextArea, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { type Form, useForm } from "@zhangfang/web/form/use-form.ts";
import { type decideShareRecord, getReturn, getShare, recordResult, recordReturn, recordShare } from "../../contract/index.ts";
import { type Return, shareReads, type ShareDetails } from "../shared.ts";

const DONE = "已提交，等待另一人复核";
const NOTICE = "先在通道的商家平台查清结果再登记。提交时系统会再问一次通道：通道有答复就以通道为准。";

/** 登记分账结果: who of the receivers got theirs; another person confirms it before anything moves. */
export function RecordShareDrawer({ share, onClose }: { share: ShareDetails; onClose: () => void }): ReactNode {
  const form = useForm(recordShare, {
    initial: { id: share.id, happenedOn: today(), ...(share.kind === "unfreeze" && { result: "done" as const }) },
    draft: share.id,
    done: DONE,
    refreshes: [...shareReads],
    onDone: onClose,
    ask: ({ result, lineIds = [] }) => {
      const got = share.lines.filter(({ id }) => lineIds.includes(id));
      const cents = got.reduce((sum, line) => sum + line.amountCents, 0);
      const booked =
        share.kind === "unfreeze"
          ? "剩余资金记为已解冻给商户"
          : result === "done"
            ? `${got.map(({ alias }) => alias).join("、")}的 ¥${yuan(cents)} 记为已到账，其余 ¥${yuan(share.amountCents - cents)} 记为未到账、仍归商户`
            : `¥${yuan(share.amountCents)} 记为没有分出、仍归商户，之后可以重新分账`;
      return { text: `提交后由另一人复核；复核通过，分账 ${share.shareNo} 的${booked}。`, ok: "提交登记", danger: true };
    },
  });
  const chosen = form.values.lineIds ?? [];
  return (
    <FormDrawer form={form} title={`登记结果 ${share.shareNo}`} submit="提交登记" onClose={onClose}>
      <p className="notice notice-warn">{NOTICE}</p>
      {share.kind === "share" && (
        <Field of={form.field("result")} label="通道的结果">
          {(f) => (
            <Radios {...f} set={recordResult} onChange={(result) => form.set(result === "failed" ? { result, lineIds: [] } : { result })} />
          )}
        </Field>
      )}
      {share.kind === "share" && form.values.result === "done" && (
        <Field of={form.field("lineIds")} label="已到账的接收方" help="没有选的记为未到账">
          {({ onChange, id }) => (
            <div id={id} role="group" aria-label="已到账的接收方" className="sharing-checks">
              {share.lines.map((line) => (
                <label key={line.id}>
                  <input
                    type="checkbox"
                    checked={chosen.includes(line.id)}
                    onChange={({ target }) => onChange(target.checked ? [...chosen, line.id] : chosen.filter((one) => one !== line.id))}
                  />
                  {line.alias} <span className="num">¥{yuan(line.amountCents)}</span>
                </label>
              ))}
            </div>
          )}
        </Field>
      )}
      <Evidence form={form as unknown as Form<typeof recordReturn>} result={form.values.result} />
    </FormDrawer>
  );
}

/** 登记回退结果: whether it came back. */
export function RecordReturnDrawer({ row, onClose }: { row: Return; onClose: () => void }): ReactNode {
  const amount = `¥${yuan(row.amountCents)}`;
  const form = useForm(recordReturn, {
    initial: { id: row.id, happenedOn: today() },
    draft: row.id,
    done: DONE,
    refreshes: [...shareReads, getReturn],
    onDone: onClose,
    ask: ({ result }) => ({
      text: `提交后由另一人复核；复核通过，回退 ${row.returnNo} 的 ${amount} 记为${
        result === "done" ? `已由「${row.alias}」退回，退款 ${row.refundNo} 继续` : `没有退回，退款 ${row.refundNo} 随之失败`
      }。`,
      ok: "提交登记",
      danger: true,
    }),
  });
  return (
    <FormDrawer form={form} title={`登记结果 ${row.returnNo}`} submit="提交登记" onClose={onClose}>
      <p className="notice notice-warn">{NOTICE}</p>
      <Field of={form.field("result")} label="通道的结果" help={`「${row.alias}」的 ${amount} 退回到商户了吗`}>
        {(f) => <Radios {...f} set={recordResult} />}
      </Field>
      <Evidence form={form} result={form.values.result} />
    </FormDrawer>
  );
}

function Evidence({ form, result }: { form: Form<typeof recordReturn>; result: string | undefined }): ReactNode {
  return (
    <>
      <Field of={form.field("channelNo")} label="通道单号" optional={result === "failed"} help="商家平台里的分账或回退单号，或账户流水号">
        {(f) => <TextInput {...f} autoComplete="off" maxLength={64} />}
      </Field>
      <Field of={form.field("happenedOn")} label={result === "failed" ? "核对日期" : "到账日期"}>
        {(f) => <DayInput {...f} onChange={(day) => f.onChange(day ?? undefined)} />}
      </Field>
      <Field of={form.field("note")} label="核对说明" help="在哪里查到的，看到了什么">
        {(f) => <TextArea {...f} maxLength={80} rows={2} />}
      </Field>
    </>
  );
}

/** 驳回登记: why, for whoever sent it. */
export function RejectRecordDrawer({
  of,
  id,
  number,
  onClose,
}: {
  of: typeof decideShareRecord;
  id: string;
  number: string;
  onClose: () => void;
}): ReactNode {
  const form = useForm(of, {
    initial: { id, decision: "reject" },
    done: "已驳回登记",
    refreshes: [...shareReads, getShare, getReturn],
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title={`驳回登记 ${number}`} submit="驳回" danger onClose={onClose}>
      <Field of={form.field("note")} label="驳回原因">
        {(f) => <TextArea {...f} maxLength={80} rows={2} />}
      </Field>
    </FormDrawer>
  );
}
