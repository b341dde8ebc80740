import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withScope } from "@zhangfang/server/db.ts";
import { Refusal } from "@zhangfang/server/errors.ts";
import { platformScope } from "@zhangfang/server/scope.ts";
import { addAccount, accountLevel, heldPaths, MENU, resetPassword, ROOT_ONLY, setUserState, type Level } from "../../contract/index.ts";
import { addPosition, updatePosition, updateUser } from "../index.ts";
import { openWorld, type World } from "../world-for-tests.ts";

let world: World;
beforeAll(async () => void (world = await openWorld()));
afterAll(() => world.close());

const RANK: readonly Level[] = ["ADMIN", "SP", "AG", "GP", "TM", "SM", "MCH", "AE"];
type Row = {
  id: string;
  login: string;
  root_login: string;
  level: Level;
  service_provider_id: string | null;
  merchant_id: string | null;
  created_by: string | null;
  items: string[] | null;
  narrowed: boolean;
  stores: string[];
};

/** Everybody with what they hold, straight from the tables. */
const everybody = () =>
  world.truth<Row>(`select u.id, u.login, u.root_login, u.level, u.service_provider_id, u.merchant_id, u.created_by, p.items, u.narrowed,
  array(select x.store_id::text from user_stores x where x.user_id = u.id) as stores from users u left join positions p on p.id = u.position_id`);
const held = (row: Row) => heldPaths({ level: row.level, root: row.login === row.root_login, position: row.items });

