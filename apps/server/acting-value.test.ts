import { expect, test } from "vitest";
import { members } from "@zhangfang/domains/members/server/index.ts";
import { points } from "@zhangfang/domains/points/server/index.ts";
import { storedValue } from "@zhangfang/domains/stored-value/server/index.ts";
import { vip } from "@zhangfang/domains/vip/server/index.ts";

// Settings, and what a customer then pays or does at a till (decisions/0017).
const OPEN = [
  // Who a member is, and whether they may spend: no value moves.
  "/api/members/add",
  "/api/members/update",
  "/api/members/id-card",
  "/api/members/remark",
  "/api/members/reveal",
  "/api/members/freeze",
  "/api/members/keep",
  "/api/stored-value/rules/save",
  "/api/points/rule",
  "/api/vip/rules/set",
  "/api/vip/rights/set",
  "/api/vip/times-products/add",
  "/api/vip/times-products/update",
  "/api/vip/times-products/state",
  "/api/vip/orders/sell",
  "/api/vip/times-cards/sell",
];

test("what a hand moves of members' value is closed to whoever acts for somebody; settings and sales are not", () => {
  const writes = [members, storedValue, points, vip]
    .flatMap(({ routes }) => routes.map(({ endpoint }) => endpoint))
    .filter(({ verb, path }) => verb === "POST" && !path.startsWith("/api/till/"));
  expect(writes.length).toBeGreaterThan(OPEN.length);
  expect(
    writes
      .filter((one) => !one.closedToActing)
      .map(({ path }) => path)
      .toSorted(),
  ).toEqual(OPEN.toSorted());
});
