import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import {
  addPackage,
  askRevoke,
  createPackageSend,
  createSend,
  decidePackage,
  decideRevoke,
  getSend,
  listSendable,
  listSendablePackages,
  listSendRows,
  listSends,
  steerCampaign,
  steerSend,
  countSendAudience,
} from "../../contract/index.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { closeOrder } from "../../../orders/server/index.ts";
import { freeCouponStock, holdCouponStock } from "../claims/give-coupons.ts";
import { ownCoupons } from "../received/member-coupons.ts";
import { sendExport } from "./send-routes.ts";
import { fileRows } from "@zhangfang/server/testing/file-rows.ts";
import { type CouponWorld, openCouponWorld } from "../testing/coupon-world.ts";
import { packageOf } from "../testing/plant.ts";
import { prepareSome } from "./prepare-send.ts";
import { runSend } from "./run-send.ts";

let world: CouponWorld;
beforeAll(async () => void (world = await openCouponWorld()));
beforeEach(() => world.clean());
afterEach(async () => expect(await world.breaches()).toEqual([]));
afterAll(() => world.close());

const TAG = "生日月";
const provider = () => world.tree.merchants.mch01.serviceProviderId;
const members = async (count: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push(await world.member());
  await world.owner("update members set tags = '{}' where tags <> '{}'");
  await world.owner("update members set tags = $2 where id = any($1)", [ids, [TAG]]);
  return ids;
};
const numbers = async (ids: readonly string[]) =>
  (await world.owner<{ no: string }>("select no from members where id = any($1) order by no", [ids])).map(({ no }) => no);
const send = (campaignId: string, more: object) =>
  world.call("mch01", createSend, { requestId: randomUUID(), name: "生日月", campaignId, ...more } as never);
const of = (id: string) => world.call("mch01", getSend, { id });
const rows = async (taskId: string) =>
  (await world.call("mch01", listSendRows, { taskId })).items.map(({ status, reason }) => [status, reason]);
const stock = async (campaign: string) =>
  (await world.owner<{ issued: number; held: number }>("select issued, held from coupon_stock where campaign_id = $1", [campaign]))[0];

test("members by what they are get one each, once, however often it is done; another list is asked about", async () => {
  const [campaign, ids] = [await world.campaign({}, { total: 10 }), await members(4)];
  expect((await world.call("mch01", countSendAudience, { tag: TAG })).members).toBe(4);
  expect((await world.call("mch01", listSendable, {})).items).toMatchObject([{ id: campaign, left: 10 }]);
  const { id, rows: count } = await send(campaign, { filter: { tag: TAG } });
  expect([count, await stock(campaign)]).toEqual([4, { issued: 0, held: 4 }]);
  // Whom it means is frozen; their rows are made by the job.
  expect(await of(id)).toMatchObject({ status: 4, toMake: 4, waiting: 0, mine: true });
  await expect(send(campaign, { filter: { tag: TAG } })).rejects.toMatchObject({ code: "task.again" });
  const again = () => runSend.run(world.services, { service_provider_id: provider(), id });
  await Promise.all([again(), again(), again()]);
  await again();
  expect(await of(id)).toMatchObject({ status: 2, sent: 4, waiting: 0, failed: 0, skipped: 0, worth: "满 80 减 20" });
  expect(await stock(campaign)).toEqual({ issued: 4, held: 0 });
  const got = await world.owner("select 1 from coupons where member_id = any($1) and source = 'send'", [ids]);
  expect(got).toHaveLength(4);
  // Meant once more: each has what a human may have.
  const second = await send(campaign, { filter: { tag: TAG }, again: true });
  await world.runJobs();
  expect(await of(second.id)).toMatchObject({ status: 2, sent: 0, skipped: 4 });
  expect(await rows(second.id)).toContainEqual([3, "已达每人限领张数"]);
  expect(await stock(campaign)).toEqual({ issued: 4, held: 0 });
  const { items } = await world.call("mch01", listSends, {});
  expect(items).toHaveLength(2);
  const file = async (login: string) => {
    const [user] = await world.owner<{ scope: string }>("select app.scope_of(u) as scope from users u where u.login = $1", [login]);
    return fileRows(world.services, sendExport as never, user!.scope);
  };
  expect(await file("mch01")).toMatchObject(items.map(({ name, sent, skipped }) => ({ name, status: "已完成", sent, skipped })));
  expect(await file("mch02")).toEqual([]);
  await expect(world.call("mch02", getSend, { id })).rejects.toMatchObject({ status: 404 });
});

