import { labelled } from "@zhangfang/contract/labelled.ts";

/** What a value may stand at, spec.md section 3. */
export const itemType = labelled({ 0: "设备", 1: "门店", 2: "商户", 3: "服务商", 4: "平台" });
export type ItemType = 0 | 1 | 2 | 3 | 4;
/** The platform is one node. */
export const PLATFORM_ID = "00000000-0000-0000-0000-000000000000";

/** A picture may be so large at most; the web draws a larger one anew. */
export const PICTURE_MOST = { width: 1_000, height: 1_000, bytes: 180_000 } as const;

export type ConfigValue = string | number | boolean;
/** One key of a configuration, as `get_device_config_key` answers it. */
export interface ConfigKey {
  readonly ckey: string;
  readonly name: string;
  readonly group: string;
  readonly valueType: "int" | "select" | "text" | "switch" | "image";
  /** int: 'min-max'; select: [key, name] pairs; text: 'fewest-most' characters; else empty. */
  readonly valueRange: string | readonly (readonly [string | number, string])[];
  readonly defaultValue: ConfigValue;
  /** Where a value of its own may stand. */
  readonly levels: readonly ItemType[];
  readonly unit: string;
  readonly note: string;
}
type Range =
  | { readonly kind: "int" | "text"; readonly min: number; readonly max: number }
  | { readonly kind: "select"; readonly values: readonly (string | number)[]; readonly keyType: "string" | "number" }
  | { readonly kind: "switch" }
  | { readonly kind: "image" };

/**
 * What a key's valueRange says (spec.md section 3).
 * @throws where the two don't go together, which is a fault of the catalogue
 */
export function rangeOf({ ckey, valueType, valueRange }: Pick<ConfigKey, "ckey" | "valueType" | "valueRange">): Range {
  if (valueType === "int" || valueType === "text") {
    const parts = typeof valueRange === "string" ? /^(-?\d+)-(-?\d+)$/.exec(valueRange) : null;
    const [min, max] = [Number(parts?.[1]), Number(parts?.[2])];
    if (!(min <= max)) throw new Error(`${ckey} has no range: ${String(valueRange)}`);
    return { kind: valueType, min, max };
  }
  if (valueType !== "select") return { kind: valueType };
  if (typeof valueRange === "string" || valueRange.length === 0) throw new Error(`${ckey} has nothing to choose from`);
  const values = valueRange.map(([key]) => key);
  return { kind: "select", values, keyType: typeof values[0] === "number" ? "number" : "string" };
}

/** What is wrong with a value for a key, in words; undefined where nothing is. */
export function wrongValue(key: ConfigKey, value: ConfigValue): string | undefined {
  const range = rangeOf(key);
  if (range.kind === "int")
    return Number.isInteger(value) && Number(value) >= range.min && Number(value) <= range.max
      ? undefined
      : `${key.name}须为 ${range.min} 到 ${range.max} 的整数`;
  if (range.kind === "select") return range.values.includes(value as never) ? undefined : `${key.name}不在可选范围内`;
  if (range.kind === "switch") return typeof value === "boolean" ? undefined : `${key.name}只能为开或关`;
  if (typeof value !== "string" || [...value].some((sign) => sign < " " || sign === "\u007F")) return `${key.name}须为一行文字`;
  if (range.kind === "image")
    return value === "" || /^\/api\/config-pictures\/[0-9a-f-]{36}$/.test(value) ? undefined : `${key.name}须为上传的图片`;
  const length = [...value].length;
  return length >= range.min && length <= range.max ? undefined : `${key.name}须为 ${range.min} 到 ${range.max} 个字`;
}

/** A value as people read it. */
export function valueWords(key: ConfigKey, value: ConfigValue): string {
  if (key.valueType === "switch") return value === true ? "开" : "关";
  if (key.valueType === "select")
    return (typeof key.valueRange === "string" ? undefined : key.valueRange.find(([one]) => one === value)?.[1]) ?? String(value);
  if (key.valueType === "image") return value === "" ? "无图片" : "图片";
  return value === "" ? "空" : `${String(value)}${key.unit && ` ${key.unit}`}`;
}
