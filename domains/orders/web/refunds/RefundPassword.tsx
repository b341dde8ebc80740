import type { ReactNode } from "react";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { TextInput } from "@zhangfang/web/form/inputs.tsx";
import type { FormField } from "@zhangfang/web/form/use-form.ts";

/** The merchant's refund password, where a refund is sent out. */
export function RefundPassword({ field }: { field: FormField<string | undefined> }): ReactNode {
  return (
    <Field of={field} label="退款密码" help="在商户配置里设置">
      {(f) => <TextInput {...f} type="password" autoComplete="off" maxLength={32} />}
    </Field>
  );
}