test("a sheet keeps its lines; whom nobody knows and whom the terms leave out are skipped with the reason", async () => {
  const campaign = await world.campaign({ newOnly: true });
  const ids = await members(2);
  await world.owner("update members set status = 2 where id = $1", [ids[0]]);
  const known = await numbers(ids);
  await expect(send(campaign, { memberNos: [known[0], known[0]] })).rejects.toMatchObject({ fields: { memberNos: expect.any(String) } });
  const { id } = await send(campaign, { memberNos: ["9999999999", ...known] });
  await expect(send(campaign, { memberNos: ["9999999999"] })).rejects.toMatchObject({ fields: { memberNos: "名单里没有一位会员" } });
  // A piece is set aside for each member whom it means; their rows are the job's, and the lines are readable to nobody.
  expect([await of(id), await stock(campaign)]).toMatchObject([
    { status: 4, toMake: 2, waiting: 0 },
    { issued: 0, held: 2 },
  ]);
  expect(await world.owner("select 1 from send_tasks where sheet is null or strpos(sheet, $1) > 0", [known[0]])).toEqual([]);
  await world.runJobs();
  expect(await stock(campaign)).toEqual({ issued: 1, held: 0 });
  expect(await world.owner("select 1 from send_tasks where sheet is not null")).toEqual([]);
  expect(await of(id)).toMatchObject({ status: 2, sent: 1, skipped: 2 });
  const became = await rows(id);
  expect(became).toHaveLength(3);
  for (const row of [
    [1, ""],
    [3, "会员已冻结，不能领券"],
    [3, "没有此会员"],
  ])
    expect(became).toContainEqual(row);
});

test("a sheet names members by phone as well; nobody is in it twice, and a phone of nobody is told masked", async () => {
  const campaign = await world.campaign();
  const phone = `139${String(Date.now()).slice(-8)}`;
  const [mine, other] = [await world.member(phone), ...(await members(1))];
  const [no] = await numbers([mine]);
  const twice = send(campaign, { memberNos: [phone, ...(await numbers([other!])), phone] });
  const masked = `${phone.slice(0, 3)}****${phone.slice(-4)}`;
  await expect(twice).rejects.toMatchObject({ fields: { memberNos: `第 3 行和第 1 行是同一会员 ${masked}` } });
  await expect(send(campaign, { memberNos: ["138"] })).rejects.toMatchObject({ fields: { "memberNos.0": expect.any(String) } });
  const { id } = await send(campaign, { memberNos: [phone, ...(await numbers([other!])), "13400000000", no] });
  // Who gets that phone after it was asked for is not whom it means.
  const late = await world.member("13400000000");
  await world.owner("update member_identities set created_at = created_at + interval '1 day' where member_id = $1", [late]);
  await world.runJobs();
  const { items } = await world.call("mch01", listSendRows, { taskId: id });
  expect(items.map(({ place, memberNo, status }) => [place, memberNo, status])).toEqual([
    [1, no, 1],
    [2, (await numbers([other!]))[0], 1],
    [3, "134****0000", 3],
    [4, no, 3],
  ]);
  expect(items[3]).toMatchObject({ reason: "与第 1 行是同一会员" });
  expect(await world.owner("select 1 from coupons where member_id = $1", [mine])).toHaveLength(1);
  expect(await world.owner("select 1 from send_rows where member_no like '134%' and member_no <> '134****0000'")).toEqual([]);
});

/** A package of two campaigns, two of one and one of the other, which another approved. */
async function packed(more: object = {}): Promise<{ id: string; campaigns: [string, string] }> {
  const campaigns: [string, string] = [await world.campaign({}, { total: 200 }), await world.campaign({}, { total: 200 })];
  const items = campaigns.map((campaignId, at) => ({ campaignId, count: 2 - at }));
  const facts = {
    requestId: randomUUID(),
    ...packageOf(world, campaigns[0]),
    items,
    perPerson: 1,
    endsAt: new Date(world.services.clock.now_ms() + 20 * 86_400_000).toISOString(),
    ...more,
  };
  const { id } = await world.call("mch01", addPackage, facts as never);
  await world.owner("update packages set made_by = gen_random_uuid() where id = $1", [id]);
  await world.call("mch01", decidePackage, { id, approve: true });
  return { id, campaigns };
}
const sendPackage = (packageId: string, more: object) =>
  world.call("mch01", createPackageSend, { requestId: randomUUID(), name: "回店", packageId, ...more } as never);
const supply = async (id: string) =>
  (await world.owner<{ issued: number; held: number }>("select issued::int, held::int from packages where id = $1", [id]))[0];

