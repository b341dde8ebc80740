import fc from "fast-check";
import { expect, test } from "vitest";
import { type ConfigKey, type ConfigValue, type ItemType, PLATFORM_ID, resolve } from "../../contract/index.ts";
import { effectOf, type Standing, type Step } from "./effect-rules.ts";

const key = (ckey: string): ConfigKey => ({
  ckey,
  name: ckey,
  group: "",
  valueType: "int",
  valueRange: "0-9",
  defaultValue: 0,
  levels: [0, 1, 2, 3, 4],
  unit: "",
  note: "",
});
const KEYS = [key("a"), key("b")];
/** Two providers with two merchants each, two stores each, three devices each: ids say where they are. */
const providers = ["p0", "p1"];
const merchants = providers.flatMap((p) => [`${p}m0`, `${p}m1`]);
const stores = merchants.flatMap((m) => [`${m}s0`, `${m}s1`]);
const devices = stores.flatMap((s) => [`${s}d0`, `${s}d1`, `${s}d2`]);
const NODES: readonly { item_type: ItemType; item_id: string }[] = [
  { item_type: 4, item_id: PLATFORM_ID },
  ...providers.map((item_id) => ({ item_type: 3 as const, item_id })),
  ...merchants.map((item_id) => ({ item_type: 2 as const, item_id })),
  ...stores.map((item_id) => ({ item_type: 1 as const, item_id })),
  ...devices.map((item_id) => ({ item_type: 0 as const, item_id })),
];
const storeOf = (device: string): string => device.slice(0, 6);
const chainOf = (device: string) => [
  { item_type: 0 as const, item_id: device },
  { item_type: 1 as const, item_id: storeOf(device) },
  { item_type: 2 as const, item_id: device.slice(0, 4) },
  { item_type: 3 as const, item_id: device.slice(0, 2) },
  { item_type: 4 as const, item_id: PLATFORM_ID },
];
const isBelow = (device: string, step: Step): boolean => chainOf(device).some(({ item_id }) => item_id === step.item_id);

/** The obvious way: every device by itself, before and after. */
function slowly(steps: readonly Step[], standing: readonly Standing[]) {
  const after = standing.filter((one) => !steps.some((step) => step.item_id === one.item_id && step.ckey === one.ckey));
  for (const { item_id, ckey, value } of steps) if (value !== null) after.push({ item_id, ckey, value });
  const changes = new Map<string, number>();
  const changed = new Set<string>();
  for (const device of devices) {
    const was = resolve(KEYS, chainOf(device), standing);
    const will = resolve(KEYS, chainOf(device), after);
    was.forEach((one, at) => {
      const to = will[at]!.value;
      if (one.value === to) return;
      changed.add(device);
      const name = JSON.stringify([one.ckey, one.value, to]);
      changes.set(name, (changes.get(name) ?? 0) + 1);
    });
  }
  return { changes: Object.fromEntries(changes), changed: changed.size };
}

const node = fc.constantFrom(...NODES);
const value = fc.integer({ min: 0, max: 2 }) as fc.Arbitrary<ConfigValue>;
const unique = { selector: (one: { item_id: string; ckey: string }) => `${one.item_id} ${one.ckey}` };
test("whatever stands and whatever is written, the counts are those of looking at every device by itself", () => {
  let moved = 0;
  fc.assert(
    fc.property(
      fc.uniqueArray(
        fc.record({ at: node, ckey: fc.constantFrom("a", "b"), value }).map(({ at, ...rest }) => ({ ...at, ...rest })),
        { maxLength: 30, ...unique },
      ),
      fc.uniqueArray(
        fc
          .record({ at: node, ckey: fc.constantFrom("a", "b"), value: fc.option(value) })
          .map(({ at, ...rest }): Step => ({ ...at, ...rest })),
        { minLength: 1, maxLength: 8, ...unique },
      ),
      (standing, steps) => {
        const below = devices.filter((device) => steps.some((step) => isBelow(device, step)));
        const counted = stores.flatMap((store_id) => {
          const here = below.filter((device) => storeOf(device) === store_id).length;
          return here === 0
            ? []
            : [{ service_provider_id: store_id.slice(0, 2), merchant_id: store_id.slice(0, 4), store_id, devices: here }];
        });
        const alone = below.filter((device) => [...standing, ...steps].some((one) => one.item_id === device));
        const effect = effectOf(KEYS, steps, counted, standing, new Map(alone.map((device) => [device, storeOf(device)])));
        const changes = Object.fromEntries(effect.changes.map(({ ckey, from, to, devices: n }) => [JSON.stringify([ckey, from, to]), n]));
        expect({ changes, changed: effect.changed }).toEqual(slowly(steps, standing));
        moved += effect.changed;
      },
    ),
    { numRuns: 2_000 },
  );
  // A property that never saw a device change would prove nothing.
  expect(moved).toBeGreaterThan(1_000);
});
