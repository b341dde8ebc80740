import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { OrgPicker } from "@zhangfang/web/filter/OrgFilter.tsx";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { DayInput } from "@zhangfang/web/form/days/DayInput.tsx";
import { MoneyInput, TextInput } from "@zhangfang/web/form/inputs.tsx";
import type { FormField } from "@zhangfang/web/form/use-form.ts";
import { type AudienceChosen, audienceKey } from "./audience-words.ts";

export interface AudienceProps<E extends Endpoint, F extends AudienceChosen> {
  of: E;
  value: F;
  onChange: (filter: F) => void;
  errorAt: (path: string) => string | undefined;
  most: number;
  also?: object;
  children?: ReactNode;
}
/** The fields of `Audience`. */
export function AudienceFields<E extends Endpoint, F extends AudienceChosen>({
  of,
  value,
  onChange,
  errorAt,
  most,
  also,
  children,
}: AudienceProps<E, F>): ReactNode {
  const asked = { ...value, ...also };
  function at<K extends keyof AudienceChosen>(key: K): FormField<NonNullable<AudienceChosen[K]>> {
    return {
      name: `filter.${key}`,
      value: value[key] as NonNullable<AudienceChosen[K]> | undefined,
      error: errorAt(`filter.${key}`),
      set: (one) => onChange({ ...value, [key]: one || undefined }),
    };
  }
  const wrong = errorAt("filter");
  const audience = useQuery({
    queryKey: audienceKey(of, asked),
    queryFn: ({ signal }) => call(of, asked as InputOf<E>, { signal, quiet: true }),
    placeholderData: keepPreviousData,
  });
  const reached = (audience.data as (OutputOf<E> & { members: number }) | undefined)?.members;
  return (
    <>
      <Field of={at("tag")} label="标签" optional help="条件都不填，就是全部会员">
        {(f) => <TextInput {...f} maxLength={10} />}
      </Field>
      <Field of={at("spentFromCents")} label="累计消费满" optional>
        {(f) => <MoneyInput {...f} value={f.value as never} onChange={(cents) => f.onChange(cents as never)} />}
      </Field>
      <Field of={at("lastVisitBefore")} label="这天之后没来过" optional>
        {(f) => <DayInput {...f} value={f.value as string} onChange={(day) => f.onChange((day ?? undefined) as never)} />}
      </Field>
      <Field of={at("storeId")} label="去过哪家门店" optional>
        {(f) => <OrgPicker {...f} level="storeId" value={f.value as string} />}
      </Field>
      {children}
      <p className="field-help" role="status">
        {reached === undefined
          ? "正在数符合条件的会员"
          : reached > most
            ? `现在有 ${reached.toLocaleString("en-US")} 人符合，一次最多 ${most.toLocaleString("en-US")} 人，请缩小条件`
            : `现在有 ${reached.toLocaleString("en-US")} 人符合`}
      </p>
      {wrong && (
        <p className="field-error" role="alert">
          {wrong}
        </p>
      )}
    </>
  );
}
