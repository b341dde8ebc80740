import type { ReactNode } from "react";
import type { Province } from "../../../reference/contract.ts";

export type Regions = readonly Pick<Province, "code" | "name" | "cities">[];

/** 51 and 5101 as WeChat Pay writes them: six digits. */
const six = (code: string): string => code.padEnd(6, "0");

/** Province and city as one code of six digits; a district that stands there already stays until somebody changes it. */
export function AreaControl({
  id,
  label,
  value,
  regions,
  wrong,
  describedBy,
  onChange,
  onBlur,
}: {
  id: string;
  label: string;
  value: string;
  regions: Regions | undefined;
  wrong: boolean;
  describedBy: string | undefined;
  onChange: (code: string) => void;
  onBlur: () => void;
}): ReactNode {
  const provinces = regions ?? [];
  const province = provinces.find(({ code }) => value.slice(0, 2) === code.slice(0, 2));
  const cities = province?.cities ?? [];
  const city = cities.find(({ code }) => six(code) === value) ?? cities.find(({ code }) => code.length === 4 && value.startsWith(code));
  const chooseProvince = (code: string): void => {
    const inside = provinces.find((one) => one.code === code)?.cities ?? [];
    onChange(inside.length === 1 ? six(inside[0]!.code) : code === "" ? "" : six(code));
  };
  return (
    <div className="dossier-pair" onBlur={onBlur}>
      <select
        id={id}
        className="input"
        aria-label={`${label}：省`}
        aria-invalid={wrong || undefined}
        aria-describedby={describedBy}
        value={province?.code ?? ""}
        onChange={(event) => chooseProvince(event.target.value)}
      >
        <option value="">省</option>
        {provinces.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </select>
      <select
        className="input"
        aria-label={`${label}：市`}
        value={city?.code ?? ""}
        disabled={province === undefined}
        onChange={(event) => onChange(six(event.target.value || (province?.code ?? "")))}
      >
        <option value="">市</option>
        {cities.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
/** A code of six digits in words, as far as the regions are known. */
export function areaName(regions: Regions | undefined, code: string): string {
  const province = regions?.find((one) => one.code.slice(0, 2) === code.slice(0, 2));
  const city = province?.cities.find((one) => one.code.length === 4 && code.startsWith(one.code));
  return province ? [...new Set([province.name, city?.name])].filter(Boolean).join(" ") : code;
}
