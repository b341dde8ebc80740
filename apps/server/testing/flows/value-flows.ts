import { randomUUID } from "node:crypto";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import type { Endpoint } from "@zhangfang/contract/endpoint.ts";
import { checkLines, runImport, startImport } from "@zhangfang/domains/imports/contract.ts";
import { importsOver } from "@zhangfang/domains/imports/server/index.ts";
import { members } from "@zhangfang/domains/members/server/index.ts";
import { openTillWorld, type TillWorld } from "@zhangfang/domains/orders/server/testing/till-world.ts";
import { createPointTask } from "@zhangfang/domains/points/contract/index.ts";
import { points } from "@zhangfang/domains/points/server/index.ts";
import type { StoredWorld } from "@zhangfang/domains/stored-value/server/testing/stored-world.ts";
import { addPoints, valueBook, verifyValue } from "@zhangfang/domains/value-book/server/index.ts";
import { addTimesProduct, sellTimesCardAtTill, useTimesCard } from "@zhangfang/domains/vip/contract/index.ts";
import { CODE, openVipWorld, type VipWorld } from "@zhangfang/domains/vip/server/testing/vip-world.ts";
import { sweepOf, type Sweep } from "./flow.ts";

/** What jobs do by themselves: nobody asks. */
const nobody = async () => {};
const MEMBERS_VALUE = `select a.kind, a.balance::int as balance from value_accounts a where a.owner_id = any($1) and a.balance <> 0 order by a.owner_id, a.kind`;
const entriesOf = (cause: string) =>
  `select count(*)::int as entries from value_entries e where e.cause = '${cause}' and exists (select from value_postings p
    join value_accounts a on a.id = p.account_id where p.entry_id = e.id and a.owner_id = any($1))`;

/** Rows of a task that gives points, and points that end: each in a transaction of its own. */
export function pointFlows(world: StoredWorld): readonly Sweep[] {
  const shop = () => world.tree.merchants.mch01;
  return [
    sweepOf<{ readonly task: string; readonly people: readonly string[] }>({
      name: "a task gives points to two",
      least: 6,
      prepare: async () => {
        const people = [await world.member(), await world.member()];
        const create = points.routes.find(({ endpoint }) => endpoint === (createPointTask as Endpoint))!;
        const rows = people.map(({ no }) => ({ memberNo: no, points: 7 }));
        const wish = { requestId: randomUUID(), name: "周年", reason: "event", rows, fileHash: randomUUID().replaceAll("-", "").repeat(2) };
        const { id: task } = (await world.ask("mch01", create, { ...wish, again: true })) as { id: string };
        return { task, people: people.map(({ id }) => id) };
      },
      ask: nobody,
      go: () => world.runJobs(),
      outcome: async ({ task, people }) => ({
        task: await world.owner("select status from point_tasks where id = $1", [task]),
        rows: await world.owner("select status, failure from point_task_rows where task_id = $1", [task]),
        value: await world.owner(MEMBERS_VALUE, [people]),
        entries: await world.owner(entriesOf("points-task"), [people]),
      }),
    }),
    sweepOf<{ readonly people: readonly string[] }>({
      name: "points of two members end",
      least: 4,
      prepare: async () => {
        const people = [(await world.member()).id, (await world.member()).id];
        const now_ms = world.services.clock.now_ms();
        const { id: merchant_id, serviceProviderId: service_provider_id, stores } = shop();
        const given = { cause: "points-opening", points: 300, usable_from: shanghaiDay(now_ms), expires_on: null } as const;
        for (const member_id of people)
          await world.look((tx) =>
            addPoints(
              tx,
              { ids: world.services.ids, now_ms },
              { service_provider_id, merchant_id, member_id },
              { ...given, cause_id: randomUUID(), store_id: stores[0]!.id },
            ),
          );
        const yesterday = addDays(shanghaiDay(now_ms), -1);
        await world.owner("update point_lots set usable_from = $2, expires_on = $2 where member_id = any($1)", [people, yesterday]);
        return { people };
      },
      ask: nobody,
      go: () => world.sweep("tend-points"),
      outcome: async ({ people }) => ({
        value: await world.owner(MEMBERS_VALUE, [people]),
        lots: await world.owner("select left_points from point_lots where member_id = any($1)", [people]),
        entries: await world.owner(entriesOf("points-clear"), [people]),
      }),
    }),
  ];
}