const pick = fc.nat({ max: 1000 });
/** Half of the steps are tried with parts that fit, so that the walk gets somewhere; the others with any parts at all. */
const fits = fc.boolean();
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("add" as const),
      fits,
      actor: pick,
      level: fc.constantFrom(...accountLevel.values),
      node: pick,
      position: pick,
      stores: fc.array(pick, { minLength: 1, maxLength: 2 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("position" as const),
      fits,
      actor: pick,
      items: fc.array(pick, { minLength: 1, maxLength: 6 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("regrant" as const),
      fits,
      actor: pick,
      position: pick,
      items: fc.array(pick, { minLength: 1, maxLength: 6 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("assign" as const), target: pick, position: pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("reset" as const), actor: pick, target: pick }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("active" as const),
      actor: pick,
      target: pick,
      state: fc.constantFrom("active" as const, "disabled" as const),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
const of = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(list.length, 1)];
let made = 0;

async function take(given: Step): Promise<void> {
  const { services } = world;
  const users = await everybody();
  const positions = await world.truth<{ id: string; root_user_id: string }>(
    "select id, root_user_id from positions order by created_at, id",
  );
  const inPlatform = (fn: Parameters<typeof withScope>[2]) => withScope(services.pool, platformScope("test"), fn);
  const roots = users.filter((user) => user.login === user.root_login && ["ADMIN", "SP", "MCH"].includes(user.level));
  const actor = "actor" in given ? of("fits" in given && given.fits ? roots : users, given.actor)! : undefined;
  const items =
    "items" in given
      ? given.items.map((item) =>
          of(given.fits ? [...held(actor!)].filter((path) => !ROOT_ONLY.includes(path)) : MENU.map((one) => one.path), item)!,
        )
      : [];
  if (given.do === "position")
    return void (await inPlatform((tx) => addPosition(tx, services, actor!.id, { name: `岗位${made++}`, items })));
  if (given.do === "regrant")
    return void (await inPlatform((tx) =>
      updatePosition(
        tx,
        services,
        actor!.id,
        of(
          positions.filter((position) => !given.fits || position.root_user_id === actor!.id),
          given.position,
        )?.id ?? actor!.id,
        items,
      ),
    ));
  if (given.do === "assign")
    return void (await inPlatform((tx) =>
      updateUser(tx, services, of(users, given.target)!.id, { positionId: of(positions, given.position)?.id ?? null }),
    ));
  const token = await world.signIn(actor!.login);
  if (given.do === "reset") return void (await world.call(resetPassword, token, { id: of(users, given.target)!.id }));
  if (given.do === "active") return void (await world.call(setUserState, token, { id: of(users, given.target)!.id, state: given.state }));
  await world.call(addAccount, token, given.fits ? fitting(given, actor!, positions) : anyhow(given, positions));
}

type Add = Extract<Step, { do: "add" }>;
type Input = Parameters<typeof world.call<typeof addAccount>>[2];
/** What this actor may well add. */
function fitting(given: Add, actor: Row, positions: readonly { id: string; root_user_id: string }[]): Input {
  const { tree } = world;
  const base = { login: `fuzz${made++}`, firstName: "随机" };
  if (actor.level === "ADMIN" && given.node % 2 === 0)
    return { ...base, level: "SP", serviceProviderId: of(Object.values(tree.providers), given.node / 2) };
  if (actor.level === "SP" && given.node % 3 > 0) {
    const merchants = Object.values(tree.merchants).filter((merchant) => merchant.serviceProviderId === actor.service_provider_id);
    return given.node % 3 === 1
      ? { ...base, level: "MCH", nodeId: of(merchants, given.node)!.id }
      : { ...base, level: "AG", nodeId: of(Object.values(tree.agents), given.node) };
  }
  const storeIds =
    actor.level === "MCH"
      ? [
          ...new Set(
            given.stores.map(
              (store) =>
                of(
                  tree.stores.filter((found) => found.merchantId === actor.merchant_id),
                  store,
                )!.id,
            ),
          ),
        ]
      : [];
  if (actor.level === "MCH" && given.node % 2 === 0) return { ...base, level: "AE", storeIds };
  return {
    ...base,
    level: actor.level,
    positionId: of(
      positions.filter((position) => position.root_user_id === actor.id),
      given.position,
    )?.id,
    storeIds,
  };
}
/** Any level, node, provider, position and stores. */
function anyhow(given: Add, positions: readonly { id: string }[]): Input {
  const { tree } = world;
  const nodes = [
    ...Object.values(tree.agents),
    ...Object.values(tree.groups),
    ...Object.values(tree.teams),
    ...Object.values(tree.salesmen),
    ...Object.values(tree.merchants).map((merchant) => merchant.id),
    undefined,
  ];
  return {
    login: `fuzz${made++}`,
    firstName: "随机",
    level: given.level,
    nodeId: of(nodes, given.node),
    serviceProviderId: of(Object.values(tree.providers), given.node),
    ...(given.position % 2 === 0 && { positionId: of(positions, given.position)?.id }),
    storeIds: [...new Set(given.stores.map((store) => of(tree.stores, store)!.id))],
  };
}

test("S10: however accounts are added, granted, reset and disabled, nobody comes to hold what no one above them held", async () => {
  const before = await everybody();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 8 }), async (steps) => {
      for (const given of steps) {
        await take(given).catch((error: unknown) => {
          // A refusal, or the database's own: foreign keys hold what the code might forget.
          if (!(error instanceof Refusal) && !["23503", "23505", "23514"].includes(String((error as { code?: string }).code))) throw error;
        });
      }
      const users = await everybody();
      const byLogin = new Map(users.map((user) => [user.login, user]));
      for (const user of users) {
        const root = byLogin.get(user.root_login)!;
        if (root !== user) {
          // A sub-account: of its root's own node, and within what the root holds.
          expect([root.service_provider_id, root.merchant_id]).toEqual([user.service_provider_id, user.merchant_id]);
          expect(user.level === root.level || (root.level === "MCH" && user.level === "AE")).toBe(true);
          const roots = held(root);
          if (user.level === root.level)
            expect(
              [...held(user)].filter((path) => !roots.has(path)),
              user.login,
            ).toEqual([]);
        } else if (user.created_by) {
          const maker = users.find((found) => found.id === user.created_by)!;
          expect(RANK.indexOf(maker.level)).toBeLessThan(RANK.indexOf(user.level));
          expect(maker.level === "ADMIN" || maker.service_provider_id === user.service_provider_id).toBe(true);
        }
        for (const store of user.stores) expect(world.tree.stores.find((found) => found.id === store)!.merchantId).toBe(user.merchant_id);
      }
      // Whoever was there keeps a level, a node and a root; every node keeps an active root.
      for (const old of before)
        expect(users.find((user) => user.id === old.id)).toMatchObject({
          level: old.level,
          root_login: old.root_login,
          service_provider_id: old.service_provider_id,
          merchant_id: old.merchant_id,
        });
      expect(
        await world.truth(
          `select 1 from users where login = root_login group by level, service_provider_id, agent_id, business_group_id, business_team_id, salesman_id, merchant_id having count(*) filter (where state = 'active') = 0`,
        ),
      ).toEqual([]);
    }),
    { numRuns: 25, seed: 20261120 },
  );
  // The walk did get somewhere.
  expect((await everybody()).length).toBeGreaterThan(before.length + 10);
  expect((await world.truth("select 1 from positions")).length).toBeGreaterThan(5);
}, 120_000);