test("a package goes to each whole or not at all, once, however many do it at once, and comes back by 作废", async () => {
  const [pack, ids] = [await packed(), await members(4)];
  await world.owner("update members set status = 2 where id = $1", [ids[0]]);
  expect((await world.call("mch01", listSendablePackages, {})).items).toMatchObject([{ id: pack.id, worth: "2 种共 3 张", left: 1_000 }]);
  const { id, rows: count } = await sendPackage(pack.id, { filter: { tag: TAG } });
  expect([count, await supply(pack.id), await stock(pack.campaigns[0])]).toEqual([4, { issued: 0, held: 4 }, { issued: 0, held: 8 }]);
  expect(await world.breaches()).toEqual([]);
  const run = () => runSend.run(world.services, { service_provider_id: provider(), id });
  await Promise.all([run(), run(), run()]);
  await run();
  expect(await of(id)).toMatchObject({ status: 2, sent: 3, skipped: 1, worth: "2 种共 3 张", campaignId: null, packageId: pack.id });
  expect([await supply(pack.id), await stock(pack.campaigns[0]), await stock(pack.campaigns[1])]).toEqual([
    { issued: 3, held: 0 },
    { issued: 6, held: 0 },
    { issued: 3, held: 0 },
  ]);
  // Once more to the same: each has what a human may have, and nothing of it stays set aside.
  await expect(sendPackage(pack.id, { filter: { tag: TAG } })).rejects.toMatchObject({ code: "task.again" });
  const second = await sendPackage(pack.id, { filter: { tag: TAG }, again: true });
  await world.runJobs();
  expect(await of(second.id)).toMatchObject({ status: 2, sent: 0, skipped: 4 });
  expect(await supply(pack.id)).toEqual({ issued: 3, held: 0 });

  await world.call("mch01", askRevoke, { id, reason: "发错了" });
  await world.owner("update send_revokes set asked_by = gen_random_uuid() where task_id = $1", [id]);
  await world.call("mch01", decideRevoke, { id, approve: true });
  await world.runJobs();
  expect(await of(id)).toMatchObject({ coupons: { usable: 0, using: 0, used: 0, over: 9 }, revoke: { status: 2 } });
  await expect(
    world.call("mch02", createPackageSend, { requestId: randomUUID(), name: "偷", packageId: pack.id, filter: {} }),
  ).rejects.toMatchObject({
    status: 404,
  });
});

test("packages are given to many at once in one write, and a human counts by whoever was merged into them", async () => {
  const [pack, ids] = [await packed({ perPerson: 2 }), await members(12)];
  const [gone, , frozen] = ids;
  const had = await sendPackage(pack.id, { memberNos: await numbers([gone!]) });
  await world.runJobs();
  await world.owner(
    "update members set merged_into = $2, status = 5, tags = '{}', name_sealed = null, name_hash = null, phone_sealed = null, tail_hash = null where id = $1",
    [gone, ids[1]],
  );
  await world.owner("update members set status = 2 where id = $1", [frozen]);
  const first = await sendPackage(pack.id, { filter: { tag: TAG } });
  await world.runJobs();
  expect([await of(had.id), await of(first.id)]).toMatchObject([{ sent: 1 }, { status: 2, sent: 10, skipped: 1 }]);
  // However many they are.
  const writes =
    "select count(distinct xmin::text)::int as n from package_gets where request_id in (select id from send_rows where task_id = $1)";
  expect(await world.owner(writes, [first.id])).toEqual([{ n: 1 }]);
  expect(await world.owner("select nth from package_gets where member_id = $1", [ids[1]])).toEqual([{ nth: 1 }]);
  await world.owner("update members set status = 1 where id = $1", [frozen]);
  const second = await sendPackage(pack.id, { filter: { tag: TAG }, again: true });
  await world.runJobs();
  // One had two by now, one of them as the member who was merged.
  expect(await of(second.id)).toMatchObject({ status: 2, sent: 10, skipped: 1 });
  expect(await rows(second.id)).toContainEqual([3, "已达每人限领份数"]);
  expect([await supply(pack.id), await stock(pack.campaigns[0]), await stock(pack.campaigns[1])]).toEqual([
    { issued: 21, held: 0 },
    { issued: 42, held: 0 },
    { issued: 21, held: 0 },
  ]);
});

test("a campaign that pauses while a package is sent leaves nobody with a part of one", async () => {
  const [pack, ids] = [await packed(), await members(3)];
  const { id } = await sendPackage(pack.id, { memberNos: await numbers(ids) });
  // The campaign whose coupons come last.
  const last = pack.campaigns.toSorted().at(-1)!;
  const paused = Promise.withResolvers<void>();
  const holding = Promise.withResolvers<void>();
  const pausing = withScope(world.services.pool, platformScope("a campaign that pauses"), async (tx) => {
    await sql`select 1 from coupon_stock where campaign_id = ${last} for update`.execute(tx);
    await sql`update coupon_campaigns set state = 'PAUSED' where id = ${last}`.execute(tx);
    holding.resolve();
    await paused.promise;
  });
  await holding.promise;
  const running = world.runJobs();
  const waits = "select 1 from pg_locks l join pg_stat_activity a on a.pid = l.pid where not l.granted and a.datname = current_database()";
  await expect.poll(() => world.owner(waits), { timeout: 20_000 }).not.toEqual([]);
  paused.resolve();
  await Promise.all([pausing, running]);
  expect(await of(id)).toMatchObject({ status: 2, sent: 0, failed: 3 });
  expect(await rows(id)).toContainEqual([2, "暂停领取，请稍后再来"]);
  expect([await supply(pack.id), await stock(pack.campaigns[0]), await stock(pack.campaigns[1])]).toEqual([
    { issued: 0, held: 0 },
    { issued: 0, held: 0 },
    { issued: 0, held: 0 },
  ]);
  expect(await world.owner("select 1 from coupons")).toEqual([]);
  await world.owner("update coupon_campaigns set state = 'RUNNING' where id = $1", [last]);
  await world.call("mch01", steerSend, { id, act: "retry" });
  await world.runJobs();
  expect(await of(id)).toMatchObject({ status: 2, sent: 3, failed: 0 });
});

