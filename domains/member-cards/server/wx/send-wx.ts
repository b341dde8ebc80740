import { sql } from "kysely";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { formOf, type WxApi, type WxHolderState } from "../../contract/index.ts";
import { POINTS, STORED, WANTED } from "./touch-wx.ts";
import type { Reviewed, WxAnswer, WxCardFace, WxCards } from "./wx-api.ts";
import { wxCardsOf } from "./wx-door.ts";

const within = platformScope("wechat member cards");
/** Five calls a second are what WeChat takes: so many in a round of ten seconds. */
const [EVERY_S, MOST] = [10, 50];
const WAITS_S = [5, 30, 120, 600, 1_800, 7_200];
const isoAfter = (services: Services, seconds: number): string => new Date(services.clock.now_ms() + seconds * 1_000).toISOString();
/** When something that nobody answered is asked again. */
const again = (services: Services, tries: number): string => isoAfter(services, WAITS_S[Math.min(tries, WAITS_S.length - 1)]!);

interface Card {
  readonly service_provider_id: string;
  readonly card_id: string;
  readonly rev: number;
}
interface CardNow extends Card {
  readonly api: WxApi;
  readonly wx_card_id: string | null;
  readonly state: 1 | 2 | 3 | 4;
  readonly sync: number;
  readonly tries: number;
  readonly name: string;
  readonly tone: string;
  readonly notice: string;
  readonly phone: string;
  readonly rights: string;
  readonly logo_id: string | null;
  readonly form: string;
  readonly activation: string;
  readonly ends_on: string | null;
  readonly created_at: string;
  readonly merchant: string;
}
async function cardNow(services: Services, { service_provider_id, card_id }: Card): Promise<CardNow | undefined> {
  return withScope(services.pool, within, async (tx) => {
    const { rows } =
      await sql<CardNow>`select w.service_provider_id, w.card_id, w.rev, w.api, w.wx_card_id, w.status as state, w.sync, w.tries, c.name, c.tone,
        c.notice, c.phone, c.rights, c.logo_id, c.form, c.activation, c.ends_on, c.created_at, m.short_name as merchant
      from wx_cards w join member_cards c on c.service_provider_id = w.service_provider_id and c.id = w.card_id
      join merchants m on m.service_provider_id = w.service_provider_id and m.id = w.merchant_id
      where w.service_provider_id = ${service_provider_id} and w.card_id = ${card_id} and w.sync in (0, 3)`.execute(tx);
    return rows[0];
  });
}
const faceOf = (services: Services, card: CardNow): WxCardFace => ({
  mark: card.card_id.replaceAll("-", "").slice(-12),
  merchantName: card.merchant,
  name: card.name,
  tone: card.tone,
  notice: card.notice,
  phone: card.phone,
  rights: card.rights,
  logoUrl: card.logo_id === null ? "" : `${services.config.public_url}/api/card-pictures/${card.logo_id}`,
  form: formOf(card.form),
  auto: card.activation === "auto",
  madeAt: card.created_at,
  endsOn: card.ends_on,
});

