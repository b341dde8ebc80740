import type { ReactNode } from "react";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { listDivisions, updateDivision } from "../contract.ts";
import type { Division } from "./division-parts.tsx";

/** 改简称: what a division is called where room is short. */
export function ShortNameDrawer({ division, onClose }: { division: Division; onClose: () => void }): ReactNode {
  const form = useForm(updateDivision, {
    initial: { code: division.code, shortName: division.shortName },
    draft: division.code,
    done: `已修改「${division.name}」的简称`,
    refreshes: [listDivisions],
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title={`${division.name} ${division.code}`} submit="保存" onClose={onClose}>
      <Field of={form.field("shortName")} label="简称" help="列表和图表里位置不够时显示">
        {(f) => <TextInput {...f} maxLength={32} />}
      </Field>
    </FormDrawer>
  );
}
