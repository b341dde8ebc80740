import { derivedKey } from "@zhangfang/server/config.ts";
import { hmacHex, newToken, sha256 } from "@zhangfang/server/crypto.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";

/** A ticket or stamp is good this long. */
export const TICKET_MS = 60_000;

export interface TicketOrder {
  /** `auto` opens autoLogin, `stamp` the hand-over between our systems. */
  readonly kind: "auto" | "stamp";
  /** Who will be signed in. */
  readonly userId: string;
  /** Who asks for it. A stamp for somebody else is a log in as. */
  readonly issuedBy?: string | undefined;
  /** `auto`: sealed in the ticket; whoever redeems it must name the same. */
  readonly serviceProviderId?: string | undefined;
  readonly businessTeamId?: string | undefined;
}

/**
 * Issues a single-use ticket for a minute. Only its SHA-256 is kept.
 * @returns the ticket for `requestId` of autoLogin, or the signed stamp of the hand-over
 */
export async function issueTicket(tx: Transaction, services: Services, order: TicketOrder): Promise<string> {
  const ticket = newToken();
  const now_ms = services.clock.now_ms();
  await tx
    .insertInto("login_tickets")
    .values({
      ticket_hash: sha256(ticket),
      kind: order.kind,
      user_id: order.userId,
      issued_by: order.issuedBy ?? order.userId,
      service_provider_id: order.serviceProviderId ?? null,
      business_team_id: order.businessTeamId ?? null,
      created_at: new Date(now_ms).toISOString(),
      expires_at: new Date(now_ms + TICKET_MS).toISOString(),
    })
    .execute();
  return order.kind === "auto"
    ? ticket
    : `${now_ms}.${ticket}.${signature(services, order.issuedBy ?? order.userId, order.userId, now_ms, ticket)}`;
}

/** The signature of a stamp: who issues, who is signed in, when, and the ticket. */
export const signature = (services: Services, issuerId: string, targetId: string, at_ms: number, ticket: string): string =>
  hmacHex(derivedKey(services.config.secret, "hand-over"), [issuerId, targetId, at_ms, ticket].join("\n"));