test("packages of more members than one step takes back are all taken back", async () => {
  const [pack] = [await packed(), await members(52)];
  const { id } = await sendPackage(pack.id, { filter: { tag: TAG } });
  await world.runJobs();
  await world.call("mch01", askRevoke, { id, reason: "发错了" });
  await world.owner("update send_revokes set asked_by = gen_random_uuid() where task_id = $1", [id]);
  await world.call("mch01", decideRevoke, { id, approve: true });
  await world.runJobs();
  expect(await of(id)).toMatchObject({ sent: 52, coupons: { usable: 0, over: 156 }, revoke: { status: 2 } });
});

test("packages that are not left are refused at the field; what is cancelled, pauses and goes on adds up", async () => {
  const [pack, ids] = [await packed({ total: 3 }), await members(4)];
  await expect(sendPackage(pack.id, { filter: { tag: TAG } })).rejects.toMatchObject({
    fields: { packageId: "此券包只剩 3 份，不够 4 份" },
  });
  const startsAt = new Date(world.services.clock.now_ms() + 3_600_000).toISOString();
  const three = await numbers(ids.slice(0, 3));
  const later = await sendPackage(pack.id, { memberNos: three, startsAt });
  expect(await supply(pack.id)).toEqual({ issued: 0, held: 3 });
  await world.call("mch01", steerSend, { id: later.id, act: "cancel" });
  expect([await supply(pack.id), await stock(pack.campaigns[0])]).toEqual([
    { issued: 0, held: 0 },
    { issued: 0, held: 0 },
  ]);
  // One of its campaigns pauses: nobody gets the other coupons alone.
  await world.call("mch01", steerCampaign, { id: pack.campaigns[1], act: "pause" });
  const resting = await sendPackage(pack.id, { memberNos: three, again: true });
  await world.runJobs();
  expect(await of(resting.id)).toMatchObject({
    status: 1,
    sent: 0,
    failed: 0,
    pausedWhy: expect.stringMatching(/^券包里的优惠券「.+」已暂停或停止发放$/),
  });
  expect([await supply(pack.id), await stock(pack.campaigns[0])]).toEqual([
    { issued: 0, held: 3 },
    { issued: 0, held: 6 },
  ]);
  await world.call("mch01", steerCampaign, { id: pack.campaigns[1], act: "resume" });
  await world.call("mch01", steerSend, { id: resting.id, act: "resume" });
  await world.runJobs();
  expect(await of(resting.id)).toMatchObject({ status: 2, sent: 3, failed: 0 });
  expect(await supply(pack.id)).toEqual({ issued: 3, held: 0 });
});

test("more than there are is refused at the campaign; what is set aside nobody else receives", async () => {
  const [campaign, ids] = [await world.campaign({}, { total: 3 }), await members(4)];
  await expect(send(campaign, { filter: { tag: TAG } })).rejects.toMatchObject({ fields: { campaignId: "此优惠券只剩 3 张，不够 4 张" } });
  expect(await world.call("mch01", listSends, {})).toMatchObject({ items: [] });
  const { id } = await send(campaign, {
    memberNos: await numbers(ids.slice(0, 3)),
    startsAt: new Date(world.services.clock.now_ms() + 60_000).toISOString(),
  });
  await expect(world.claim(campaign, ids[3]!)).rejects.toMatchObject({ code: "coupon.gone" });
  // Its rows are made ahead, and wait for their time.
  await world.runJobs();
  expect(await of(id)).toMatchObject({ status: 0, waiting: 3, toMake: 0 });
  await world.call("mch01", steerSend, { id, act: "cancel" });
  expect([await of(id), await stock(campaign)]).toMatchObject([
    { status: 3, skipped: 3 },
    { issued: 0, held: 0 },
  ]);
  await world.claim(campaign, ids[3]!);
});

