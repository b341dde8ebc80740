import { sql } from "kysely";
import type { z } from "zod";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { face } from "../../contract/index.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { cardOf } from "../../../member-cards/server/index.ts";
import type { PageStore } from "./find-merchant.ts";

type Face = z.output<typeof face>;
const FACE = sql`c.name, c.tone, '/api/card-pictures/' || c.logo_id as "logoUrl", '/api/card-pictures/' || c.background_id as "backgroundUrl",
  c.notice, c.phone, c.rights`;

/** The card that whoever joins at a store gets, and what its form asks. */
export async function offeredFace(
  tx: Transaction,
  services: Services,
  place: PageStore,
): Promise<(Face & { readonly form: string }) | undefined> {
  const card = await cardOf(tx, services, place);
  if (!card) return undefined;
  const { rows } = await sql<Face & { form: string }>`select ${FACE}, c.form from member_cards c
    where c.service_provider_id = ${place.service_provider_id} and c.id = ${card.id}`.execute(tx);
  return rows[0];
}

/** The card that a member holds: of several the one that goes on, the newest. */
export async function heldFace(
  tx: Transaction,
  { service_provider_id, merchant_id, id }: { readonly service_provider_id: string; readonly merchant_id: string; readonly id: string },
): Promise<(Face & { readonly code: string; readonly endsOn: string | null }) | undefined> {
  const { rows } = await sql<Face & { code: string; endsOn: string | null }>`select ${FACE}, h.code, c.ends_on as "endsOn"
    from card_holders h join member_cards c on c.service_provider_id = h.service_provider_id and c.id = h.card_id
    where h.service_provider_id = ${service_provider_id} and h.merchant_id = ${merchant_id} and c.status in (2, 3, 4)
      and h.member_id in (select f.id from members f where f.service_provider_id = ${service_provider_id} and (f.id = ${id} or f.merged_into = ${id}))
    order by h.created_at desc, h.id desc limit 1`.execute(tx);
  return rows[0];
}
