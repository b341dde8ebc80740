import type { ReactNode } from "react";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextArea } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { billSource, getReconDay, getReconMonth, listReconDays, reopenReconDay, summariseReconDays } from "../../contract/index.ts";
import type { Day } from "./day.ts";

/** 撤销关账: with the reason, which stays with the day. */
export function ReopenDrawer({ day, onClose }: { day: Day; onClose: () => void }): ReactNode {
  const form = useForm(reopenReconDay, {
    initial: { id: day.id },
    draft: day.id,
    done: `${day.day} 已撤销关账`,
    refreshes: [getReconDay, listReconDays, summariseReconDays, getReconMonth],
    onDone: onClose,
    ask: () => ({
      text: `撤销 ${day.day}（${day.merchantName}，${billSource.label(day.source)}）的关账？这天的账单和差异可以再改。`,
      ok: "撤销关账",
    }),
  });
  return (
    <FormDrawer form={form} title={`撤销关账 ${day.day}`} submit="撤销关账" onClose={onClose}>
      <Field of={form.field("reason")} label="原因" help="如：通道补发了账单">
        {(f) => <TextArea {...f} maxLength={200} rows={3} />}
      </Field>
    </FormDrawer>
  );
}