test("paused it waits, and goes on; a campaign that is paused pauses it; what failed is tried again", async () => {
  const [campaign, ids] = [await world.campaign({}, { total: 10 }), await members(2)];
  const { id } = await send(campaign, { filter: { tag: TAG } });
  await world.call("mch01", steerSend, { id, act: "pause" });
  await world.runJobs();
  expect(await of(id)).toMatchObject({ status: 1, sent: 0, waiting: 0, toMake: 2 });
  await world.call("mch01", steerCampaign, { id: campaign, act: "pause" });
  await world.call("mch01", steerSend, { id, act: "resume" });
  await world.runJobs();
  expect(await of(id)).toMatchObject({ status: 1, waiting: 2, pausedWhy: "优惠券已暂停或停止发放" });
  await world.call("mch01", steerCampaign, { id: campaign, act: "resume" });
  await world.call("mch01", steerSend, { id, act: "resume" });
  await world.runJobs();
  expect(await of(id)).toMatchObject({ status: 2, sent: 2 });
  await expect(world.call("mch01", steerSend, { id, act: "retry" })).rejects.toMatchObject({ status: 409 });
  // A row that failed for a reason that is over.
  await world.owner("update send_rows set status = 2, reason = '稍后再试', coupon_id = null where task_id = $1 and member_id = $2", [
    id,
    ids[0],
  ]);
  await world.owner("delete from coupon_events where coupon_id in (select id from coupons where member_id = $1)", [ids[0]]);
  await world.owner("delete from coupons where member_id = $1", [ids[0]]);
  await world.owner("update coupon_stock set issued = issued - 1 where campaign_id = $1", [campaign]);
  await world.call("mch01", steerSend, { id, act: "retry" });
  await world.runJobs();
  expect(await of(id)).toMatchObject({ status: 2, sent: 2, failed: 0 });
});

/** So many members of mch01 with the tag, straight into the table. */
const crowd = async (many: number): Promise<void> => {
  await world.owner("update members set tags = '{}' where tags <> '{}'");
  await world.owner(
    `insert into members (service_provider_id, id, merchant_id, no, stage, source, tail_hash, phone_confirmed_at, created_at, tags)
      select $1, gen_random_uuid(), $2, lpad((7000000000 + n)::text, 10, '0'), 1, 1, sha256(n::text::bytea), now(), $3, array[$4]
      from generate_series(1, $5) n on conflict (service_provider_id, merchant_id, no) do update set tags = excluded.tags, status = 1`,
    [provider(), world.tree.merchants.mch01.id, new Date(world.services.clock.now_ms() - 1_000).toISOString(), TAG, many],
  );
  await world.owner("analyze members, member_tags");
};
const run = (id: string) => runSend.run(world.services, { service_provider_id: provider(), id });
/** What ends a worker in the middle of its rows, as if it were killed there. */
const breakAt = (place: number, how = "") =>
  world.owner(`create or replace function break_here() returns trigger language plpgsql as $$ begin
      if new.place = ${place} then raise exception 'killed'${how}; end if; return new; end $$;
    create or replace trigger break_here before insert on send_rows for each row execute function break_here()`);
const mend = () => world.owner("drop function if exists break_here cascade");

test("a sending whose members are not found in time pauses and says so, and is cancelled with all of its pieces free", async () => {
  const [campaign] = [await world.campaign({}, { total: 10 }), await members(2)];
  const { id } = await send(campaign, { filter: { tag: TAG } });
  await breakAt(1, " using errcode = '57014'");
  await run(id);
  expect(await of(id)).toMatchObject({ status: 1, pausedWhy: expect.stringContaining("找会员超时"), toMake: 2 });
  await mend();
  // What was slow once may go on.
  await world.call("mch01", steerSend, { id, act: "resume" });
  expect(await of(id)).toMatchObject({ status: 4, pausedWhy: "" });
  await world.call("mch01", steerSend, { id, act: "cancel" });
  expect(await stock(campaign)).toEqual({ issued: 0, held: 0 });
});

test("a list is made in parts: killed in the middle, paused, done by several at once, each has one row", async () => {
  const campaign = await world.campaign({}, { total: 5_000 });
  await crowd(4_800);
  const { id, rows: meant } = await send(campaign, { filter: { tag: TAG } });
  // Who joins after it was asked for is not meant.
  world.services.clock.advance(1_000);
  await world.owner("update members set tags = $2 where id = $1", [await world.member(), [TAG]]);
  await breakAt(2_800);
  await expect(run(id)).rejects.toThrow("killed");
  expect([meant, await of(id), await stock(campaign)]).toMatchObject([
    4_800,
    { status: 4, waiting: 2_000, toMake: 2_800 },
    { issued: 0, held: 4_800 },
  ]);
  await world.call("mch01", steerSend, { id, act: "pause" });
  await mend();
  await run(id);
  expect(await of(id)).toMatchObject({ status: 1, waiting: 2_000, toMake: 2_800, sent: 0 });
  await world.call("mch01", steerSend, { id, act: "resume" });
  expect(await of(id)).toMatchObject({ status: 4 });
  await Promise.all([run(id), run(id), run(id)]);
  await run(id);
  // As autovacuum does within the minute: thousands at once, of tables that were empty a moment ago.
  await world.owner("analyze send_rows, coupons");
  expect([await of(id), await stock(campaign)]).toMatchObject([
    { status: 2, sent: 4_800, waiting: 0, toMake: 0, failed: 0, skipped: 0 },
    { issued: 4_800, held: 0 },
  ]);
  const [given] = await world.owner(
    "select count(distinct member_id)::int as people, count(*)::int as coupons from coupons where source = 'send'",
  );
  expect(given).toEqual({ people: 4_800, coupons: 4_800 });
}, 120_000);