/** Before the call it is written down that nobody knows; whoever else sends this one finds it so. */
async function begin(services: Services, card: CardNow): Promise<boolean> {
  return withScope(services.pool, within, async (tx) => {
    const { numAffectedRows } = await sql`update wx_cards set sync = 3, tries = tries + 1, next_at = ${again(services, card.tries)}
      where service_provider_id = ${card.service_provider_id} and card_id = ${card.card_id} and rev = ${card.rev} and tries = ${card.tries}
        and sync = ${card.sync}`.execute(tx);
    return numAffectedRows === 1n;
  });
}
type CardAnswer = WxAnswer<{ wxCardId: string | null; review: Reviewed }>;
async function settle(services: Services, card: CardNow, answer: CardAnswer): Promise<void> {
  const done = answer.state === "done";
  await withScope(services.pool, within, (tx) =>
    // A change that came meanwhile waits for the next round.
    sql`update wx_cards set sync = case when rev > ${card.rev} then 0 when ${done} then 1 else 2 end, tries = 0, sent_rev = ${card.rev},
        next_at = ${isoAfter(services, 0)}, sent_at = ${isoAfter(services, 0)}, asked_at = ${isoAfter(services, 0)},
        why = ${done ? null : answer.why}, status = case when status = 4 then 4 else ${done ? answer.review : 3}::smallint end,
        wx_card_id = coalesce(${done ? answer.wxCardId : null}, wx_card_id)
      where service_provider_id = ${card.service_provider_id} and card_id = ${card.card_id} and sync = 3 and sent_rev <= ${card.rev}`.execute(
      tx,
    ),
  );
}
/** A card that was made is known by its number before more is asked of it. */
async function made(services: Services, { service_provider_id, card_id }: CardNow, wxCardId: string): Promise<void> {
  await withScope(services.pool, within, (tx) =>
    sql`update wx_cards set wx_card_id = ${wxCardId} where service_provider_id = ${service_provider_id} and card_id = ${card_id}
      and sync = 3 and wx_card_id is null`.execute(tx),
  );
}
async function changed(door: WxCards, wxCardId: string, face: WxCardFace): ReturnType<WxCards["create"]> {
  const answer = await door.update(wxCardId, face);
  return answer.state === "done" ? { ...answer, wxCardId } : answer;
}
/** Makes WeChat's card what ours is. Of one that may have been made already it asks first. */
export async function sendWxCard(services: Services, which: Card): Promise<void> {
  const card = await cardNow(services, which);
  if (!card || !(await begin(services, card))) return;
  const door = wxCardsOf(services, card.api);
  const known = card.wx_card_id ?? (card.sync === 3 ? await door.find(faceOf(services, card).mark) : undefined);
  if (card.state === 4) {
    const gone: WxAnswer = known === undefined ? { state: "done" } : await door.remove(known);
    return settle(services, card, gone.state === "done" ? { state: "done", wxCardId: known ?? null, review: 4 } : gone);
  }
  const face = faceOf(services, card);
  const sent = known === undefined ? await door.create(face) : await changed(door, known, face);
  if (sent.state === "refused") return settle(services, card, sent);
  if (card.wx_card_id === null) await made(services, card, sent.wxCardId);
  const asked = await door.ask(sent.wxCardId, face);
  return settle(services, card, asked.state === "done" ? sent : asked);
}
export const sendWxCards = lookAfter<Card>({
  name: "send-wx-cards",
  every: EVERY_S,
  due: async (tx, now) => {
    const { rows } = await sql<Card>`select w.service_provider_id, w.card_id, w.rev from wx_cards w
      where w.sync in (0, 3) and w.next_at <= ${now} order by w.next_at limit ${MOST}`.execute(tx);
    return rows;
  },
  one: sendWxCard,
});

interface InReview {
  readonly service_provider_id: string;
  readonly card_id: string;
  readonly wx_card_id: string;
  readonly api: WxApi;
}
/** Each minute: how the review of a card stands. */
export const askWxReviews = lookAfter<InReview>({
  name: "ask-wx-reviews",
  due: async (tx, now) => {
    const { rows } = await sql<InReview>`select w.service_provider_id, w.card_id, w.wx_card_id, w.api from wx_cards w
      where w.status = 1 and w.sync = 1 and w.wx_card_id is not null and w.asked_at < ${now}::timestamptz - interval '20 seconds'
      order by w.asked_at limit ${MOST}`.execute(tx);
    return rows;
  },
  async one(services, { service_provider_id, card_id, wx_card_id, api }) {
    const review = await wxCardsOf(services, api).review(wx_card_id);
    const why = review === 3 ? "微信审核未通过，请修改卡面后再提交" : null;
    await withScope(services.pool, within, (tx) =>
      sql`update wx_cards set status = ${review}, asked_at = ${isoAfter(services, 0)}, why = ${why}
        where service_provider_id = ${service_provider_id} and card_id = ${card_id} and status = 1 and sync = 1`.execute(tx),
    );
  },
});

