import type { ReactNode } from "react";
import { Field, FormSection } from "@zhangfang/web/form/Field.tsx";
import { NumberInput } from "@zhangfang/web/form/inputs.tsx";
import type { FormField } from "@zhangfang/web/form/use-form.ts";

export interface Quotas {
  readonly merchants: number | null;
  readonly stores: number | null;
  readonly devices: number | null;
  readonly accounts: number | null;
}
export const NO_QUOTAS: Quotas = { merchants: null, stores: null, devices: null, accounts: null };
const KINDS = [
  ["merchants", "商户", "家"],
  ["stores", "门店", "家"],
  ["devices", "设备", "台"],
  ["accounts", "账号", "个"],
] as const;

/** How many of each kind a provider may have, with how many there are. */
export function QuotaFields({
  of,
  errorAt,
  counts,
}: {
  of: FormField<Quotas>;
  errorAt: (path: string) => string | undefined;
  counts?: Readonly<Record<keyof Quotas, number>>;
}): ReactNode {
  const quotas = of.value ?? NO_QUOTAS;
  return (
    <FormSection title="数量限额">
      {KINDS.map(([kind, label, unit]) => (
        <Field
          key={kind}
          of={{
            name: `quotas.${kind}`,
            value: quotas[kind] ?? undefined,
            error: errorAt(`quotas.${kind}`),
            set: (given: number | undefined) => of.set({ ...quotas, [kind]: given ?? null }),
          }}
          label={`${label}限额`}
          optional
          help={`留空不限${counts ? `，已有 ${counts[kind]} ${unit}` : ""}`}
        >
          {(f) => <NumberInput {...f} unit={unit} />}
        </Field>
      ))}
    </FormSection>
  );
}
