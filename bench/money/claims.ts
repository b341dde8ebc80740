import pg from "pg";
import { actorOf, idOf, sqlIdOf } from "../actors.ts";
import { atLeast, atMost, median, plain, type Figures, type Line } from "../figures.ts";
import { addCampaign } from "../lists/coupons.ts";
import type { ClaimInput } from "../load/claim-load.ts";
import type { LoadInput } from "../load/load.ts";
import type { QuoteInput } from "../load/quote-load.ts";
import { openAgent, signedPost } from "../load/signed-post.ts";
import type { BareInput } from "../load/bare-claims.ts";
import { runPart, startPart, startServer } from "../part.ts";
import { sized } from "../small.ts";
import { openWorld } from "../world.ts";
import { LINES, openMemberShop } from "./member-world.ts";

const [ONE, TWO, SIMPLEST] = [9206, 9207, 9208];
const MEMBERS = sized(100_000, 2_000);
const ROUNDS = sized(3, 1);
const SECONDS = sized(2, 0.2);
const CLIENTS = 32;
/** A shop whose customers all come in one moment. */
const MANY = 100;
const LEAST = 3_000;
const PRICE_MS = 15;
const CLAIMED = "11111111-0000-7000-8000-000000000010";
const [P1, M1] = [idOf("provider", 1), idOf("merchant", 1)];
/** Claims that go in one transaction in the bare statement. */
const BATCH = 100;

/**
 * Claims of one campaign a second through HTTP, each by a member of their own, with session, fences and events, at one process and at two;
 * beside them the simplest service, which inserts one row for each request, and the bare statement: stock and coupons in batches, as the owner. And the best price of an order with thirteen coupons.
 */
