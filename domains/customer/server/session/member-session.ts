import { z } from "zod";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import type { Ctx, Doors, Incoming, Principal } from "@zhangfang/server/calls/call.ts";
import { unauthorized } from "@zhangfang/server/calls/errors.ts";
import { newToken, sha256 } from "@zhangfang/server/crypto.ts";
import { withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { parseScope, platformScope } from "@zhangfang/server/database/scope.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import type { Services } from "@zhangfang/server/services.ts";

const DAYS = 30;
const DAY_MS = 86_400_000;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A member on their own page, as their session says: every statement names them. */
export interface Self {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly id: string;
  readonly no: string;
  readonly status: number;
}
const opened = z.object({
  service_provider_id: z.string(),
  merchant_id: z.string(),
  member_id: z.string(),
  no: z.string(),
  status: z.int(),
});

/** Whose page it is. @throws 401 where no member calls */
export function selfOf({ principal }: Pick<Ctx, "principal">): Self {
  const row = opened.safeParse(principal.session);
  if (principal.kind !== "member" || !row.success) throw unauthorized();
  const { member_id: id, ...rest } = row.data;
  return { ...rest, id };
}

// Only over https, for this host alone, wherever the product is reached that way; a demo on http can't have such a cookie.
const isSecure = ({ config }: Pick<Services, "config">): boolean => config.production || config.public_url.startsWith("https:");
const cookieName = (services: Pick<Services, "config">, merchant: string): string =>
  `${isSecure(services) ? "__Host-" : ""}zf_member_${merchant.replaceAll("-", "").toLowerCase()}`;
const cookieText = (services: Pick<Services, "config">, merchant: string, value: string, seconds: number): string =>
  [
    `${cookieName(services, merchant)}=${value}`,
    "Path=/",
    `Max-Age=${seconds}`,
    "HttpOnly",
    "SameSite=Lax",
    ...(isSecure(services) ? ["Secure"] : []),
  ].join("; ");

/** The token that a browser holds for one merchant; undefined where it can't be one of ours. */
function tokenOf(services: Pick<Services, "config">, { headers, params }: Incoming): { token: string; merchant: string } | undefined {
  const merchant = params["merchant"];
  if (typeof merchant !== "string" || !UUID.test(merchant)) return undefined;
  const name = `${cookieName(services, merchant)}=`;
  const token = (headers["cookie"] ?? "")
    .split(";")
    .map((one) => one.trim())
    .find((one) => one.startsWith(name))
    ?.slice(name.length);
  return token !== undefined && /^[\w-]{43}$/.test(token) ? { token, merchant } : undefined;
}

/**
 * `app.open_member` for several at once: the same joins and the same conditions. It sets no scope. Each is looked for by its own keys: behind
 * `offset 0` no plan reads all sessions for a few.
 */
const MANY = `select k.at, f.* from jsonb_to_recordset($1::jsonb) as k(at int, hash bytea, merchant uuid, now timestamptz)
  cross join lateral (select m.service_provider_id, m.merchant_id, m.id as member_id, m.no, m.status,
      'MCH|' || m.service_provider_id || '|||||' || m.merchant_id || '||' as scope
    from merchants n
    join service_providers p on p.id = n.service_provider_id and p.state = 'active'
    join member_sessions x on x.service_provider_id = n.service_provider_id and x.token_hash = k.hash and x.merchant_id = n.id
    join members m on m.service_provider_id = x.service_provider_id and m.id = x.member_id and m.code_version = x.code_version
    where n.id = k.merchant and n.state = 'active' and x.expires_at > k.now and m.status in (1, 2, 3) offset 0) f`;
/** How a member becomes known: by the cookie of the merchant whose page it is. */
export const memberDoor: NonNullable<Doors["member"]> = {
  sessionSql(services, incoming) {
    const found = tokenOf(services, incoming);
    if (!found) return undefined;
    const now = new Date(services.clock.now_ms()).toISOString();
    return `select * from app.open_member('\\x${sha256(found.token).toString("hex")}'::bytea, '${found.merchant}', '${now}')`;
  },
  together(services, incoming) {
    const found = tokenOf(services, incoming);
    if (!found) return undefined;
    const now = new Date(services.clock.now_ms()).toISOString();
    return { text: MANY, key: { hash: `\\x${sha256(found.token).toString("hex")}`, merchant: found.merchant, now } };
  },
  readSession(row): Principal {
    const { member_id, no } = opened.parse(row);
    return { kind: "member", id: member_id, name: `会员 ${no}`, scope: parseScope(String(row["scope"])), session: row, holds: () => false };
  },
};

/** Signs a member in on this browser, for thirty days. */
export async function startMemberSession(
  tx: Transaction,
  { services, incoming }: Pick<Ctx, "services" | "incoming">,
  member: Omit<Self, "no" | "status"> & { readonly code_version: number },
): Promise<void> {
  const token = newToken();
  const now_ms = services.clock.now_ms();
  await tx
    .insertInto("member_sessions")
    .values({
      service_provider_id: member.service_provider_id,
      merchant_id: member.merchant_id,
      member_id: member.id,
      token_hash: sha256(token),
      code_version: member.code_version,
      created_at: new Date(now_ms).toISOString(),
      expires_at: new Date(now_ms + DAYS * DAY_MS).toISOString(),
    })
    .execute();
  incoming.setCookie?.(cookieText(services, member.merchant_id, token, DAYS * 86_400));
}

/** Signs this browser out. */
export async function endMemberSession(
  tx: Transaction,
  { services, incoming }: Pick<Ctx, "services" | "incoming">,
  self: Self,
): Promise<void> {
  const token = tokenOf(services, incoming)?.token ?? "";
  await tx
    .deleteFrom("member_sessions")
    .where("service_provider_id", "=", self.service_provider_id)
    .where("member_id", "=", self.id)
    .where("token_hash", "=", sha256(token))
    .execute();
  incoming.setCookie?.(cookieText(services, self.merchant_id, "", 0));
}

/** Each night: sessions that are over, and look-ups of days before, by provider. */
export const purgeMemberSessions = job({
  name: "purge-member-sessions",
  data: z.object({}),
  every: "35 4 * * *",
  concurrency: 1,
  run: async (services) => {
    const now = new Date(services.clock.now_ms()).toISOString();
    await withScope(services.pool, platformScope("purge member sessions"), async (tx) => {
      for (const { id } of await tx.selectFrom("service_providers").select("id").execute()) {
        await tx.deleteFrom("member_sessions").where("service_provider_id", "=", id).where("expires_at", "<", now).execute();
        await tx.deleteFrom("receiver_lookups").where("service_provider_id", "=", id).where("day", "<", shanghaiDay(now)).execute();
      }
    });
  },
});
