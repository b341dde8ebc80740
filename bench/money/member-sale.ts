import pg from "pg";
import { atLeast, atMost, median, plain, type Line } from "../figures.ts";
import type { SaleFigures, SaleInput } from "../load/sale-load.ts";
import { runPart, startServer } from "../part.ts";
import { sized } from "../small.ts";
import { openWorld } from "../world.ts";
import { LINES, openMemberShop } from "./member-world.ts";

const PORT = 9202;
const ROUNDS = sized(5, 1);
const ORDERS = sized(240, 12);
const MEMBERS = sized(240, 12);
const AT_ONCE = 8;
const LEAST = 0.6;
const WISH = { coupons: [], points: 500, storedValueCents: 1_000 };
const FEW = LINES.slice(0, 3);

/**
 * What a member costs at the till: orders of three lines that are placed and paid by a code, with the member's ticket and quote, level, points
 * and stored value, against the same lines quoted for nobody, and against an amount alone, in turn. In a world of its own.
 */
export async function measure(): Promise<Line[]> {
  const world = await openWorld(1_000, false, () => undefined);
  const owner = new pg.Client(world.connection);
  try {
    await owner.connect();
    const shop = await openMemberShop(world, owner, MEMBERS);
    const server = await startServer(world.connection, PORT, { willing: true });
    try {
      const sell = async (input: Partial<SaleInput>, usage: number[]): Promise<SaleFigures> => {
        const before = await server.usage();
        const all = { port: PORT, tills: shop.tills, tickets: [], orders: ORDERS, at_once: AT_ONCE, lines: FEW };
        const sold = await runPart<SaleInput, SaleFigures>("load/sale-load.ts", { ...all, ...input });
        usage.push(((await server.usage()).cpu_us - before.cpu_us) / ORDERS);
        return sold;
      };
      const cpu_us = { member: [] as number[], quoted: [] as number[], amount: [] as number[] };
      const ways = {
        member: async () =>
          sell(
            { tickets: await shop.tickets(Array.from({ length: ORDERS }, (_none, n) => shop.members[n % MEMBERS]!)), wish: WISH },
            cpu_us.member,
          ),
        quoted: () => sell({ wish: { coupons: [] } }, cpu_us.quoted),
        amount: () => sell({}, cpu_us.amount),
      };
      for (const way of Object.values(ways)) await way();
      const found = { member: [] as SaleFigures[], quoted: [] as SaleFigures[], amount: [] as SaleFigures[] };
      for (let round = 0; round < ROUNDS; round++)
        for (const name of ["amount", "quoted", "member"] as const) found[name].push(await ways[name]());
      return [...lines(found), spent(await spentOf(owner))];
    } finally {
      await server.stop();
    }
  } finally {
    await owner.end();
    await world.close();
  }
}

function lines(found: Readonly<Record<"member" | "quoted" | "amount", readonly SaleFigures[]>>): Line[] {
  const refused = Object.values(found).flatMap((all) => all.flatMap((one) => one.refused));
  for (const said of new Set(refused)) process.stderr.write(`${said}\n`);
  const rate = (name: keyof typeof found) => median(found[name].map(({ perSecond }) => perSecond));
  const against = (name: "quoted" | "amount") => median(found.member.map(({ perSecond }, at) => perSecond / found[name][at]!.perSecond));
  const told = (name: string, of: keyof typeof found) => plain(name, `${rate(of).toFixed(0)}/s`, { perSecond: rate(of) });
  return [
    told(`orders of ${FEW.length} lines placed and paid, ${AT_ONCE} at once: a member with level, points and stored value`, "member"),
    told("  quoted for nobody", "quoted"),
    told("  an amount alone", "amount"),
    atLeast("  with a member against nobody", against("quoted"), LEAST, "", 2),
    plain("  with a member against an amount alone", against("amount").toFixed(2), { ratio: against("amount") }),
    atMost("  refusals at the till", refused.length, 0, ""),
  ];
}

/** Every member's order drew what it said: so many that hold points and stored value that were taken. */
async function spentOf(owner: pg.Client): Promise<number> {
  const { rows } = await owner.query<{ n: number }>(
    `select count(*)::int as n from pay_orders o where o.status = 2 and o.points_used = 500 and o.principal_cents + o.gift_cents = 1000
       and exists (select from value_entries e where e.order_id = o.id and e.cause = 'stored-take')
       and exists (select from value_entries e where e.order_id = o.id and e.cause = 'points-take')`,
  );
  return rows[0]!.n;
}
const spent = (orders: number): Line => {
  const due = ORDERS * (ROUNDS + 1);
  return {
    name: "  orders whose points and stored value are spent in the book",
    figure: String(orders),
    limit: `= ${due}`,
    ok: orders === due,
    raw: { orders },
  };
};
