import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import {
  addAccount,
  addOwnPosition,
  accountLevel,
  assignPosition,
  heldPaths,
  MENU,
  resetPassword,
  ROOT_ONLY,
  setGrant,
  setUserState,
  updateOwnPosition,
  updateStaff,
  type Level,
} from "../../contract/index.ts";
import { openWorld, type World } from "../world-for-tests.ts";

let world: World;
beforeAll(async () => void (world = await openWorld()));
afterAll(() => world.close());

/** ESCALATION_RUNS=2000 walks the whole programme; every change walks a part of it. */
const RUNS = Number(process.env["ESCALATION_RUNS"] ?? 120);
const SEED = Number(process.env["ESCALATION_SEED"] ?? 20_261_120);
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
  granted: string[] | null;
  narrowed: boolean;
  stores: string[];
};

/** Everybody with what they hold, straight from the tables. */
const everybody = () =>
  world.truth<Row>(`select u.id, u.login, u.root_login, u.level, u.service_provider_id, u.merchant_id, u.created_by, p.items, app.granted_of(u) as granted, u.narrowed,
  array(select x.store_id::text from user_stores x where x.user_id = u.id) as stores from users u left join positions p on p.id = u.position_id`);
const held = (row: Row) => heldPaths({ level: row.level, root: row.login === row.root_login, position: row.items, granted: row.granted });

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
  { weight: 1, arbitrary: fc.record({ do: fc.constant("assign" as const), fits, actor: pick, target: pick, position: pick }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("move" as const),
      fits,
      actor: pick,
      target: pick,
      position: pick,
      stores: fc.array(pick, { maxLength: 2 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("grant" as const),
      fits,
      actor: pick,
      target: pick,
      items: fc.option(fc.array(pick, { minLength: 1, maxLength: 30 }), { nil: undefined }),
    }),
  },
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
  const users = await everybody();
  const positions = await world.truth<{ id: string; root_user_id: string }>(
    "select id, root_user_id from positions order by created_at, id",
  );
  const roots = users.filter((user) => user.login === user.root_login && ["ADMIN", "SP", "MCH"].includes(user.level));
  const actor = of("fits" in given && given.fits ? roots : users, given.actor)!;
  const token = await world.signIn(actor.login);
  const target = "target" in given ? (targetOf(given, actor, users)?.id ?? actor.id) : actor.id;
  const position =
    "position" in given
      ? of(
          positions.filter((one) => !("fits" in given && given.fits) || one.root_user_id === actor.id),
          given.position,
        )?.id
      : undefined;
  const items =
    "items" in given && given.items
      ? itemsOf(
          given.items,
          given.fits,
          given.do === "grant" ? (users.find((user) => user.id === target) ?? actor) : actor,
          given.do === "grant",
        )
      : undefined;
  switch (given.do) {
    case "position":
      return void (await world.call(addOwnPosition, token, { requestId: randomUUID(), name: `岗位${made++}`, items: items! }));
    case "regrant":
      return void (await world.call(updateOwnPosition, token, { id: position ?? actor.id, name: `岗位${made++}`, items: items! }));
    case "assign":
      return void (await world.call(assignPosition, token, { id: position ?? actor.id, userIds: [target] }));
    case "move": {
      const storeIds = [
        ...new Set(
          given.stores.map(
            (store) =>
              of(
                world.tree.stores.filter((one) => !given.fits || one.merchantId === actor.merchant_id),
                store,
              )?.id ?? actor.id,
          ),
        ),
      ];
      return void (await world.call(updateStaff, token, { id: target, firstName: "移动", positionId: position ?? null, storeIds }));
    }
    case "grant":
      return void (await world.call(setGrant, token, { id: target, items: items ?? null }));
    case "reset":
      return void (await world.call(resetPassword, token, { id: target }));
    case "active":
      return void (await world.call(setUserState, token, { id: target, state: given.state }));
    default:
      await world.call(addAccount, token, given.fits ? fitting(given, actor, positions) : anyhow(given, positions));
  }
}
/** Whom a step is about: where it fits, one of the actor's people or a root below it. */
function targetOf(given: Step & { target: number }, actor: Row, users: readonly Row[]): Row | undefined {
  if (!("fits" in given && given.fits)) return of(users, given.target);
  const mine = users.filter((user) => user.root_login === actor.login && user !== actor);
  const below = users.filter(
    (user) =>
      user.login === user.root_login &&
      (actor.level === "ADMIN" || (user.service_provider_id === actor.service_provider_id && user.level !== "SP")),
  );
  return of(given.do === "grant" ? below : mine, given.target);
}
/** Items that somebody gives away, or of the level that is narrowed, or any at all. */
function itemsOf(picked: readonly number[], fitting: boolean, whose: Row, ofLevel: boolean): string[] {
  const own = ofLevel ? heldPaths({ level: whose.level, root: true, position: null }) : held(whose);
  const all = fitting
    ? [...own].filter((path) => ofLevel || !ROOT_ONLY.includes(path))
    : MENU.flatMap((one) => (one.parentId ? [one.path] : []));
  return [...new Set(picked.map((item) => of(all, item) ?? "/"))];
}
/** Takes away whom the walk has made, so that it stays as quick as it began; whoever was there before is open again. */
const clear = () =>
  world.truth(`with gone as (select id from users where login like 'fuzz%'), s as (delete from sessions where true),
    us as (delete from user_stores where user_id in (select id from gone)), ua as (delete from user_areas where user_id in (select id from gone)),
    p as (delete from positions p where p.name like '岗位%' and not exists (select 1 from users u where u.position_id = p.id and u.login not like 'fuzz%')),
    o as (update users set state = 'active' where login not like 'fuzz%' and state <> 'active')
    delete from users where id in (select id from gone)`);

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

test(
  "S10: however accounts are added, granted, reset and disabled, nobody comes to hold what no one above them held",
  async () => {
    const before = await everybody();
    const reached = { users: 0, positions: 0, narrowed: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 8 }), async (steps) => {
        for (const given of steps) {
          await take(given).catch((error: unknown) => {
            // A refusal, or the database's own: foreign keys hold what the code might forget.
            if (!(error instanceof Refusal) && !["23503", "23505", "23514"].includes(String((error as { code?: string }).code)))
              throw error;
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
            expect(
              [...held(user)].filter((path) => !roots.has(path)),
              user.login,
            ).toEqual([]);
          } else if (user.created_by) {
            const maker = users.find((found) => found.id === user.created_by)!;
            expect(RANK.indexOf(maker.level)).toBeLessThan(RANK.indexOf(user.level));
            expect(maker.level === "ADMIN" || maker.service_provider_id === user.service_provider_id).toBe(true);
          }
          // Nobody holds what is not its level's, however it was granted, and nothing that only roots hold but roots.
          for (const path of held(user))
            expect(MENU.some((item) => item.path === path && item.levels.includes(user.level) && (root === user || !item.rootOnly))).toBe(
              true,
            );
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
        reached.users = Math.max(reached.users, users.length);
        reached.positions = Math.max(reached.positions, users.filter((user) => user.items && user.login.startsWith("fuzz")).length);
        reached.narrowed += users.filter((user) => user.granted).length > 0 ? 1 : 0;
        if (users.length > before.length + 60) await clear();
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: true },
    );
    // The walk did get somewhere.
    expect(reached.users).toBeGreaterThan(before.length + 10);
    expect(reached.positions).toBeGreaterThan(2);
    expect(reached.narrowed).toBeGreaterThan(5);
  },
  Math.max(120_000, RUNS * 1_000),
);
