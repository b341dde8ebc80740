import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { labelled, type Labelled } from "@zhangfang/contract/labelled.ts";
import { percent } from "@zhangfang/contract/money.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { Pick } from "@zhangfang/web/form/inputs.tsx";
import type { FormField } from "@zhangfang/web/form/use-form.ts";
import { listTradeChoices } from "../contract.ts";

/** 行业 of a merchant: one of the platform's, with what comes with it. A trade that is offered no longer stays until it is changed. */
export function TradeField({ of }: { of: FormField<string> }): ReactNode {
  const { data = [] } = useQuery({
    queryKey: [listTradeChoices.path],
    queryFn: ({ signal }) => call(listTradeChoices, {}, { signal }),
    staleTime: 10 * 60_000,
  });
  const names = new Map(data.map(({ name, group }) => [name, `${group} / ${name}`]));
  if (of.value && !names.has(of.value)) names.set(of.value, of.value);
  const chosen = data.find(({ name }) => name === of.value);
  const help = chosen && [
    chosen.feeRate === null ? undefined : `行业费率 ${percent(chosen.feeRate)}`,
    chosen.certificates.length > 0 ? `需要${chosen.certificates.join("、")}` : undefined,
  ];
  return (
    <Field of={of} label="行业" optional help={help?.filter(Boolean).join("；") || undefined}>
      {(f) => <Pick {...f} set={labelled(Object.fromEntries(names)) as Labelled<string>} placeholder="选择或搜索行业" />}
    </Field>
  );
}
