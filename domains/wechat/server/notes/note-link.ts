import { createHmac, randomInt, timingSafeEqual } from "node:crypto";
import { sql } from "kysely";
import { withScope } from "@zhangfang/server/database/db.ts";
import { derivedKey } from "@zhangfang/server/config.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { linkFault, type NoteContent } from "../../contract/index.ts";

const [ID_BYTES, MAC_BYTES] = [16, 6];
type Secret = Pick<Services, "config">;
const macOf = ({ config }: Secret, bytes: Buffer): Buffer =>
  createHmac("sha256", derivedKey(config.secret, "wechat-notes")).update(bytes).digest().subarray(0, MAC_BYTES);

/** The short link of a note: it counts, and leads where the note leads and nowhere else. */
export function noteUrl(services: Secret, note_id: string): string {
  const bytes = Buffer.from(note_id.replaceAll("-", ""), "hex");
  return `${services.config.public_url}/g/${Buffer.concat([bytes, macOf(services, bytes)]).toString("base64url")}`;
}
function readCode(services: Secret, code: string): string | undefined {
  const bytes = Buffer.from(code, "base64url");
  if (bytes.length !== ID_BYTES + MAC_BYTES) return undefined;
  const id = bytes.subarray(0, ID_BYTES);
  if (!timingSafeEqual(bytes.subarray(ID_BYTES), macOf(services, id))) return undefined;
  return id.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

interface Led {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly state: string;
  readonly content: NoteContent;
}
/** Where a note leads: our own page, or an address that is on the list now. */
function targetOf({ config }: Secret, { merchant_id, content: { link } }: Led): string | undefined {
  const page = `${config.public_url}/m/${merchant_id}`;
  if (link.to === "member") return page;
  if (link.to === "centre") return `${page}#centre`;
  return link.to === "url" && linkFault(link.url) === undefined ? link.url : undefined;
}
const SHARDS = 16;
/** Counts an opening, as far as that goes at once: nobody waits for a count. */
const count = (services: Services, id: string, { service_provider_id, merchant_id }: Led): Promise<void> =>
  withScope(services.pool, platformScope("count the clicks of a group note"), async (tx) => {
    await sql`set local lock_timeout = 200`.execute(tx);
    await sql`insert into wx_note_clicks as c (service_provider_id, note_id, merchant_id, shard, clicks, clicked_at)
      values (${service_provider_id}, ${id}, ${merchant_id}, ${randomInt(SHARDS)}, 1, ${new Date(services.clock.now_ms()).toISOString()})
      on conflict (service_provider_id, note_id, shard) do update set clicks = c.clicks + 1, clicked_at = excluded.clicked_at`.execute(tx);
  }).catch((error: unknown) => services.log.warn({ err: error, note: id }, "a click was not counted"));
/**
 * Somebody opened the short link of a note. Opened before the sending it is a preview, and counts for nothing; the same person twice counts twice.
 * @returns where it leads; undefined where there is no such link
 */
export async function openNoteLink(services: Services, code: string): Promise<string | undefined> {
  const id = readCode(services, code);
  if (id === undefined) return undefined;
  const note = await withScope(
    services.pool,
    platformScope("open the link of a group note"),
    async (tx) =>
      (await sql<Led>`select n.service_provider_id, n.merchant_id, n.state, n.content from wx_notes n where n.id = ${id}`.execute(tx))
        .rows[0],
    { readOnly: true },
  );
  const target = note && targetOf(services, note);
  if (note && target !== undefined && ["sending", "confirming", "sent", "partly"].includes(note.state)) await count(services, id, note);
  return target;
}