export async function measure(): Promise<Line[]> {
  const world = await openWorld(1_000, false, () => undefined);
  const owner = new pg.Client(world.connection);
  try {
    await owner.connect();
    const shop = await openMemberShop(world, owner, 1);
    await owner.query("set synchronous_commit = off; set app.scope = 'PLATFORM||||||||'");
    await owner.query(`insert into members (service_provider_id, id, merchant_id, no, stage, source, tail_hash, phone_confirmed_at, created_at)
      select '${P1}', ${sqlIdOf("member", "m")}, '${M1}', lpad((m::bigint * 7919 % 10000000000)::text, 10, '0'), 1, 1, sha256(m::text::bytea), now(), now()
      from generate_series(100, ${99 + MEMBERS}) m`);
    await owner.query(`insert into member_sessions (service_provider_id, token_hash, merchant_id, member_id, code_version, created_at, expires_at)
      select service_provider_id, sha256(convert_to(replace(replace(rtrim(encode(sha256(convert_to('claim ' || m, 'utf8')), 'base64'), '='), '+', '-'), '/', '_'), 'utf8')),
        merchant_id, id, code_version, now(), now() + interval '10 days' from generate_series(100, ${99 + MEMBERS}) m join members on id = ${sqlIdOf("member", "m")}
        where service_provider_id = '${P1}'`);
    await addCampaign(owner, { id: CLAIMED, no: "9000000100", merchant: M1, total: 100_000_000, issued: 0 });
    await owner.query("vacuum analyze members, member_sessions, coupons, coupon_events, coupon_stock");
    const first = await startServer(world.connection, ONE);
    const second = await startServer(world.connection, TWO);
    const simplest = startPart("load/bare-claims.ts");
    await simplest.ask({ connection: world.connection, port: SIMPLEST } satisfies BareInput);
    try {
      let next = 100;
      const claims = async (ports: readonly number[], seconds: number, clients = CLIENTS) => {
        const input = { ports, merchant: M1, campaign: CLAIMED, first: next, clients, seconds };
        const figures = await runPart<ClaimInput, Figures>("load/claim-load.ts", input);
        next += figures.count + clients;
        if (next > 100 + MEMBERS) throw new Error("there are too few members for so many claims");
        return figures;
      };
      const { token } = actorOf("merchant");
      const account = (seconds: number) =>
        runPart<LoadInput, Figures>("load/load.ts", { port: ONE, paths: ["/api/account"], token, clients: CLIENTS, seconds });
      // A few first: whom a service that has just begun keeps waiting is told to come back.
      for (const few of [2, 8]) await claims([ONE, TWO], SECONDS / 2, few);
      const found = {
        bare: [] as number[],
        simplest: [] as Figures[],
        one: [] as Figures[],
        two: [] as Figures[],
        many: [] as Figures[],
        account: [] as Figures[],
        cpu_us: [] as number[],
      };
      for (let round = 0; round < ROUNDS; round++) {
        found.bare.push(await bare(world.connection, SECONDS));
        found.simplest.push(await claims([SIMPLEST], SECONDS));
        const before = await first.usage();
        const one = await claims([ONE], SECONDS);
        found.cpu_us.push(((await first.usage()).cpu_us - before.cpu_us) / one.count);
        found.one.push(one);
        found.account.push(await account(SECONDS));
        found.two.push(await claims([ONE, TWO], SECONDS));
        found.many.push(await claims([ONE, TWO], SECONDS, MANY));
      }
      const { rows } = await owner.query<{ there: string; said: string }>(
        `select (select count(*) from coupons where campaign_id = $1) as there, (select issued from coupon_stock where campaign_id = $1) as said`,
        [CLAIMED],
      );
      if (rows[0]!.there !== rows[0]!.said) throw new Error(`the stock says ${rows[0]!.said}, there are ${rows[0]!.there}`);
      const rate = (of: readonly Figures[]) => median(of.map(({ perSecond }) => perSecond));
      const ratio = median(found.one.map(({ perSecond }, at) => perSecond / found.account[at]!.perSecond));
      return [
        atLeast(`claims of one campaign, ${CLIENTS} phones at one process`, rate(found.one), LEAST, "/s"),
        plain(
          "  p50 and p99",
          `${median(found.one.map((one) => one.p50_ms)).toFixed(0)} ms, ${median(found.one.map((one) => one.p99_ms)).toFixed(0)} ms`,
        ),
        plain("  of the server's processor, each", `${median(found.cpu_us).toFixed(0)} µs`, { cpu_us: median(found.cpu_us) }),
        plain("  of an account's own calls, the least that a session costs", `${ratio.toFixed(2)}, ${rate(found.account).toFixed(0)}/s`, {
          ratio,
          perSecond: rate(found.account),
        }),
        plain("  of two processes", `${rate(found.two).toFixed(0)}/s`, { perSecond: rate(found.two) }),
        plain(`  of two processes, ${MANY} phones`, `${rate(found.many).toFixed(0)}/s`, { perSecond: rate(found.many) }),
        plain("  the simplest service beside it, Fastify and pg, one row inserted each", `${rate(found.simplest).toFixed(0)}/s`, {
          perSecond: rate(found.simplest),
        }),
        plain(`  the bare statement, ${BATCH} in one`, `${median(found.bare).toFixed(0)}/s`, { perSecond: median(found.bare) }),
        ...(await thirteen(owner, shop)),
      ];
    } finally {
      await simplest.stop();
      await first.stop();
      await second.stop();
    }
  } finally {
    await owner.end();
    await world.close();
  }
}