/** The numbers of as many members as `crowd` made. */
const sheet = (many: number): string[] => Array.from({ length: many }, (_none, n) => String(7_000_000_001 + n));

test("a sheet whose sending stands still goes after thirty days, in words, and what was set aside is free", async () => {
  const endsAt = new Date(world.services.clock.now_ms() + 60 * 86_400_000).toISOString();
  const campaign = await world.campaign({}, { total: 10, endsAt });
  await crowd(3);
  const { id } = await send(campaign, { memberNos: sheet(3) });
  const other = await send(campaign, { filter: { tag: TAG } });
  for (const one of [id, other.id]) await world.call("mch01", steerSend, { id: one, act: "pause" });
  const kept = async () =>
    (await world.owner<{ there: boolean }>("select sheet is not null as there from send_tasks where id = $1", [id]))[0]!.there;
  world.services.clock.advance(29 * 86_400_000);
  await world.sweep("forget-send-sheets");
  expect([await of(id), await kept()]).toMatchObject([{ status: 1, toMake: 3 }, true]);
  world.services.clock.advance(2 * 86_400_000);
  await world.sweep("forget-send-sheets");
  expect([await of(id), await kept()]).toMatchObject([
    { status: 3, toMake: 0, waiting: 0, pausedWhy: expect.stringContaining("最多保留 30 天") },
    false,
  ]);
  // One that says whom it means by what they are keeps nobody's phone.
  expect(await of(other.id)).toMatchObject({ status: 1 });
  expect(await stock(campaign)).toMatchObject({ issued: 0, held: other.rows });
  await expect(world.call("mch01", steerSend, { id, act: "resume" })).rejects.toMatchObject({ status: 409 });
});

test("a sheet's rows are made by the job: killed in the middle, paused, done by several at once, each line has one row", async () => {
  const campaign = await world.campaign({}, { total: 4_600 });
  await crowd(4_500);
  // One line that nobody is, far from the others of its part.
  const lines = [...sheet(3_000), "9999999999", ...sheet(4_500).slice(3_000)];
  const { id, rows: meant } = await send(campaign, { memberNos: lines });
  expect([meant, await of(id)]).toMatchObject([4_501, { status: 4, toMake: 4_500, waiting: 0 }]);
  await breakAt(2_800);
  await expect(run(id)).rejects.toThrow("killed");
  expect([await of(id), await stock(campaign)]).toMatchObject([
    { status: 4, waiting: 2_000, toMake: 2_500 },
    { issued: 0, held: 4_500 },
  ]);
  await world.call("mch01", steerSend, { id, act: "pause" });
  await mend();
  await run(id);
  expect(await of(id)).toMatchObject({ status: 1, waiting: 2_000, toMake: 2_500, sent: 0 });
  await world.call("mch01", steerSend, { id, act: "resume" });
  await Promise.all([run(id), run(id), run(id)]);
  await run(id);
  await world.owner("analyze send_rows, coupons");
  expect([await of(id), await stock(campaign)]).toMatchObject([
    { status: 2, sent: 4_500, waiting: 0, toMake: 0, failed: 0, skipped: 1 },
    { issued: 4_500, held: 0 },
  ]);
  expect(await world.owner("select place, reason from send_rows where task_id = $1 and status = 3", [id])).toEqual([
    { place: 3_001, reason: "没有此会员" },
  ]);
  const [given] = await world.owner("select count(distinct member_id)::int as people from coupons where source = 'send'");
  expect(given).toEqual({ people: 4_500 });
  // What each was given by stands beside its neighbours', and is nobody else's.
  const [ids] = await world.owner(
    "select count(distinct id)::int as ids, (max(id::text) < left(min(id::text), 20) || 'zzzz') as beside from send_rows",
  );
  expect(ids).toEqual({ ids: 4_501, beside: true });
  // As many as may be sent to: the call keeps them and makes none of their rows.
  const largest = [...Array.from({ length: 99_999 }, (_none, n) => String(3_000_000_000 + n)), ...sheet(1)];
  const huge = await world.campaign({}, { total: 200_000 });
  const all = await send(huge, { memberNos: largest });
  expect([all.rows, await world.owner("select 1 from send_rows where task_id = $1", [all.id])]).toEqual([100_000, []]);
  await world.call("mch01", steerSend, { id: all.id, act: "cancel" });
  expect(await stock(huge)).toEqual({ issued: 0, held: 0 });
}, 120_000);

