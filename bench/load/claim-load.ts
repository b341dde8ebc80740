// A process that is the phones of many members, each of whom receives one coupon, at one server after the other.
import { createHash, randomUUID } from "node:crypto";
import { summarise, type Figures } from "../figures.ts";
import { keepAlive } from "./keep-alive.ts";

export interface ClaimInput {
  readonly ports: readonly number[];
  readonly merchant: string;
  readonly campaign: string;
  /** Members from here on, each once. */
  readonly first: number;
  readonly clients: number;
  readonly seconds: number;
}
/** The session of a member of the bench. */
const tokenOf = (member: number): string => createHash("sha256").update(`claim ${member}`).digest("base64url");

process.once("message", (input: ClaimInput) => void run(input).then((figures) => process.send?.(figures, () => process.exit(0))));

async function run({ ports, merchant, campaign, first, clients, seconds }: ClaimInput): Promise<Figures> {
  const path = `/api/customer/${merchant}/claim-coupon`;
  let next = first;
  const request = () => {
    const body = JSON.stringify({ campaignId: campaign, requestId: randomUUID() });
    const cookie = `zf_member_${merchant.replaceAll("-", "")}=${tokenOf(next++)}`;
    return Buffer.from(
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nCookie: ${cookie}\r\n\r\n${body}`,
    );
  };
  const durations_ms: number[] = [];
  const begun_ms = performance.now();
  const until_ms = begun_ms + seconds * 1000;
  const client = (at: number) =>
    keepAlive(
      ports[at % ports.length]!,
      () => (performance.now() < until_ms ? request() : undefined),
      (duration_ms) => durations_ms.push(duration_ms),
    );
  await Promise.all(Array.from({ length: clients }, (_client, at) => client(at)));
  return summarise(durations_ms, performance.now() - begun_ms);
}