/** Stock and coupons alone, one caller after the other with whole batches; whatever it made is undone. @returns claims a second */
async function bare(connection: pg.ClientConfig, seconds: number): Promise<number> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query("set app.scope = 'PLATFORM||||||||'");
  const campaign = "11111111-0000-7000-8000-000000000011";
  await addCampaign(client, { id: campaign, no: "9000000101", merchant: M1, total: 100_000_000, issued: 0 });
  const begun_ms = performance.now();
  let done = 0;
  while (performance.now() - begun_ms < seconds * 1_000) {
    await client.query("begin");
    await client.query(
      "update coupon_stock set issued = issued + $2 where service_provider_id = $3 and campaign_id = $1 and issued + held + $2 <= total",
      [campaign, BATCH, P1],
    );
    await client.query(
      `insert into coupons (service_provider_id, id, merchant_id, campaign_id, version, no, member_id, person, nth, source, source_id, state, valid_from, valid_to, received_at, received_on)
        select $2, gen_random_uuid(), $3, $1, 1, lpad((5000000000 + n)::text, 10, '0'), ${sqlIdOf("member", "(100 + n % $5::bigint)")}, decode(md5(n::text), 'hex'), 1, 'claim', gen_random_uuid(), 'SENDED',
          now(), now() + interval '7 days', now(), current_date from generate_series($4::bigint, $4::bigint + ${BATCH - 1}) n`,
      [campaign, P1, M1, done, MEMBERS],
    );
    await client.query("commit");
    done += BATCH;
  }
  const s = (performance.now() - begun_ms) / 1_000;
  await client.query("set session_replication_role = replica");
  for (const table of ["coupon_events", "coupons"])
    await client.query(
      table === "coupons"
        ? "delete from coupons where campaign_id = $1"
        : "delete from coupon_events e using coupons c where c.service_provider_id = e.service_provider_id and c.id = e.coupon_id and c.campaign_id = $1",
      [campaign],
    );
  for (const table of ["coupon_stock", "coupon_terms", "coupon_campaigns"])
    await client.query(`delete from ${table} where ${table === "coupon_campaigns" ? "id" : "campaign_id"} = $1`, [campaign]);
  await client.end();
  return done / s;
}

/** Twelve coupons for the whole order and one for an item, of which the best are sought, with what the member has besides. */
async function thirteen(owner: pg.Client, shop: Awaited<ReturnType<typeof openMemberShop>>): Promise<Line[]> {
  const [member] = shop.members;
  const [{ merchant_id: merchant } = { merchant_id: "" }] = (
    await owner.query<{ merchant_id: string }>("select merchant_id from members where id = $1", [member])
  ).rows;
  for (let n = 0; n < 13; n++) {
    const id = `11111111-0000-7000-8000-0000000002${String(n).padStart(2, "0")}`;
    const terms =
      n === 12
        ? { kind: 3, skus: ["N1"], offCents: 150, minCents: 0 }
        : n % 2 === 0
          ? { offCents: 500 + n }
          : { kind: 2, offCents: null, percent: 80 + n, capCents: 9_000 };
    await addCampaign(owner, { id, no: `90000002${String(n).padStart(2, "0")}`, merchant, total: 10, issued: 1, terms });
    await owner.query(
      `insert into coupons (service_provider_id, id, merchant_id, campaign_id, version, no, member_id, person, nth, source, source_id, state, valid_from, valid_to, received_at, received_on)
        values ($1, gen_random_uuid(), $2, $3, 1, $4, $5, uuid_send($5), 1, 'claim', gen_random_uuid(), 'SENDED', now() - interval '1 hour', now() + interval '7 days', now(), current_date)`,
      [P1, merchant, id, `80000002${String(n).padStart(2, "0")}`, member],
    );
  }
  const [till, [ticket]] = [shop.tills[0]!, await shop.tickets(shop.members)];
  const quote = { tillNo: "Q13", lines: LINES, ticket, coupons: "best", points: 1_000, storedValueCents: 5_000 };
  const agent = openAgent(1);
  const { compared } = await signedPost<{ compared?: { ways: number; whole: boolean } }>(ONE, agent, till, "/api/till/quotes", quote);
  agent.destroy();
  const ask = (seconds: number) => runPart<QuoteInput, Figures>("load/quote-load.ts", { port: ONE, till, quote, clients: 1, seconds });
  await ask(SECONDS / 4);
  const rounds: Figures[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await ask(SECONDS / 2));
  const [p50_ms, p99_ms] = [median(rounds.map((one) => one.p50_ms)), median(rounds.map((one) => one.p99_ms))];
  return [
    atMost(`price of ${LINES.length} lines with 13 coupons, ${compared?.ways ?? 0} ways, p50 of one till`, p50_ms, PRICE_MS, "ms", 1),
    plain("  p99", `${p99_ms.toFixed(1)} ms${compared?.whole === false ? ", not all ways" : ""}`, { p99_ms }),
  ];
}
