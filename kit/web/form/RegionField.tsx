import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId } from "react";
import { slots } from "../slots.ts";
import type { FormField } from "./use-form.ts";

type Part = FormField<string | undefined>;

/**
 * Where something lies: province, city and district, each offered within the one before. What an old address names and
 * is offered no longer stays until somebody changes it.
 * @example <RegionField province={form.field("province")} city={form.field("city")} optional />
 */
export function RegionField({
  label = "所在地区",
  province,
  city,
  district,
  optional = false,
}: {
  label?: string;
  province: Part;
  city: Part;
  district?: Part;
  optional?: boolean;
}): ReactNode {
  const id = useId();
  const {
    data: regions = [],
    error,
    refetch,
  } = useQuery({ queryKey: ["regions"], queryFn: () => slots.regions?.() ?? [], staleTime: Infinity });
  const cities = regions.find(({ name }) => name === province.value)?.cities ?? [];
  const districts = cities.find(({ name }) => name === city.value)?.districts ?? [];
  const chooseCity = (name: string | undefined): void => {
    city.set(name);
    district?.set(undefined);
  };
  const chooseProvince = (name: string | undefined): void => {
    province.set(name);
    // A municipality is its own city.
    const inside = regions.find((region) => region.name === name)?.cities ?? [];
    chooseCity(inside.length === 1 ? inside[0]?.name : undefined);
  };
  const wrong = province.error ?? city.error ?? district?.error;
  const parts = [
    { name: "省", of: province, options: regions.map(({ name }) => name), choose: chooseProvince },
    { name: "市", of: city, options: cities.map(({ name }) => name), choose: chooseCity },
    ...(district ? [{ name: "区县", of: district, options: districts, choose: district.set }] : []),
  ];
  return (
    <fieldset className={wrong ? "field region field-wrong" : "field region"} aria-describedby={wrong && `${id}e`}>
      <legend>
        {label}
        {optional && <span className="optional">（选填）</span>}
      </legend>
      <div className="region-parts">
        {parts.map(({ name, of, options, choose }) => (
          <PartSelect key={name} label={`${label}：${name}`} blank={name} of={of} options={options} choose={choose} />
        ))}
      </div>
      {wrong && (
        <p id={`${id}e`} className="field-error" role="alert">
          {wrong}
        </p>
      )}
      {error && (
        <p className="field-help">
          地区没有加载成功，
          <button type="button" className="link" onClick={() => void refetch()}>
            重试
          </button>
        </p>
      )}
    </fieldset>
  );
}

function PartSelect({
  label,
  blank,
  of,
  options,
  choose,
}: {
  label: string;
  blank: string;
  of: Part;
  options: readonly string[];
  choose: (name: string | undefined) => void;
}): ReactNode {
  const { value = "" } = of;
  return (
    <select
      className="input"
      aria-label={label}
      aria-invalid={of.error ? true : undefined}
      value={value}
      onChange={(event) => choose(event.target.value || undefined)}
    >
      <option value="">{blank}</option>
      {value !== "" && !options.includes(value) && <option value={value}>{value}</option>}
      {options.map((option) => (
        <option key={option} value={option}>
          {option}
        </option>
      ))}
    </select>
  );
}
