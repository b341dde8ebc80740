import pg from "pg";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { actorOf, idOf } from "../actors.ts";
import { atMost, type Line, median, plain } from "../figures.ts";
import { startServer } from "../part.ts";
import { sized } from "../small.ts";
import { openWorld } from "../world.ts";

/** Vouchers used on each of three days at 抖音; of each fifty one was reversed, of each thousand one has another amount there. */
const USES = sized(20_000, 2_000);
const PORT = 9207;
const LIMIT_S = 5;
const DAY = addDays(shanghaiDay(Date.now()), -2);

async function fill(client: pg.Client): Promise<void> {
  const [provider, merchant, store] = [`'${idOf("provider", 1)}'::uuid`, `'${idOf("merchant", 1)}'::uuid`, `'${idOf("store", 1)}'::uuid`];
  const account = "'00000060-0000-7000-8000-000000000001'::uuid";
  const id = (first: string) => `('${first}-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;
  const day = `('${DAY}'::date - 1 + n % 3)`;
  const at = `((${day}::timestamp + interval '9 hours' + (n / 3 % 36000) * interval '1 second') at time zone 'Asia/Shanghai')`;
  const entry = (
    kind: string,
    first: string,
    more: string,
    where: string,
  ) => `insert into platform_entries (service_provider_id, id, merchant_id, store_id,
      platform, kind, goods_kind, certificate_id, verify_id, pay_cents, face_cents, platform_ticket_cents, expected_fee_cents, fee_cents, goods_cents, total_cents,
      happened_at, day, added_at)
    select ${provider}, ${id(first)}, ${merchant}, ${store}, 'dy', '${kind}', 1 + n % 3, 'c' || n, 'v' || n, ${more}, ${at}, ${day}, now()
    from generate_series(1, ${USES * 3}) n where ${where}`;
  await client.query("set synchronous_commit = off; set app.scope = 'PLATFORM||||||||'");
  await client.query(`insert into platform_accounts (service_provider_id, id, merchant_id, platform, account_no, app_of, by_name, created_at, updated_at)
    values (${provider}, ${account}, ${merchant}, 'dy', 'bench', 'provider', 'x', now(), now())`);
  await client.query(entry("verify", "00000061", "8800, 10000, 300, 220, 0, 0, 0", "true"));
  await client.query(entry("reverse", "00000062", "8800, 10000, 300, 220, 0, 0, 0", "n % 50 = 0"));
  await client.query(entry("ledger", "00000063", "0, 0, 0, 0, 220, 8880, 9100", "n % 50 <> 0"));
  await client.query(`insert into platform_bill_days (service_provider_id, account_id, day, merchant_id, whole, taken_at, uses_taken_at)
    select ${provider}, ${account}, '${DAY}'::date - 1 + n, ${merchant}, true, now(), now() from generate_series(0, 2) n`);
  await client.query(`insert into platform_day_uses (service_provider_id, account_id, day, certificate_id, verify_id, merchant_id, face_cents, pay_cents, merchant_ticket_cents,
      platform_ticket_cents, used_at, reversed, reversed_at)
    select ${provider}, ${account}, ${day}, 'c' || n, 'v' || n, ${merchant}, 10000, case when n % 1000 = 1 then 8900 else 8800 end, 0, 300, ${at}, n % 50 = 0,
      case when n % 50 = 0 then ${at} end from generate_series(1, ${USES * 3}) n`);
  await client.query(`insert into recon_days (service_provider_id, id, merchant_id, source, day)
    values (${provider}, ${DAY_ID}, ${merchant}, 'dy', '${DAY}')`);
}
const ROUNDS = 7;
const VOUCHERS_LIMIT_MS = 50;
/** What a store's day asks of its vouchers: their sums. */
async function storeVouchers(client: pg.Client): Promise<number> {
  const took: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const begun_ms = performance.now();
    const { rows } = await client.query<{ used: number; billed: number }>(
      `select used, billed from app.vouchers_of($1, $2, array[$3]::uuid[], daterange($4::date, $4::date, '[]'), array['dy'])`,
      [idOf("provider", 1), idOf("merchant", 1), idOf("store", 1), DAY],
    );
    took.push(performance.now() - begun_ms);
    const [sum] = rows;
    if (!sum || sum.used < USES - 1 || sum.billed < sum.used * 0.9) throw new Error(`vouchers of the store: ${JSON.stringify(rows)}`);
  }
  return median(took);
}
/** The same day as it opens in 门店日, through HTTP. */
async function storeDay(token: string): Promise<number> {
  const took: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const begun_ms = performance.now();
    const answer = await fetch(`http://127.0.0.1:${PORT}/api/reconciliation/store-day?storeId=${idOf("store", 1)}&day=${DAY}&_t=1`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const text = await answer.text();
    took.push(performance.now() - begun_ms);
    if (!answer.ok) throw new Error(`store-day: ${answer.status} ${text}`);
    const { figures } = JSON.parse(text) as { figures: { lines: { band: string; key: string; count: number }[] } };
    const line = figures.lines.find(({ band, key }) => band === "voucher" && key === "dy");
    if (!line || line.count < USES * 0.9) throw new Error(`vouchers of the store's day: ${JSON.stringify(figures.lines)}`);
  }
  return median(took) / 1_000;
}
const DAY_ID = "'00000064-0000-7000-8000-000000000001'";

/** A day of 20,000 vouchers of one merchant held against the platform's record and its bill: told a moment ago, then again, by the call of 重新对账. */
export async function measure(): Promise<Line[]> {
  const world = await openWorld(1_000, false, () => undefined);
  const client = new pg.Client(world.connection);
  await client.connect();
  try {
    await fill(client);
    const server = await startServer(world.connection, PORT, { work: false });
    try {
      const { token } = actorOf("merchant");
      const match = async (): Promise<number> => {
        const begun_ms = performance.now();
        const answer = await fetch(`http://127.0.0.1:${PORT}/api/reconciliation/days/rematch?_t=1`, {
          method: "POST",
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
          body: JSON.stringify({ id: DAY_ID.slice(1, -1) }),
        });
        if (!answer.ok) throw new Error(`rematch: ${answer.status} ${await answer.text()}`);
        return (performance.now() - begun_ms) / 1_000;
      };
      const first = await match();
      const again = await match();
      const { rows } = await client.query<{ matched: number; open: number; pending: number }>(
        `select matched_count as matched, open_count as open, pending_count as pending from recon_days where id = ${DAY_ID}`,
      );
      const { matched, open, pending } = rows[0]!;
      if (matched + open < USES - 1 || open === 0 || pending > 0) throw new Error(`matched ${matched}, open ${open}, pending ${pending}`);
      return [
        atMost("a day of vouchers matched, told a moment ago", first, LIMIT_S, "s", 2),
        atMost("the same day again", again, LIMIT_S, "s", 2),
        plain("  fit, differ", `${matched}, ${open}`),
        atMost("that store's day as it opens", await storeDay(token), LIMIT_S, "s", 2),
        atMost("vouchers of the store on that day", await storeVouchers(client), VOUCHERS_LIMIT_MS, "ms"),
      ];
    } finally {
      await server.stop();
    }
  } finally {
    await client.end();
    await world.close();
  }
}
