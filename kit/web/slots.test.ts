import { afterEach, expect, test } from "vitest";
import { loadAtLogin, registerAtLogin, slots } from "./slots.ts";

afterEach(() => slots.atLogin.splice(0));

test("configuration keys load for the levels that have them, and a failure stops nobody", () => {
  const loaded: string[] = [];
  registerAtLogin({ levels: ["ADMIN", "SP", "MCH"], load: async () => void loaded.push("device") });
  registerAtLogin({ levels: ["ADMIN", "SP"], load: () => (loaded.push("ad"), Promise.reject(new Error("down"))) });
  loadAtLogin("MCH");
  loadAtLogin("AE");
  loadAtLogin(undefined);
  expect(loaded).toEqual(["device"]);
  loadAtLogin("SP");
  expect(loaded).toEqual(["device", "device", "ad"]);
});
