import { afterAll, beforeAll, expect, test } from "vitest";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { type ActivityWorld, openActivityWorld } from "../../../activities/server/testing/activity-world.ts";
import { type Asked, forgetToken, tokenOf } from "./app-token.ts";

let world: ActivityWorld;
beforeAll(async () => void (world = await openActivityWorld()));
afterAll(() => world.close());

const ended = () => world.services.clock.advance(7_100_000);
const ok = (name: string) => ({ kind: "ok" as const, value: { token: name, lasts_s: 7_200, refresh: `refresh of ${name}` } });
/** An authorised account whose first token has ended. */
async function authorised() {
  const app = {
    service_provider_id: world.tree.merchants.mch01.serviceProviderId,
    id: world.services.ids.uuid(world.services.clock.now_ms()),
  };
  await tokenOf(world.services, app, () => Promise.resolve(ok("first")));
  ended();
  return app;
}

test("who comes too late for their turn still keeps the next refresh token: the old one is used up", async () => {
  const app = await authorised();
  const slow = await tokenOf(world.services, app, async ({ refresh }: Asked) => {
    expect(refresh).toBe("refresh of first");
    world.services.clock.advance(76_000);
    const refused = { kind: "refused" as const, code: 61_023, message: "刷新令牌无效" };
    expect(await tokenOf(world.services, app, () => Promise.resolve(refused))).toEqual(refused);
    return ok("second");
  });
  expect(slow).toEqual({ kind: "ok", value: "second" });
  ended();
  const asked: (string | null)[] = [];
  await tokenOf(world.services, app, ({ refresh }) => {
    asked.push(refresh);
    return Promise.resolve(ok("third"));
  });
  expect(asked).toEqual(["refresh of second"]);
});
test("what was forgotten meanwhile is not brought back by who still asks", async () => {
  const app = await authorised();
  const late = await tokenOf(world.services, app, async () => {
    await withScope(world.services.pool, platformScope("forget a token"), (tx) => forgetToken(tx, app));
    return ok("second");
  });
  expect(late).toMatchObject({ kind: "unknown" });
  await tokenOf(world.services, app, ({ refresh }) => {
    expect(refresh).toBeNull();
    return Promise.resolve(ok("third"));
  });
});