test("cancelled while its list is made, all that was set aside is free again; fewer people and more than there were add up", async () => {
  const campaign = await world.campaign({}, { total: 4_800 });
  await crowd(2_400);
  const cancelled = await send(campaign, { filter: { tag: TAG } });
  await breakAt(2_200);
  await expect(run(cancelled.id)).rejects.toThrow("killed");
  await mend();
  await world.call("mch01", steerSend, { id: cancelled.id, act: "cancel" });
  await run(cancelled.id);
  expect([await of(cancelled.id), await stock(campaign)]).toMatchObject([
    { status: 3, skipped: 2_000, waiting: 0, toMake: 0 },
    { issued: 0, held: 0 },
  ]);
  await expect(world.call("mch01", steerSend, { id: cancelled.id, act: "resume" })).rejects.toMatchObject({ status: 409 });
  // Some have lost the tag before their rows are made: what was set aside for them is free.
  const fewer = await send(campaign, { filter: { tag: TAG } });
  await world.owner("update members set tags = '{}' where merchant_id = $1 and no > '7000000100'", [world.tree.merchants.mch01.id]);
  await run(fewer.id);
  expect([await of(fewer.id), await stock(campaign)]).toMatchObject([
    { status: 2, sent: 100 },
    { issued: 100, held: 0 },
  ]);
  // More have it by then than there are pieces: it pauses with the reason, and goes on when there are.
  const small = await world.campaign({}, { total: 150 });
  const more = await send(small, { filter: { tag: TAG }, again: true });
  await crowd(200);
  await run(more.id);
  expect(await of(more.id)).toMatchObject({ status: 1, pausedWhy: "此优惠券只剩 50 张，不够 100 张", toMake: 100, waiting: 0 });
  await world.owner("update coupon_stock set total = 300 where campaign_id = $1", [small]);
  await world.call("mch01", steerSend, { id: more.id, act: "resume" });
  await run(more.id);
  expect([await of(more.id), await stock(small)]).toMatchObject([
    { status: 2, sent: 200 },
    { issued: 200, held: 0 },
  ]);
}, 120_000);

