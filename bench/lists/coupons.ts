import pg from "pg";
import { couponNo } from "@zhangfang/domains/coupons/server/rules/number-rules.ts";
import { derivedKey, readConfig } from "@zhangfang/server/config.ts";
import { actorOf, idOf, SECRET, sqlIdOf } from "../actors.ts";
import { atMost, plain, type Figures, type Line } from "../figures.ts";
import type { LoadInput } from "../load/load.ts";
import { runPart, startServer } from "../part.ts";
import { sized } from "../small.ts";
import { openWorld } from "../world.ts";

const MEMBERS = sized(100_000, 2_000);
const COUPONS = sized(5_000_000, 2_000);
/** Campaigns, received packages and grants of activities. */
const OTHERS = sized(1_000_000, 2_000);
const PORT = 9204;
const SENDING_LIMIT_S = 30;
/** To whom a package is sent. */
const PACKAGES = sized(10_000, 200);
const LIST_LIMIT_MS = 50;
const [SENT, HAD] = ["11111111-0000-7000-8000-000000000001", "11111111-0000-7000-8000-000000000002"];

/** A merchant's members, a campaign that gives out, and another of which millions of coupons were received. */
async function fill(client: pg.Client): Promise<void> {
  const [provider, merchant] = [`'${idOf("provider", 1)}'::uuid`, `'${idOf("merchant", 1)}'::uuid`];
  await client.query("set synchronous_commit = off; set app.scope = 'PLATFORM||||||||'");
  await client.query(`insert into members (service_provider_id, id, merchant_id, no, stage, source, tail_hash, phone_confirmed_at, created_at)
    select ${provider}, ${sqlIdOf("member", "m")}, ${merchant}, lpad((m::bigint * 7919 % 10000000000)::text, 10, '0'), 1, 1, sha256(m::text::bytea), now(),
      now() - m * interval '1 minute' from generate_series(1, ${MEMBERS}) m`);
  await addCampaign(client, { id: SENT, no: "9000000000", merchant: idOf("merchant", 1), total: 100_000_000, issued: 0 });
  await addCampaign(client, { id: HAD, no: "9000000001", merchant: idOf("merchant", 1), total: 100_000_000, issued: COUPONS });
  // Straight into the table: what a coupon's receipt costs is the sending's own figure.
  await client.query("set session_replication_role = replica");
  await client.query(`insert into coupons (service_provider_id, id, merchant_id, campaign_id, version, no, member_id, person, nth, source, source_id, state,
      valid_from, valid_to, received_at, received_on)
    select ${provider}, ('00000010-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, ${merchant}, '${HAD}', 1, lpad(n::text, 10, '0'), ${sqlIdOf("member", `1 + n % ${MEMBERS}`)}, decode(md5((n % ${MEMBERS})::text), 'hex'),
      1 + n / ${MEMBERS}, 'claim', md5('r' || n)::uuid, case when n % 10 < 6 then 'SENDED' else 'EXPIRED' end, now() - interval '101 days',
      now() + (1 + n % 100) * case when n % 10 < 6 then interval '1 day' else interval '-1 day' end, now() - n * interval '1 second', (now() - n * interval '1 second')::date from generate_series(1, ${COUPONS}) n`);
  await freeNumbers(client);
  await fillOthers(client, provider!, merchant!);
  await fillPackage(client);
  await client.query("set session_replication_role = origin");
  await client.query("vacuum analyze");
}

/** Numbers that the sending will take, which the rows above have by chance, as the product's never do. */
async function freeNumbers(client: pg.Client): Promise<void> {
  const key = derivedKey(readConfig({ ZHANGFANG_DEMO: "no", ZHANGFANG_SECRET: SECRET }).secret, "coupon-number");
  const { rows } = await client.query<{ n: string }>("select last_value as n from coupon_numbers");
  const taken = Array.from({ length: 2 * MEMBERS }, (_none, at) => couponNo(key, Number(rows[0]!.n) + at));
  await client.query("delete from coupons where service_provider_id = $1 and no = any($2)", [idOf("provider", 1), taken]);
}

