// A process that is the tills of a shop: vouchers are looked up first, then all are used, so many at once.
import { randomUUID } from "node:crypto";
import { openAgent, signedPost, type Signer } from "./signed-post.ts";

export interface VerifyInput {
  readonly port: number;
  readonly tills: readonly Signer[];
  readonly codes: readonly string[];
  readonly at_once: number;
}
export interface VerifyFigures {
  /** Vouchers used, in a second. */
  readonly perSecond: number;
  /** Vouchers looked up, in a second, before that. */
  readonly preparedPerSecond: number;
  readonly refused: readonly string[];
}

process.once("message", (input: VerifyInput) => void run(input).then((figures) => process.send?.(figures, () => process.exit(0))));

async function run({ port, tills, codes, at_once }: VerifyInput): Promise<VerifyFigures> {
  const agent = openAgent(at_once);
  const refused: string[] = [];
  const post = <T>(n: number, path: string, given: object) => signedPost<T>(port, agent, tills[n % tills.length]!, path, given);
  const many = async (each: (n: number) => Promise<void>): Promise<number> => {
    const begun_ms = performance.now();
    let next = 0;
    let done = 0;
    const client = async () => {
      while (next < codes.length) {
        const n = next++;
        await each(n).then(
          () => void done++,
          (error: Error) => void refused.push(error.message),
        );
      }
    };
    await Promise.all(Array.from({ length: at_once }, client));
    return (done * 1000) / (performance.now() - begun_ms);
  };
  const tickets: string[] = [];
  const preparedPerSecond = await many(async (n) => {
    tickets[n] = (await post<{ ticket: string }>(n, "/api/till/platform-vouchers/prepare", { scan: codes[n] })).ticket;
  });
  const perSecond = await many(async (n) => {
    const given = { requestId: randomUUID(), ticket: tickets[n], count: 1 };
    const [used] = await post<{ status: number; message: string }[]>(n, "/api/till/platform-vouchers/verify", given);
    if (used?.status !== 1) throw new Error(`a use is at ${used?.status}: ${used?.message}`);
  });
  agent.destroy();
  return { perSecond, preparedPerSecond, refused };
}
