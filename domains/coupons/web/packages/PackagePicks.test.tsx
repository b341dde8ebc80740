import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { listen } from "@zhangfang/web/api/testing-http.ts";
import { button, draw } from "../../../orders/web/testing-screen.tsx";
import { PackagePicks } from "./PackagePicks.tsx";

const ID = "11111111-1111-4111-8111-111111111111";
const items = [
  { campaignId: "22222222-2222-4222-8222-222222222222", count: 2 },
  { campaignId: "33333333-3333-4333-8333-333333333333", count: 1 },
];
let http: Awaited<ReturnType<typeof listen>>;
let screen: ReturnType<typeof draw> | undefined;
beforeEach(async () => {
  http = await listen(({ path }) =>
    path.endsWith("/packages/one") ? { body: { id: ID, items } } : { body: { items: [{ id: ID, name: "新客包" }], next: null } },
  );
});
afterEach(async () => {
  screen?.close();
  await http.close();
});

test("a package that is given out fills in its coupons with how many of each", async () => {
  const picked: unknown[] = [];
  screen = draw(<PackagePicks onPick={(some) => void picked.push(some)} />, ["/ticket/group"]);
  await vi.waitFor(() => expect(button("新客包")).toBeDefined());
  expect(http.seen.at(-1)?.query.get("state")).toBe("RUNNING");
  button("新客包")!.click();
  await vi.waitFor(() => expect(picked).toEqual([items]));
});
test("who may not see packages is offered none, and nothing is asked", async () => {
  screen = draw(
    <>
      <PackagePicks onPick={() => {}} />
      <i>券</i>
    </>,
    ["/activity/centre"],
  );
  await vi.waitFor(() => expect(screen?.text()).toContain("券"));
  expect(http.seen).toEqual([]);
});