interface NewCampaign {
  readonly id: string;
  readonly no: string;
  readonly merchant: string;
  readonly total: number;
  readonly issued: number;
  readonly terms?: object;
}
const TERMS = {
  kind: 1,
  minCents: 8_000,
  offCents: 2_000,
  percent: null,
  capCents: null,
  priceCents: null,
  maxUnits: 1,
  goodsTags: [],
  skus: [],
  validity: { mode: 3, wait: 0, count: 7, unit: "day" },
  weekdays: [],
  windows: [],
  excluded: [],
  methods: ["OFF_LINE"],
  storeIds: [],
  levels: [],
  memberTags: [],
  newOnly: false,
  without: [],
  graceDays: 0,
  note: "",
};
/** A campaign of a merchant that gives out: 满 80 减 20, or what else is said. */
export async function addCampaign(client: pg.Client, { id, no, merchant, total, issued, terms = {} }: NewCampaign): Promise<void> {
  const provider = idOf("provider", 1);
  await client.query(
    `insert into coupon_campaigns (service_provider_id, id, merchant_id, no, name, kind, funding, funder, state, begins_at, ends_at, listed,
        per_person, made_by, made_by_name, created_at, decided_by, decided_by_name, decided_at)
      values ($1, $2, $3, $4, '满减', $5, 'NO_CASH', 2, 'RUNNING', now() - interval '1 day', now() + interval '300 days', true,
        100, gen_random_uuid(), '店主', now(), gen_random_uuid(), '审核', now())`,
    [provider, id, merchant, no, ({ ...TERMS, ...terms } as { kind: number }).kind],
  );
  await client.query(
    `insert into coupon_terms (service_provider_id, campaign_id, merchant_id, version, terms, said, value_cents, sha256, by_name, created_at)
      values ($1, $2, $3, 1, $4, '满 80 减 20。', 2000, sha256('terms'), '店主', now())`,
    [provider, id, merchant, JSON.stringify({ ...TERMS, ...terms })],
  );
  await client.query(
    "insert into coupon_stock (service_provider_id, campaign_id, merchant_id, total, issued) values ($1, $2, $3, $4, $5)",
    [provider, id, merchant, total, issued],
  );
}
/** As many campaigns, packages that were received, and grants, of one package and one activity each half. */
async function fillOthers(client: pg.Client, provider: string, merchant: string): Promise<void> {
  const numbered = (first: string, n: string) => `('${first}-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
  const minutes = (n: string) => `now() - ${n} * interval '1 minute'`;
  const made = "gen_random_uuid(), '店主'";
  const [campaign, pack, activity] = [numbered("00000020", "n"), numbered("00000030", "n"), numbered("00000040", "n")];
  await client.query(`insert into coupon_campaigns (service_provider_id, id, merchant_id, no, name, kind, funding, funder, state, begins_at, ends_at, listed, per_person,
      made_by, made_by_name, created_at, decided_by, decided_by_name, decided_at, stopped_at)
    select ${provider}, ${campaign}, ${merchant}, lpad((1000000000 + n)::text, 10, '0'), '满减 ' || n, 1, 'NO_CASH', 2,
      case when n % 50 = 0 then 'RUNNING' else 'STOPED' end, ${minutes("n")}, ${minutes("n")} + interval '30 days', true, 1, ${made}, ${minutes("n")},
      ${made}, ${minutes("n")}, case when n % 50 <> 0 then ${minutes("n")} end from generate_series(1, ${OTHERS}) n`);
  await client.query(`insert into coupon_terms (service_provider_id, campaign_id, merchant_id, version, terms, said, value_cents, sha256, by_name, created_at)
    select ${provider}, ${campaign}, ${merchant}, 1, t.terms, '满 80 减 20。', 2000, t.sha256, '店主', now() from generate_series(1, ${OTHERS}) n, coupon_terms t where t.campaign_id = '${HAD}'`);
  await client.query(`insert into coupon_stock (service_provider_id, campaign_id, merchant_id, total, issued)
    select ${provider}, ${campaign}, ${merchant}, 100, 0 from generate_series(1, ${OTHERS}) n`);
  await client.query(`insert into packages (service_provider_id, id, merchant_id, no, name, state, price_cents, total, issued, per_person, begins_at, ends_at,
      made_by, made_by_name, created_at, decided_by, decided_by_name, decided_at)
    select ${provider}, ${pack}, ${merchant}, lpad(n::text, 10, '0'), '早餐包 ' || n, 'RUNNING', null, 1000000, ${OTHERS} / 100, 100, now(), now() + interval '30 days',
      ${made}, now(), ${made}, now() from generate_series(1, 100) n`);
  await client.query(`insert into package_gets (service_provider_id, id, merchant_id, package_id, member_id, person, nth, request_id, status, price_cents, asked_on, created_at, got_at)
    select ${provider}, ${numbered("00000031", "n")}, ${merchant}, ${numbered("00000030", "1 + n % 100")}, ${sqlIdOf("member", `1 + n % ${MEMBERS}`)}, decode(md5((n % ${MEMBERS})::text), 'hex'),
      1 + n / ${MEMBERS}, md5('g' || n)::uuid, 1, 0, current_date, ${minutes("n")}, ${minutes("n")} from generate_series(1, ${OTHERS}) n`);
  await client.query(`insert into activities (service_provider_id, id, merchant_id, no, kind, name, state, begins_at, ends_at, made_by, made_by_name, created_at, decided_by, decided_by_name, decided_at)
    select ${provider}, ${activity}, ${merchant}, lpad(n::text, 10, '0'), 'scan', '扫码 ' || n, 'RUNNING', now(), now() + interval '30 days', ${made}, now(), ${made}, now() from generate_series(1, 100) n`);
  await client.query(`insert into activity_grants (service_provider_id, id, merchant_id, activity_id, version, member_id, store_id, person, occasion, status, why, reason, cost_cents, at, settled_at)
    select ${provider}, ${numbered("00000041", "n")}, ${merchant}, ${numbered("00000040", "1 + n % 100")}, 1, ${sqlIdOf("member", `1 + n % ${MEMBERS}`)}, '${idOf("store", 1)}', decode(md5((n % ${MEMBERS})::text), 'hex'),
      'n' || n, case when n % 20 = 0 then 'refused' else 'given' end, case when n % 20 = 0 then 'phone' end, '', 0, ${minutes("n")}, ${minutes("n")} from generate_series(1, ${OTHERS}) n`);
}
const OTHER_LISTS: readonly (readonly [what: string, path: string])[] = [
  ["campaigns, first page", "/api/coupons/campaigns?pageSize=20"],
  ["campaigns that give out", "/api/coupons/campaigns?pageSize=20&state=RUNNING"],
  ["campaigns by a part of the name", "/api/coupons/campaigns?pageSize=20&keyword=77777"],
  ["packages received, first page", "/api/coupons/package-gets?pageSize=20"],
  ["packages received, of one package", `/api/coupons/package-gets?pageSize=20&packageId=00000030-0000-7000-8000-000000000007`],
  ["packages received, of a member", "/api/coupons/package-gets?pageSize=20&keyword=0000007919"],
  ["grants, first page", "/api/activities/grants?pageSize=20"],
  ["grants of one activity", `/api/activities/grants?pageSize=20&activityId=00000040-0000-7000-8000-000000000007`],
  ["grants that were refused", "/api/activities/grants?pageSize=20&status=refused"],
  ["grants of a member", "/api/activities/grants?pageSize=20&keyword=0000007919"],
];

const LISTS: readonly (readonly [what: string, tail: string])[] = [
  ["first page", ""],
  ["what can be used", "&state=SENDED"],
  ["of a campaign", `&campaignId=${HAD}`],
  ["of a member", `&memberId=${idOf("member", 7)}`],
];

/** A coupon sent to 100,000 members by the jobs of the running service; and the list of coupons among five million of one merchant. */
export async function measure(): Promise<Line[]> {
  const world = await openWorld(1_000, false, () => undefined);
  const client = new pg.Client(world.connection);
  await client.connect();
  try {
    await fill(client);
    const server = await startServer(world.connection, PORT, { work: true });
    try {
      const { token } = actorOf("merchant");
      const lines: Line[] = [];
      const lists = [...LISTS.map(([what, tail]) => [`coupons, ${what}`, `/api/coupons?pageSize=20${tail}`] as const), ...OTHER_LISTS];
      for (const [what, path] of lists) {
        const asked = { port: PORT, paths: [path], token, clients: 1 };
        await runPart<LoadInput, Figures>("load/load.ts", { ...asked, seconds: sized(0.5, 0.05) });
        const { p50_ms, p99_ms } = await runPart<LoadInput, Figures>("load/load.ts", { ...asked, seconds: sized(2, 0.1) });
        lines.push({ ...atMost(`${what}, p99`, p99_ms, LIST_LIMIT_MS, "ms", 1), raw: { p50_ms, p99_ms } });
        lines.push(plain("  p50", `${p50_ms.toFixed(1)} ms`));
      }
      const sent = `a coupon sent to ${MEMBERS} members, to the last row`;
      // A sending that fails loses its own figure, and none of those that were measured before it.
      const failed =
        (name: string) =>
        (error: unknown): Line => ({
          name,
          figure: `failed: ${(error as Error).message}`,
          limit: "",
          ok: false,
          raw: {},
        });
      const took = await send(token, client, "add", { campaignId: SENT, filter: {} }, MEMBERS).then(
        (took_s) => atMost(sent, took_s, SENDING_LIMIT_S, "s", 1),
        failed(sent),
      );
      const packed = `a package of three coupons sent to ${PACKAGES} of them`;
      const { rows: some } = await client.query<{ no: string }>("select no from members where merchant_id = $1 order by id limit $2", [
        idOf("merchant", 1),
        PACKAGES,
      ]);
      const all = { packageId: PACKAGE, memberNos: some.map(({ no }) => no) };
      const packs = await send(token, client, "add-package", all, PACKAGES).then((took_s) => {
        const perSecond = PACKAGES / took_s;
        return plain(packed, `${took_s.toFixed(1)} s, ${perSecond.toFixed(0)} members/s`, { took_s, perSecond });
      }, failed(packed));
      return [took, packs, ...lines];
    } finally {
      await server.stop();
    }
  } finally {
    await client.end();
    await world.close();
  }
}

/** What a package holds: two coupons of the campaign that is sent, and one of the other. */
const PACKAGE = "00000030-0000-7000-8000-000000000007";
async function fillPackage(client: pg.Client): Promise<void> {
  for (const [at, campaign] of [SENT, HAD].entries())
    await client.query(
      "insert into package_items (service_provider_id, package_id, place, merchant_id, campaign_id, count) values ($1, $2, $3, $4, $5, $6)",
      [idOf("provider", 1), PACKAGE, at + 1, idOf("merchant", 1), campaign, 2 - at],
    );
}
/** @returns how long it took until each of them had theirs */
async function send(token: string, client: pg.Client, path: string, given: object, members: number): Promise<number> {
  const begun_ms = performance.now();
  const answer = await fetch(`http://127.0.0.1:${PORT}/api/coupons/sends/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ requestId: crypto.randomUUID(), name: "回店", ...given }),
  });
  const { id } = (await answer.json()) as { id: string };
  if (!answer.ok) throw new Error(`the sending was refused: ${answer.status}`);
  for (;;) {
    const { rows } = await client.query<{ status: number; sent: number }>(
      "select t.status, (select count(*)::int from send_rows r where r.task_id = t.id and r.status = 1) as sent from send_tasks t where t.id = $1",
      [id],
    );
    if (rows[0]!.status === 2 && rows[0]!.sent === members) return (performance.now() - begun_ms) / 1_000;
    // It is prepared (4) before it sends (0).
    if (rows[0]!.status !== 0 && rows[0]!.status !== 4) throw new Error(`the sending stopped at ${JSON.stringify(rows[0])}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
