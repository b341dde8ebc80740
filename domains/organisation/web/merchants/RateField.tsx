import type { ReactNode } from "react";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { NumberInput } from "@zhangfang/web/form/inputs.tsx";
import type { FormField } from "@zhangfang/web/form/use-form.ts";
import { rateText } from "./merchant-columns.tsx";

/** A fee rate in parts per 100,000, with its per cent beside it. */
export function RateField({
  of,
  help,
  optional = false,
}: {
  of: FormField<number | undefined>;
  help?: string;
  optional?: boolean;
}): ReactNode {
  const shown = typeof of.value === "number" && Number.isFinite(of.value) ? `即 ${rateText(of.value)}` : "380 即 0.38%";
  return (
    <Field of={of} label="费率" optional={optional} help={help ? `${shown}；${help}` : shown}>
      {(f) => <NumberInput {...f} unit="/ 100,000" />}
    </Field>
  );
}
