import { expect, test } from "vitest";
import { resolve, wrongValue } from "../../level-config/contract/index.ts";
import { AD_KEYS, settingsOf } from "./config-keys.ts";

test("each key has a default that fits it, and no two are named alike", () => {
  expect(AD_KEYS.filter((key) => wrongValue(key, key.defaultValue) !== undefined)).toEqual([]);
  expect(new Set(AD_KEYS.map(({ ckey }) => ckey)).size).toBe(AD_KEYS.length);
});

test("what holds for a device says when ads play on it", () => {
  const device = { item_type: 0, item_id: "d" } as const;
  const settings = (own: Record<string, string | number | boolean>) => {
    const values = Object.entries(own).map(([ckey, value]) => ({ item_id: "d", ckey, value }));
    return settingsOf(Object.fromEntries(resolve(AD_KEYS, [device], values).map(({ ckey, value }) => [ckey, value])));
  };
  expect(settings({})).toEqual({ on: true, hours: [0, 24], most: 10 });
  expect(settings({ play: false, from_hour: 9, to_hour: 21, most: 3 })).toEqual({ on: false, hours: [9, 21], most: 3 });
  expect(settingsOf({})).toEqual(settings({}));
});