/** Levels and times cards, with the book that they stand in. */
export async function openTimesFlows(): Promise<VipWorld> {
  const world = await openVipWorld();
  return { ...world, verify: world.breaches as VipWorld["verify"] };
}
/** A use is its time, its value and its row, and once for its request. */
export function timesFlows(world: VipWorld): readonly Sweep[] {
  return [
    sweepOf<{ readonly member: string; readonly cardNo: string; readonly requestId: string }>({
      name: "times of a card are used",
      least: 2,
      prepare: async () => {
        const facts = { name: `洗车卡 ${randomUUID().slice(0, 8)}`, times: 10, giftTimes: 2, singlePriceCents: 6_000, days: 90 };
        const product = await world.person("mch01", addTimesProduct, { ...facts, priceCents: 50_000 } as never);
        const { id: member } = await world.member();
        const tillNo = `C${randomUUID().slice(0, 18)}`;
        await world.device(world.store(), sellTimesCardAtTill, { tillNo, ticket: member, productId: product.id, ...CODE });
        await world.runJobs();
        const [card] = await world.owner<{ no: string }>("select card_no as no from times_cards where member_id = $1", [member]);
        return { member, cardNo: card!.no, requestId: randomUUID() };
      },
      ask: ({ member, cardNo, requestId }) =>
        world.device(world.store(), useTimesCard, { requestId, ticket: member, cardNo, times: 3 } as never),
      go: () => world.runJobs(),
      outcome: async ({ member }) => ({
        card: await world.owner("select left_times, earned_cents::int as earned, status from times_cards where member_id = $1", [member]),
        uses: await world.owner("select times, value_cents::int as value from times_uses where member_id = $1", [member]),
        value: await world.owner(MEMBERS_VALUE, [[member]]),
      }),
    }),
  ];
}

/** Members from a sheet, with what they had elsewhere. */
export async function openImportFlows(): Promise<TillWorld> {
  const world = await openTillWorld({ above: [valueBook, members, importsOver(members.imports)] });
  return { ...world, verify: async () => [...(await world.verify()), ...(await world.look(verifyValue))] };
}
let sheets = 0;
export function importFlows(world: TillWorld): readonly Sweep[] {
  const { routes } = importsOver(members.imports);
  const as = (endpoint: Endpoint, input: object) =>
    world.ask(
      "mch01",
      routes.find((one) => one.endpoint === endpoint)!,
      input,
    );
  return [
    sweepOf<{ readonly sheet: string }>({
      name: "lines of a sheet make members with points, gifts and principal that waits",
      least: 8,
      prepare: async () => {
        const [store] = await world.owner<{ number: string }>("select number from stores where id = $1", [
          world.tree.merchants.mch01.stores[0]!.id,
        ]);
        const { id: sheet } = (await as(startImport, { requestId: randomUUID(), source: "members", fileName: "会员.xlsx" })) as {
          id: string;
        };
        const line = (at: number, more: object) => ({
          line: at,
          cells: JSON.stringify({ phone: `1370${String(1_000_000 + ++sheets)}`, name: "文新", storeNumber: store!.number, ...more }),
        });
        await as(checkLines, { id: sheet, lines: [line(2, { points: "120", gift: "30.00" }), line(3, { principal: "200.00" })] });
        await as(runImport, { id: sheet });
        return { sheet };
      },
      ask: nobody,
      go: () => world.runJobs(),
      outcome: async ({ sheet }) => {
        const made = await world.owner<{ id: string }>("select made_id as id from import_rows where import_id = $1 order by line", [sheet]);
        const people = made.map(({ id }) => id);
        return {
          sheet: await world.owner("select status, failure from imports where id = $1", [sheet]),
          rows: await world.owner("select line, status from import_rows where import_id = $1 order by line", [sheet]),
          value: await world.owner(MEMBERS_VALUE, [people]),
          entries: [await world.owner(entriesOf("opening"), [people]), await world.owner(entriesOf("points-opening"), [people])],
          waits: await world.owner("select principal_cents::int as cents from member_openings where member_id = any($1)", [people]),
        };
      },
    }),
  ];
}
