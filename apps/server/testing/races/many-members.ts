import { createHash } from "node:crypto";
import { Agent, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { RaceWorld } from "./race-world.ts";

export interface Crowd {
  readonly ids: readonly string[];
  /** Asks as one of them until somebody answers, at one server after the other. @returns status and body */
  post(member: number, path: string, body: object): Promise<{ readonly status: number; readonly body: Record<string, unknown> }>;
  close(): void;
}
const GIVE_UP_MS = 120_000;

/** Members of mch01 who are signed in at its page, each behind an address of their own, as far as there are 200. */
export async function plantCrowd({ owner, apis, till }: RaceWorld, name: string, count: number): Promise<Crowd> {
  const { id: merchant, serviceProviderId } = till.tree.merchants.mch01;
  const token = (n: number) => createHash("sha256").update(`${name} ${n}`).digest("base64url");
  const made = await owner<{ id: string; n: number }>(
    `with m as (insert into members (service_provider_id, id, merchant_id, no, stage, source, tail_hash, phone_confirmed_at, created_at)
      select $1, gen_random_uuid(), $2, lpad(((hashtext($3)::bigint + 5000000000 + n * 7) % 10000000000)::text, 10, '0'), 1, 1, sha256(($3 || n)::bytea), now(), now()
      from generate_series(1, $4::int) n returning id, no)
    select id, (row_number() over (order by no))::int as n from m`,
    [serviceProviderId, merchant, name, count],
  );
  const ids = made.toSorted((a, b) => a.n - b.n).map(({ id }) => id);
  await owner(
    `insert into member_sessions (service_provider_id, token_hash, merchant_id, member_id, code_version, created_at, expires_at)
      select $1, decode(t.hash, 'hex'), $2, t.member::uuid, m.code_version, now(), now() + interval '1 day'
      from unnest($3::text[], $4::text[]) as t (hash, member) join members m on m.id = t.member::uuid`,
    [serviceProviderId, merchant, ids.map((_id, n) => createHash("sha256").update(token(n)).digest("hex")), ids],
  );
  const agents = Array.from(
    { length: 200 },
    (_none, at) => new Agent({ keepAlive: true, maxSockets: 4, localAddress: `127.0.1.${at + 1}` } as never),
  );
  const once = (api: string, member: number, path: string, body: object) =>
    new Promise<{ status: number; body: Record<string, unknown> }>((done, failed) => {
      const text = JSON.stringify(body);
      const cookie = `zf_member_${merchant.replaceAll("-", "")}=${token(member)}`;
      const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text), cookie };
      const asked = request(
        `${api}/api/customer/${merchant}/${path}`,
        { method: "POST", agent: agents[member % agents.length]!, headers },
        (answer) => {
          let said = "";
          answer.on("data", (chunk: Buffer) => void (said += chunk.toString()));
          answer.once("error", failed);
          answer.once("end", () =>
            answer.complete
              ? done({ status: answer.statusCode ?? 0, body: JSON.parse(said || "{}") as never })
              : failed(new Error("broken off")),
          );
        },
      );
      asked.once("error", failed);
      asked.setTimeout(30_000, () => asked.destroy(new Error("no answer")));
      asked.end(text);
    });
  return {
    ids,
    async post(member, path, body) {
      const until_ms = performance.now() + GIVE_UP_MS;
      for (let turn = member; ; turn++) {
        const answer = await once(apis[turn % apis.length]!, member, path, body).catch(() => undefined);
        if (answer && answer.status !== 503 && answer.status !== 429) return answer;
        if (performance.now() > until_ms) throw new Error(`no answer to ${path}: ${JSON.stringify(answer)}`);
        await wait(20 + Math.random() * 100);
      }
    },
    close: () => agents.forEach((agent) => agent.destroy()),
  };
}
