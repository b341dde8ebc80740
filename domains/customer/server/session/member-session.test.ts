import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Incoming } from "@zhangfang/server/calls/call.ts";
import { newToken, sha256 } from "@zhangfang/server/crypto.ts";
import { readOpening } from "@zhangfang/server/database/openings.ts";
import { type CouponWorld, openCouponWorld } from "../../../coupons/server/testing/coupon-world.ts";
import { memberDoor } from "./member-session.ts";

let world: CouponWorld;
beforeAll(async () => void (world = await openCouponWorld()));
afterAll(() => world.close());

const shop = () => world.tree.merchants.mch01;
/** A member with a session of their own, and the token of it. */
async function signedIn(): Promise<{ member: string; token: string }> {
  const [member, token] = [await world.member(), newToken()];
  const now_ms = world.services.clock.now_ms();
  await world.owner(
    `insert into member_sessions (service_provider_id, merchant_id, member_id, token_hash, code_version, created_at, expires_at)
      select service_provider_id, merchant_id, id, $2, code_version, $3, $4 from members where id = $1`,
    [member, sha256(token), new Date(now_ms).toISOString(), new Date(now_ms + 60_000).toISOString()],
  );
  return { member, token };
}
function asking(token: string, merchant = shop().id): Incoming {
  return {
    params: { merchant },
    headers: { cookie: `zf_member_${merchant.replaceAll("-", "")}=${token}` },
  } as unknown as Incoming;
}
const alone = (incoming: Incoming) => readOpening(world.services.pool, memberDoor.sessionSql(world.services, incoming)!);
/** As when many call at once: the first goes, the others go together. */
async function together(incomings: readonly Incoming[]) {
  const first = [alone(incomings[0]!), alone(incomings[0]!)];
  // Where the statement for all of them fails each is asked for alone: here that would be seen.
  const asked = incomings.map((one) =>
    readOpening(world.services.pool, "select 'alone' as went", memberDoor.together!(world.services, one)),
  );
  await Promise.all(first);
  return Promise.all(asked);
}

test.each([
  ["who is known", "select $1::uuid", "select $1::uuid", true],
  ["who is frozen and may look", "update members set status = 2 where id = $1", "select $1::uuid", true],
  ["who is leaving and may look", "update members set status = 3, close_asked_at = now() where id = $1", "select $1::uuid", true],
  [
    "who left",
    "update members set status = 3, close_asked_at = now() where id = $1; update members set status = 4, closed_at = now(), name_sealed = null, name_hash = null, phone_sealed = null, tail_hash = null, id_card_sealed = null, birthday = null, form_sealed = null, pin_hash = null where id = $1",
    "select $1::uuid",
    false,
  ],
  [
    "whose session is over",
    "update member_sessions set created_at = now() - interval '9 years', expires_at = now() - interval '8 years' where member_id = $1",
    "select $1::uuid",
    false,
  ],
  ["whose phone changed since", "update members set code_version = code_version + 1 where id = $1", "select $1::uuid", false],
  [
    "whose shop is closed",
    "update merchants set state = 'disabled' where id = (select merchant_id from members where id = $1)",
    "update merchants set state = 'active' where id = (select merchant_id from members where id = $1)",
    false,
  ],
  [
    "whose provider is closed",
    "update service_providers set state = 'disabled' where id = (select service_provider_id from members where id = $1)",
    "update service_providers set state = 'active' where id = (select service_provider_id from members where id = $1)",
    false,
  ],
] as const)("%s is the same alone and among others", async (_what, spoil, mend, known) => {
  const [one, other] = [await signedIn(), await signedIn()];
  for (const statement of spoil.split(";")) await world.owner(statement, [one.member]);
  const mch02 = world.tree.merchants.mch02.id;
  const incomings = [asking(one.token), asking(newToken()), asking(other.token), asking(one.token, mch02), asking(one.token)];
  const rows = await together(incomings);
  const singly = await Promise.all(incomings.map((incoming) => alone(incoming)));
  await world.owner(mend, [one.member]);
  expect(rows).toEqual(singly);
  expect(rows.map((row) => row?.["member_id"])).toEqual([
    known ? one.member : undefined,
    undefined,
    spoil.includes("merchants") || spoil.includes("providers") ? undefined : other.member,
    undefined,
    known ? one.member : undefined,
  ]);
  if (known) expect(rows[0]).toMatchObject({ merchant_id: shop().id, scope: expect.stringContaining(`MCH|${shop().serviceProviderId}|`) });
});
test("what no browser of ours holds is nobody's", () => {
  for (const token of ["", "short", `${randomUUID()}'; drop`]) expect(memberDoor.together!(world.services, asking(token))).toBeUndefined();
  expect(memberDoor.together!(world.services, asking(newToken(), "x"))).toBeUndefined();
});
