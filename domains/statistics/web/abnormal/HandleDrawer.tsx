import type { ReactNode } from "react";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextArea } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { handleAbnormalStores, listAbnormalStores, summariseAbnormalStores } from "../../contract/abnormal.ts";

interface Props {
  readonly ids: readonly string[];
  /** What is handled, as its users say it. */
  readonly name: string;
  readonly onClose: () => void;
  readonly onDone?: () => void;
  /** What was found. */
  readonly children?: ReactNode;
}
/** Says what was done about one or several. */
export function HandleDrawer({ ids, name, onClose, onDone, children }: Props): ReactNode {
  const form = useForm(handleAbnormalStores, {
    initial: { ids: [...ids] },
    draft: ids.join(),
    done: "已处理",
    refreshes: [listAbnormalStores, summariseAbnormalStores],
    onDone: () => {
      onDone?.();
      onClose();
    },
  });
  return (
    <FormDrawer form={form} title={`处理异常 ${name}`} submit="标记为已处理" onClose={onClose}>
      {children}
      <Field of={form.field("note")} label="处理说明" help="如：门店装修停业，10 月 8 日恢复。情况仍在继续时不再重复提醒，恢复后自动关闭。">
        {(f) => <TextArea {...f} maxLength={200} rows={4} />}
      </Field>
    </FormDrawer>
  );
}