interface Holder {
  readonly service_provider_id: string;
  readonly holder_id: string;
}
interface HolderNow extends Holder {
  readonly rev: number;
  readonly tries: number;
  readonly sync: number;
  readonly state: WxHolderState;
  readonly wanted: WxHolderState;
  readonly code: string;
  readonly api: WxApi;
  readonly wx_card_id: string;
  readonly points: number;
  readonly stored: number;
}
/** Makes WeChat's row of a holder what our book says at this moment; however often that was asked for, it is sent once. */
export async function sendWxHolder(services: Services, { service_provider_id, holder_id }: Holder): Promise<void> {
  const holder = await withScope(services.pool, within, async (tx) => {
    const { rows } =
      await sql<HolderNow>`select x.service_provider_id, x.holder_id, x.rev, x.tries, x.sync, x.status as state, ${WANTED} as wanted, h.code, w.api,
        w.wx_card_id, ${POINTS} as points, ${STORED} as stored
      from wx_holders x join wx_cards w on w.service_provider_id = x.service_provider_id and w.card_id = x.card_id and w.status = 2 and w.wx_card_id is not null
      join card_holders h on h.service_provider_id = x.service_provider_id and h.id = x.holder_id
      where x.service_provider_id = ${service_provider_id} and x.holder_id = ${holder_id} and x.sync in (0, 3)`.execute(tx);
    const [row] = rows;
    if (!row) return undefined;
    const { numAffectedRows } = await sql`update wx_holders set sync = 3, tries = tries + 1, next_at = ${again(services, row.tries)}
      where service_provider_id = ${service_provider_id} and holder_id = ${holder_id} and rev = ${row.rev} and tries = ${row.tries}
        and sync = ${row.sync}`.execute(tx);
    return numAffectedRows === 1n ? row : undefined;
  });
  if (!holder) return;
  const { rev, state, wanted, points, stored, wx_card_id: wxCardId, code } = holder;
  const answer = await wxCardsOf(services, holder.api).put({ wxCardId, code, from: state, to: wanted, points, storedCents: stored });
  const done = answer.state === "done";
  await withScope(services.pool, within, (tx) =>
    sql`update wx_holders set sync = case when rev > ${rev} then 0 when ${done} then 1 else 2 end, tries = 0, sent_rev = ${rev},
        next_at = ${isoAfter(services, 0)}, sent_at = ${isoAfter(services, 0)}, why = ${done ? null : answer.why},
        status = case when ${done} then ${wanted}::smallint else status end, points = case when ${done} then ${points}::bigint else points end,
        stored_cents = case when ${done} then ${stored}::bigint else stored_cents end
      where service_provider_id = ${service_provider_id} and holder_id = ${holder_id} and sync = 3 and sent_rev <= ${rev}`.execute(tx),
  );
}
export const sendWxHolders = lookAfter<Holder>({
  name: "send-wx-holders",
  every: EVERY_S,
  due: async (tx, now) => {
    const { rows } = await sql<Holder>`select x.service_provider_id, x.holder_id from wx_holders x
      join wx_cards w on w.service_provider_id = x.service_provider_id and w.card_id = x.card_id and w.status = 2 and w.wx_card_id is not null
      where x.sync in (0, 3) and x.next_at <= ${now} order by x.next_at limit ${MOST}`.execute(tx);
    return rows;
  },
  one: sendWxHolder,
});

const DIFFERS = sql`(x.points is distinct from ${POINTS} or x.stored_cents is distinct from ${STORED} or x.status <> ${WANTED})`;
/** Each minute: whose balance or standing moved in the last ones is told, where WeChat knows something else. */
export const tellWxHolders = lookAfter<Holder>({
  name: "tell-wx-holders",
  due: async (tx, now) => {
    const since = sql`${now}::timestamptz - interval '5 minutes'`;
    const { rows } = await sql<Holder>`select x.service_provider_id, x.holder_id from wx_holders x
      where x.sync = 1 and x.status < 5 and (x.service_provider_id, x.member_id) in (
          select e.service_provider_id, e.owner_id from value_entries e where e.occurred_at > ${since}
          union select v.service_provider_id, v.member_id from member_events v where v.at > ${since} and v.kind in ('frozen', 'unfrozen', 'closed', 'close-asked', 'close-withdrawn'))
        and ${DIFFERS} limit 500`.execute(tx);
    return rows;
  },
  one: (services, { service_provider_id, holder_id }) =>
    withScope(services.pool, within, async (tx) => {
      await sql`update wx_holders set rev = rev + 1, sync = 0, tries = 0, next_at = ${isoAfter(services, 0)}
        where service_provider_id = ${service_provider_id} and holder_id = ${holder_id} and sync = 1`.execute(tx);
    }),
});