test("the last piece goes to a claim or to a sending, never to both", async () => {
  const [campaign, [one, other]] = [await world.campaign({}, { total: 1 }), await members(2)];
  const [no] = await numbers([one!]);
  const done = await Promise.allSettled([send(campaign, { memberNos: [no] }), world.claim(campaign, other!)]);
  expect(done.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  await world.runJobs();
  expect(await stock(campaign)).toEqual({ issued: 1, held: 0 });
});

test("stock is held of a campaign that gives out, as much as is left, and given back no more than it was", async () => {
  const campaign_id = await world.campaign({}, { total: 2 });
  const ref = { service_provider_id: provider(), campaign_id };
  await world.look((tx) => holdCouponStock(tx, ref, 2));
  await expect(world.look((tx) => holdCouponStock(tx, ref, 1))).rejects.toMatchObject({ code: "coupon.gone" });
  await expect(world.look((tx) => freeCouponStock(tx, ref, 3))).rejects.toThrow();
  await world.look((tx) => freeCouponStock(tx, ref, 2));
  await world.call("mch01", steerCampaign, { id: campaign_id, act: "stop" });
  await expect(world.look((tx) => holdCouponStock(tx, ref, 1))).rejects.toMatchObject({ code: "coupon.over" });
});

test("what was sent by mistake is taken back on another's word: free ones at once, one in an order when it is free, used ones stay", async () => {
  const [campaign, ids] = [await world.campaign({}, { total: 10, perPerson: 2 }), await members(4)];
  const { id } = await send(campaign, {
    memberNos: await numbers(ids.slice(0, 3)),
    startsAt: new Date(world.services.clock.now_ms() + 1_000).toISOString(),
  });
  await expect(world.call("mch01", askRevoke, { id, reason: "发错了人" })).rejects.toMatchObject({ status: 409 });
  world.services.clock.advance(2_000);
  await world.runJobs();
  const got = await world.owner<{ id: string; no: string; member_id: string }>(
    "select id, no, member_id from coupons where source = 'send' order by member_id",
  );
  const own = await world.claim(campaign, ids[3]!);
  const [locked, used, free] = got;
  const use = async (tillNo: string, coupon: { no: string; member_id: string }, more = {}) =>
    world.place(tillNo, { ticket: coupon.member_id, coupons: [coupon.no] }, more);
  await use("L1", locked!);
  await use("U1", used!, { tradeType: "MICROPAY", authCode: "130000000000000009" });
  expect(await of(id)).toMatchObject({ sent: 3, coupons: { usable: 1, using: 1, used: 1, over: 0 }, revoke: null });

  await world.call("mch01", askRevoke, { id, reason: "发错了人" });
  await expect(world.call("mch01", askRevoke, { id, reason: "再一次" })).rejects.toMatchObject({ status: 409 });
  expect(await of(id)).toMatchObject({ revoke: { status: 0, reason: "发错了人", mayDecide: false } });
  await expect(world.call("mch01", decideRevoke, { id, approve: true })).rejects.toMatchObject({ status: 403, code: "second-person" });
  await expect(world.call("mch02", decideRevoke, { id, approve: true })).rejects.toMatchObject({ status: 404 });
  await world.owner("update send_revokes set asked_by = gen_random_uuid()");
  await world.call("mch01", decideRevoke, { id, approve: true });
  await world.runJobs();
  expect(await of(id)).toMatchObject({ revoke: { status: 2 }, coupons: { usable: 0, using: 1, used: 1, over: 1 } });
  expect([
    await world.state(free!.id),
    await world.state(locked!.id),
    await world.state(used!.id),
    await world.state(own.coupon_id),
  ]).toEqual(["DEACTIVATED", "LOCKED", "USED", "SENDED"]);
  const { merchant_id, service_provider_id } = { merchant_id: world.tree.merchants.mch01.id, service_provider_id: provider() };
  const seen = await world.look((tx) => ownCoupons(tx, world.services, { service_provider_id, merchant_id, id: free!.member_id }, "gone"));
  expect(seen.items).toMatchObject([{ state: "DEACTIVATED", revokedWhy: "发错了人" }]);
  // Free again, they are void.
  await world.look(async (tx) => {
    const [row] = await world.owner("select * from pay_orders where till_no = 'L1'");
    await closeOrder(tx, world.services, row as never, "超时");
  });
  await world.refund("U1", 8_000);
  expect([await world.state(locked!.id), await world.state(used!.id)]).toEqual(["DEACTIVATED", "DEACTIVATED"]);
});

test("a sending that is turned down can be asked about again; one without coupons has none to take back", async () => {
  const [campaign] = [await world.campaign({}, { total: 10 }), await members(1)];
  const { id } = await send(campaign, { filter: { tag: TAG } });
  await world.call("mch01", steerSend, { id, act: "pause" });
  await expect(world.call("mch01", askRevoke, { id, reason: "发错了人" })).rejects.toMatchObject({ message: "这个任务还没有发出任何券" });
  await world.call("mch01", steerSend, { id, act: "resume" });
  await world.runJobs();
  await world.call("mch01", askRevoke, { id, reason: "发错了人" });
  await world.owner("update send_revokes set asked_by = gen_random_uuid()");
  await world.call("mch01", decideRevoke, { id, approve: false });
  expect(await of(id)).toMatchObject({ revoke: { status: 3 }, coupons: { usable: 1 } });
  await world.call("mch01", askRevoke, { id, reason: "确实发错了" });
  expect(await of(id)).toMatchObject({ revoke: { status: 0, reason: "确实发错了" } });
  await expect(world.call("mch01", steerSend, { id, act: "retry" })).rejects.toMatchObject({ message: "这次发放已申请作废，不能继续发送" });
});

test("a sending and a revoking whose jobs were lost are found and ended", async () => {
  const [campaign] = [await world.campaign({}, { total: 10 }), await members(2)];
  const { id } = await send(campaign, { filter: { tag: TAG } });
  await world.owner("delete from pgboss.job where name = 'send-coupons'");
  world.services.clock.advance(6 * 60_000);
  await world.sweep("look-after-sends");
  expect(await of(id)).toMatchObject({ status: 2, sent: 2 });
  await world.call("mch01", askRevoke, { id, reason: "发错了人" });
  await world.owner("update send_revokes set asked_by = gen_random_uuid()");
  await world.call("mch01", decideRevoke, { id, approve: true });
  await world.owner("delete from pgboss.job where name = 'revoke-coupons'");
  world.services.clock.advance(6 * 60_000);
  await world.sweep("look-after-revokes");
  expect(await of(id)).toMatchObject({ revoke: { status: 2 }, coupons: { usable: 0, over: 2 } });
});

// The last: those whom it adds stay.
test("a search among many looks at some at a time, holding nothing: paused it ends, and goes on behind whom it looked at", async () => {
  const campaign = await world.campaign({}, { total: 10 });
  await crowd(25_000);
  // All but the last few of those whom the search comes by.
  await world.owner(
    `update members set tags = '{}' where merchant_id = $1 and id < (select id from members where merchant_id = $1 order by id desc offset 2 limit 1)`,
    [world.tree.merchants.mch01.id],
  );
  const { id } = await send(campaign, { filter: { tag: TAG } });
  const step = () =>
    world.look(async (tx) => {
      await sql`set local lock_timeout = '30s'`.execute(tx);
      return prepareSome(tx, world.services, { service_provider_id: provider(), id });
    });
  expect(await step()).toBe(true);
  expect(await of(id)).toMatchObject({ status: 4, waiting: 0, toMake: 3 });
  // A search that takes long, because somebody has the members: it is paused meanwhile, nobody waits, and nothing comes of what it finds.
  const [taken, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const taker = world.look(async (tx) => {
    await sql`lock table members in access exclusive mode`.execute(tx);
    taken.resolve();
    await free.promise;
  });
  await taken.promise;
  const searching = step();
  await expect
    .poll(async () => (await world.owner("select 1 from pg_locks where relation = 'members'::regclass and not granted")).length)
    .toBe(1);
  await world.call("mch01", steerSend, { id, act: "pause" });
  free.resolve();
  await taker;
  expect(await searching).toBe(true);
  expect([await of(id), await step()]).toMatchObject([{ status: 1, waiting: 0, toMake: 3 }, false]);
  await world.call("mch01", steerSend, { id, act: "resume" });
  await run(id);
  expect(await of(id)).toMatchObject({ status: 2, sent: 3 });
}, 120_000);
