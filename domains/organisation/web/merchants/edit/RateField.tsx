import type { ReactNode } from "react";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { RateInput } from "@zhangfang/web/form/inputs.tsx";
import type { FormField } from "@zhangfang/web/form/use-form.ts";

/** The fee rate of a merchant, which only the provider and the platform set. */
export function RateField({
  of,
  help,
  optional = false,
}: {
  of: FormField<number | undefined>;
  help?: string;
  optional?: boolean;
}): ReactNode {
  return (
    <Field of={of} label="费率" optional={optional} {...(help && { help })}>
      {(f) => <RateInput {...f} />}
    </Field>
  );
}
