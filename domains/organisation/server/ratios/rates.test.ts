import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import { openWorld, type World } from "../../../accounts/server/world-for-tests.ts";
import { getRates, setRate, type RateLevel } from "../../contract/index.ts";
import { rateOn } from "./rate-on.ts";

let world: World;
let tokens: Record<"admin" | "sp01" | "sp02" | "agent01" | "mch01", string>;
beforeAll(async () => void (world = await openWorld()));
afterAll(() => world.close());
beforeEach(async () => {
  await emptyTables(world.truth, "rate_rules");
  const of = async (login: keyof typeof tokens) => [login, await world.signIn(login)] as const;
  tokens = Object.fromEntries(await Promise.all((["admin", "sp01", "sp02", "agent01", "mch01"] as const).map(of))) as typeof tokens;
});
/** 2026-11-20 in Shanghai. */
const [YESTERDAY, TODAY, TOMORROW] = ["2026-11-19", "2026-11-20", "2026-11-21"];
const idOf = (level: RateLevel): string =>
  ({ provider: world.tree.providers.sp01, agent: world.tree.agents.agent01, merchant: world.tree.merchants.mch01.id })[level];
const rate = (level: RateLevel, day: string, product = "NATIVE", channel = 0) =>
  withScope(world.services.pool, platformScope("test"), (tx) =>
    rateOn(tx, {
      owner: { level, serviceProviderId: idOf("provider"), id: idOf(level), agentId: level === "merchant" ? idOf("agent") : null },
      channel,
      product,
      day,
    }),
  );
const given = async (level: RateLevel, value: number, more: object = {}) => {
  const token = level === "provider" ? tokens.admin : tokens.sp01;
  const { version } = await world.call(getRates, token, { level, id: idOf(level) });
  return { level, id: idOf(level), version, channel: 0, product: "ALL", rate: value, start: "today", ...more } as const;
};
const set = async (level: RateLevel, value: number, more: object = {}) =>
  world.call(setRate, level === "provider" ? tokens.admin : tokens.sp01, await given(level, value, more));
const refusedTo = async (level: RateLevel, value: number, more: object = {}) =>
  world.refused(setRate, level === "provider" ? tokens.admin : tokens.sp01, await given(level, value, more));

test("without rules a merchant pays its own rate; a rule holds from its day on and days before keep theirs", async () => {
  expect(await rate("merchant", TODAY)).toBe(380);
  expect(await set("merchant", 450, { start: "tomorrow" })).toEqual({ fromDay: TOMORROW });
  expect([await rate("merchant", TODAY), await rate("merchant", TOMORROW)]).toEqual([380, 450]);
  await set("merchant", 500);
  expect([await rate("merchant", YESTERDAY), await rate("merchant", TODAY), await rate("merchant", TOMORROW)]).toEqual([380, 500, 500]);
  await set("merchant", 300, { product: "MICROPAY" });
  expect([
    await rate("merchant", TODAY, "MICROPAY"),
    await rate("merchant", TODAY, "NATIVE"),
    await rate("merchant", TODAY, "NATIVE", 1),
  ]).toEqual([300, 500, 380]);
  const { history, rates } = await world.call(getRates, tokens.sp01, { level: "merchant", id: idOf("merchant") });
  expect(history.map((one) => [one.product, one.rate, one.fromDay, one.byName])).toEqual([
    ["MICROPAY", 300, TODAY, "sp01"],
    ["ALL", 500, TODAY, "sp01"],
    ["ALL", 450, TOMORROW, "sp01"],
  ]);
  expect(rates).toMatchObject([
    { channel: 0, product: "ALL", rate: 500, tomorrow: 500, own: true },
    { channel: 0, product: "MICROPAY", rate: 300, tomorrow: 300, own: true },
  ]);
});

