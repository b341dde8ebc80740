import { useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { listen } from "@zhangfang/web/api/testing-http.ts";
import { button, draw } from "../../../orders/web/testing-screen.tsx";
import { StorePicks } from "./StorePicks.tsx";

const GROUP = "11111111-1111-4111-8111-111111111111";
const store = (id: string, name: string, state = "active") => ({ id, number: "S1", name, city: null, state });
let http: Awaited<ReturnType<typeof listen>>;
let screen: ReturnType<typeof draw> | undefined;
beforeEach(async () => {
  http = await listen(({ path }) => {
    if (path.endsWith("/stores/choices")) return { body: { groups: [{ id: GROUP, name: "西区" }], areas: [] } };
    if (path.endsWith(`/stores/groups/${GROUP}`)) {
      const stores = [
        store("22222222-2222-4222-8222-222222222222", "春熙路店"),
        store("33333333-3333-4333-8333-333333333333", "关了的", "disabled"),
      ];
      return {
        body: { id: GROUP, name: "西区", storeCount: 2, managers: [], createdAt: "2026-11-20T02:00:00Z", stores, sessionCount: 0 },
      };
    }
    return { body: [] };
  });
});
afterEach(async () => {
  screen?.close();
  await http.close();
});
function Picks() {
  const [value, set] = useState<string[]>(["44444444-4444-4444-8444-444444444444"]);
  return (
    <>
      <StorePicks id="f" value={value} onChange={(ids) => set(ids ?? [])} aria-invalid={undefined} aria-describedby={undefined} />
      <output>{value.join(" ")}</output>
    </>
  );
}
const chosen = () => document.querySelector("output")?.textContent;

test("a group puts in the stores that it has now beside those that were chosen, but none that is closed", async () => {
  screen = draw(<Picks />, ["/store/store", "/store/group"]);
  await vi.waitFor(() => expect(button("西区")).toBeDefined());
  button("西区")!.click();
  await vi.waitFor(() => expect(chosen()).toBe("44444444-4444-4444-8444-444444444444 22222222-2222-4222-8222-222222222222"));
  button("西区")!.click();
  await vi.waitFor(() => expect(button("西区")!.getAttribute("aria-disabled")).toBeNull());
  expect(chosen()).toBe("44444444-4444-4444-8444-444444444444 22222222-2222-4222-8222-222222222222");
});
test("who may not read groups is offered none", async () => {
  screen = draw(<Picks />, ["/store/store"]);
  await vi.waitFor(() => expect(chosen()).not.toBe(""));
  expect(button("西区")).toBeUndefined();
});
