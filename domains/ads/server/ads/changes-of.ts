import type { AdRead } from "./ad-rows.ts";

/** An ad as it is to be saved. */
type Wanted = Pick<AdRead, "name" | "starts_on" | "ends_on" | "weekdays" | "periods" | "models" | "regions" | "priority" | "weight"> & {
  readonly materials: readonly { readonly material_id: string; readonly seconds: number | null }[];
  readonly targets: readonly { readonly item_id: string }[];
};

/** What of an ad a save changes, in words. */
export function changesOf(before: AdRead, after: Wanted): string[] {
  const items = (all: Wanted["materials"]) => all.map(({ material_id, seconds }) => [material_id, seconds]);
  const parts: readonly (readonly [string, unknown, unknown])[] = [
    ["名称", before.name, after.name],
    ["素材", items(before.items), items(after.materials)],
    ["日期", [before.starts_on, before.ends_on], [after.starts_on, after.ends_on]],
    ["星期", before.weekdays.toSorted(upwards), after.weekdays.toSorted(upwards)],
    ["播放时段", inOrder(before.periods), inOrder(after.periods)],
    ["投放范围", before.targets.map(({ item_id }) => item_id).toSorted(), after.targets.map(({ item_id }) => item_id).toSorted()],
    ["型号", before.models.toSorted(), after.models.toSorted()],
    ["地区", before.regions.toSorted(), after.regions.toSorted()],
    ["优先级", before.priority, after.priority],
    ["占比", before.weight, after.weight],
  ];
  return parts.flatMap(([name, from, to]) => (JSON.stringify(from) === JSON.stringify(to) ? [] : [name]));
}
const upwards = (a: number, b: number): number => a - b;
const inOrder = (periods: Wanted["periods"]) => periods.toSorted((a, b) => a[0] - b[0]);