test("never below the level above, never above the level below, whichever is set and from which day on", async () => {
  await set("provider", 250);
  await set("agent", 300);
  expect((await refusedTo("agent", 249)).fields).toEqual({ rate: "不能低于上级的费率 0.25%" });
  expect((await refusedTo("merchant", 299)).fields).toEqual({ rate: "不能低于上级的费率 0.3%" });
  await set("merchant", 320);
  expect((await refusedTo("agent", 321)).fields?.["rate"]).toMatch(/商户（最低 0\.(?:3|32)%）的费率低于 0\.321%/);
  expect((await refusedTo("provider", 301)).fields?.["rate"]).toMatch(/1 家代理商/);
  // What begins tomorrow binds today's rules too.
  expect((await refusedTo("agent", 310, { start: "tomorrow" })).fields).toHaveProperty("rate");
  await world.truth("update merchants set fee_rate = 600 where service_provider_id = $1", [idOf("provider")]);
  await set("agent", 315, { start: "tomorrow" });
  expect((await refusedTo("merchant", 314)).fields).toEqual({ rate: "不能低于上级的费率 0.315%" });
});

test("of two who set over the same rates one does; other trees, other levels and holders of nothing are refused", async () => {
  // Both have looked before either sets.
  const [first, second] = [await given("merchant", 400), await given("merchant", 410)];
  const both = await Promise.allSettled([first, second].map((one) => world.call(setRate, tokens.sp01, one)));
  expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const mine = { level: "merchant", id: idOf("merchant") } as const;
  expect((await world.refused(getRates, tokens.sp02, mine)).status).toBe(404);
  expect((await world.refused(setRate, tokens.sp02, { ...(await given("merchant", 500)) })).status).toBe(404);
  expect(
    (
      await world.refused(setRate, tokens.sp01, {
        ...mine,
        level: "provider",
        id: idOf("provider"),
        version: 0,
        channel: 0,
        product: "ALL",
        rate: 100,
        start: "today",
      })
    ).status,
  ).toBe(403);
  for (const token of [tokens.agent01, tokens.mch01]) expect((await world.refused(getRates, token, mine)).status).toBe(403);
});

test("property: whatever rules stand in the tables, the rate is the model's and never below the level above", async () => {
  const rule = fc.record({
    level: fc.constantFrom("provider" as const, "agent" as const, "merchant" as const),
    product: fc.constantFrom("ALL", "NATIVE", "JSAPI", "MICROPAY"),
    channel: fc.constantFrom(0, 1),
    rate: fc.integer({ min: 0, max: 1000 }),
    from: fc.constantFrom(YESTERDAY, TODAY, TOMORROW),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(rule, { maxLength: 12 }),
      fc.constantFrom(YESTERDAY, TODAY, TOMORROW),
      fc.constantFrom("NATIVE", "MICROPAY"),
      fc.constantFrom(0, 1),
      async (rules, day, product, channel) => {
        await emptyTables(world.truth, "rate_rules");
        for (const one of rules)
          await world.truth(
            `insert into rate_rules (service_provider_id, level, owner_id, channel, product, rate, from_day, by_name, at) values ($1, $2, $3, $4, $5, $6, $7, '测', now())`,
            [idOf("provider"), one.level, idOf(one.level), one.channel, one.product, one.rate, one.from],
          );
        const ruleOf = (level: RateLevel): number | undefined => {
          const begun = rules.filter((one) => one.level === level && one.channel === channel && one.from! <= day!);
          return (begun.findLast((one) => one.product === product) ?? begun.findLast((one) => one.product === "ALL"))?.rate;
        };
        const [provider, agent, merchant] = [ruleOf("provider"), ruleOf("agent"), ruleOf("merchant")];
        const fallback = (await world.truth<{ r: number }>("select fee_rate as r from merchants where id = $1", [idOf("merchant")]))[0]!.r;
        const found = await rate("merchant", day!, product, channel);
        expect(found).toBe(Math.max(merchant ?? fallback, agent ?? 0, provider ?? 0));
        expect(found).toBeGreaterThanOrEqual(await rate("agent", day!, product, channel));
        if (provider !== undefined) expect(await rate("agent", day!, product, channel)).toBeGreaterThanOrEqual(provider);
      },
    ),
    { numRuns: 60 },
  );
});
