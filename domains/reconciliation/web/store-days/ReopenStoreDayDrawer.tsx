import type { ReactNode } from "react";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextArea } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { reopenStoreDay } from "../../contract/index.ts";
import { STORE_DAY_READS } from "./StoreDayClosing.tsx";
import type { StoreDay } from "./store-day-links.ts";

/** 撤销关账: with the reason, which stays with the day. */
export function ReopenStoreDayDrawer({
  data: { storeId, storeName, day, version },
  onClose,
}: {
  data: StoreDay;
  onClose: () => void;
}): ReactNode {
  const form = useForm(reopenStoreDay, {
    initial: { storeId, day, version },
    draft: `${storeId}/${day}`,
    done: `${day} 已撤销关账`,
    refreshes: STORE_DAY_READS,
    onDone: onClose,
    ask: () => ({ text: `撤销 ${storeName} ${day} 的关账？数按现在的重新算，要再由两人关账。`, ok: "撤销关账" }),
  });
  return (
    <FormDrawer form={form} title={`撤销关账 ${day}`} submit="撤销关账" onClose={onClose}>
      <Field of={form.field("reason")} label="原因" help="如：关账后到账一笔退款，要改进这天">
        {(f) => <TextArea {...f} maxLength={200} rows={3} />}
      </Field>
    </FormDrawer>
  );
}
