// A process that is the tills of a shop: what is asked for first is prepared, then all orders are placed and paid, so many at once.
import { openAgent, signedPost, type Signer } from "./signed-post.ts";

export interface SaleInput {
  readonly port: number;
  readonly tills: readonly Signer[];
  /** A ticket for each order; none: orders of nobody. */
  readonly tickets: readonly string[];
  readonly orders: number;
  readonly at_once: number;
  /** What a quote asks for besides the lines; none: the orders come without one. */
  readonly wish?: object | undefined;
  readonly lines: readonly object[];
}
export interface SaleFigures {
  /** Orders placed and paid, in a second. */
  readonly perSecond: number;
  /** Quotes, in a second, before that. */
  readonly quotesPerSecond: number;
  readonly refused: readonly string[];
}
interface Quote {
  readonly quote: string;
  readonly tillNo: string;
}

process.once("message", (input: SaleInput) => void run(input).then((figures) => process.send?.(figures, () => process.exit(0))));

async function run({ port, tills, tickets, orders, at_once, wish, lines }: SaleInput): Promise<SaleFigures> {
  const agent = openAgent(at_once);
  const tillOf = (n: number) => tills[n % tills.length]!;
  const refused: string[] = [];
  const stamp = `B${Date.now()}`;
  const many = async (each: (n: number) => Promise<void>): Promise<number> => {
    const begun_ms = performance.now();
    let next = 0;
    const client = async () => {
      while (next < orders) {
        const n = next++;
        await each(n).catch((error: Error) => void refused.push(error.message));
      }
    };
    await Promise.all(Array.from({ length: at_once }, client));
    return ((orders - refused.length) * 1000) / (performance.now() - begun_ms);
  };
  const numbered = (n: number) => ({ tillNo: `${stamp}N${n}`, lines, ...(tickets[n] !== undefined && { ticket: tickets[n] }) });
  const quotes: Quote[] = [];
  const quotesPerSecond = wish
    ? await many(async (n) => {
        quotes[n] = await signedPost<Quote>(port, agent, tillOf(n), "/api/till/quotes", { ...numbered(n), ...wish });
      })
    : 0;
  const perSecond = await many(async (n) => {
    const paying = { subject: "午餐", tradeType: "MICROPAY", authCode: "130000000099999999" };
    const priced = wish ? { ...numbered(n), quote: quotes[n]?.quote } : { tillNo: `${stamp}N${n}` };
    const { status } = await signedPost<{ status: number }>(port, agent, tillOf(n), "/api/till/orders", {
      ...priced,
      ...paying,
      grossCents: grossOf(lines),
    });
    if (status !== 2) throw new Error(`an order is at ${status}`);
  });
  agent.destroy();
  return { perSecond, quotesPerSecond, refused };
}
const grossOf = (lines: readonly object[]): number =>
  (lines as readonly { readonly units: number; readonly unitCents: number }[]).reduce((sum, one) => sum + one.units * one.unitCents, 0);
