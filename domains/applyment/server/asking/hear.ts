import { sql } from "kysely";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { type ChannelAccount, type KnownApplyment, NOT_FOUND, type Outcome } from "../../../channels/server/index.ts";
import { holdMerchant, setChannelSettings } from "../../../organisation/server/index.ts";
import { type ApplymentState, applymentState, NO_REASON } from "../../contract/codes.ts";
import { type Dossier, pathsOf } from "../../contract/words.ts";
import { addEvent } from "../applyments/events.ts";
import { openDossier } from "../dossiers/seals.ts";
import { ALARM_S, askAfter, SETTLED_S, slower } from "../rules/ask-times.ts";
import { type Answer, type Begun, maskedIn, NOT_SENT, type Said } from "./steps.ts";
import { stateSaid, tellPeople } from "./tell-people.ts";

/** So many sendings that nobody has heard of are enough. */
const MOST_LOST = 3;
type Change = Record<string, unknown>;

/** Writes down what an answer means; one of a step that another has followed means nothing. */
export async function hear(tx: Transaction, services: Services, begun: Begun, outcome: Outcome<Answer>): Promise<void> {
  const { row, op } = begun;
  const held =
    await sql`select 1 from applyments a where a.service_provider_id = ${row.service_provider_id} and a.id = ${row.id} and a.turn = ${row.turn}
    for no key update of a`.execute(tx);
  if (held.rows.length === 0) return;
  if (op.name === "upload") return heardUpload(tx, services, begun, outcome);
  return op.name === "submit" ? heardSubmit(tx, services, begun, outcome) : heardQuery(tx, services, begun, outcome);
}

const inSeconds = (services: Services, seconds: number): string => new Date(services.clock.now_ms() + seconds * 1000).toISOString();
async function set(tx: Transaction, { row }: Begun, change: Change): Promise<void> {
  const moved = await tx
    .updateTable("applyments")
    .set(change)
    .where("service_provider_id", "=", row.service_provider_id)
    .where("id", "=", row.id)
    .where("turn", "=", row.turn)
    .executeTakeFirst();
  mustChange(moved, () => new Error("a held application moved"));
}
const wait = (tx: Transaction, services: Services, begun: Begun, why: string, more: Change = {}) =>
  set(tx, begun, {
    ...more,
    slow_s: slower(begun.row.slow_s),
    next_at: inSeconds(services, slower(begun.row.slow_s)),
    message: maskedIn(why, begun.dossier).slice(0, 500),
  });
const now = (services: Services): string => new Date(services.clock.now_ms()).toISOString();

async function heardUpload(tx: Transaction, services: Services, begun: Begun, outcome: Outcome<Answer>): Promise<void> {
  const { row, op } = begun;
  if (op.name !== "upload") return;
  if (outcome.kind === "ok" && "mediaId" in outcome.value) {
    await sql`update applyment_media x set media_id = ${outcome.value.mediaId} where x.service_provider_id = ${row.service_provider_id}
      and x.file_id = ${op.fileId} and x.mch_id = ${row.mch_id}`.execute(tx);
    return set(tx, begun, { next_at: now(services), slow_s: 0 });
  }
  // A picture twice does no harm: it is uploaded again.
  if (outcome.kind !== "refused") return wait(tx, services, begun, outcome.kind === "unknown" ? `图片没有传完：${outcome.reason}` : "");
  return notTaken(tx, services, begun, `图片没有收下：${outcome.message}`);
}

/** The channel did not take what was handed in: it is the people's again. */
async function notTaken(tx: Transaction, services: Services, begun: Begun, why: string): Promise<void> {
  const { row, dossier } = begun;
  const text = maskedIn(why, dossier).slice(0, 500);
  const state = row.state === "REJECTED" ? "REJECTED" : "EDITTING";
  const over = { unsent: false, unheard: false, refusal: null, lost: 0, lost_why: null, next_at: null };
  await set(tx, begun, { ...over, state_at: now(services), message: text });
  await addEvent(tx, services, row, { kind: "refused", state, round: row.rounds, said: text });
  await tellPeople(tx, services, row, `refused:${row.rounds}`, (merchant) => ({
    title: `「${merchant}」的进件微信支付没有收下`,
    body: "改好资料后再提交，原因在进件详情里",
  }));
}

async function heardSubmit(tx: Transaction, services: Services, begun: Begun, outcome: Outcome<Answer>): Promise<void> {
  const { row } = begun;
  if (outcome.kind === "ok" && "applymentId" in outcome.value) {
    await set(tx, begun, {
      unheard: false,
      applyment_id: outcome.value.applymentId,
      state: "AUDITING",
      state_at: now(services),
      heard_at: now(services),
      silent_at: null,
      message: "",
      rejected: "[]",
      asked: 0,
      slow_s: 0,
      lost: 0,
      lost_why: null,
      next_at: inSeconds(services, askAfter("AUDITING", 0, 0)!),
    });
    return addEvent(tx, services, row, { kind: "state", state: "AUDITING", round: row.rounds });
  }
  if (outcome.kind !== "refused") {
    const lost_why = outcome.kind === "unknown" ? maskedIn(outcome.reason, begun.dossier).slice(0, 200) : "应答读不懂";
    return set(tx, begun, { lost_why, next_at: inSeconds(services, 3), message: "还不知道微信支付有没有收到，正在查" });
  }
  if (outcome.code === NOT_SENT) return notTaken(tx, services, begun, `没有发给微信支付：${outcome.message}`);
  if (/media|图片/i.test(outcome.message) && !row.media_again) {
    // What it holds of pictures is over there: once more from the beginning.
    await sql`delete from applyment_media x where x.service_provider_id = ${row.service_provider_id} and x.merchant_id = ${row.merchant_id} and x.mch_id = ${row.mch_id}`.execute(
      tx,
    );
    return set(tx, begun, { unsent: true, unheard: false, media_again: true, next_at: now(services) });
  }
  // A no is believed where the question after it finds nothing of this sending.
  return set(tx, begun, { refusal: maskedIn(outcome.message, begun.dossier).slice(0, 500), next_at: now(services) });
}

async function heardQuery(tx: Transaction, services: Services, begun: Begun, outcome: Outcome<Answer>): Promise<void> {
  const { row } = begun;
  const asked = { asked: row.asked + 1, asked_at: now(services) };
  const silent = { silent_at: row.silent_at ?? now(services) };
  if (outcome.kind === "unknown") {
    const slow_s = slower(row.slow_s);
    const patient = /429/.test(outcome.reason) || !row.unheard;
    await alarmAtSilence(tx, services, begun);
    return set(tx, begun, { ...asked, ...silent, slow_s, next_at: inSeconds(services, patient ? slow_s : Math.min(slow_s, 300)) });
  }
  const known = outcome.kind === "ok" && "rejected" in outcome.value ? outcome.value : undefined;
  const there = known?.state.replace("APPLYMENT_STATE_", "");
  if (row.voided_at !== null) return heardAfterVoid(tx, services, begun, asked, there);
  if (row.unheard) {
    // Nothing of this sending is there: never heard of it, or still what was rejected before, word for word.
    const nothing = known
      ? there === "EDITTING" || (there === "REJECTED" && row.state === "REJECTED" && (await saysTheSame(tx, services, row, known)))
      : outcome.kind === "refused" && outcome.code === NOT_FOUND;
    if (nothing && row.refusal !== null) return notTaken(tx, services, begun, `微信支付没有收下：${row.refusal}`);
    if (nothing) {
      if (services.clock.now_ms() - Date.parse(row.sent_at!) < SETTLED_S * 1000)
        return set(tx, begun, { ...asked, next_at: inSeconds(services, 60) });
      const lost = row.lost + 1;
      // Nothing more comes of it by itself: people look at what was answered, and may change the papers.
      if (lost >= MOST_LOST) return notTaken(tx, services, begun, `发了 ${lost} 次，微信支付那边都没有：${row.lost_why ?? "没有应答"}`);
      return set(tx, begun, { ...asked, lost, unsent: true, unheard: false, next_at: now(services) });
    }
  }
  if (!known || !applymentState.values.includes(there as ApplymentState)) await alarmAtSilence(tx, services, begun);
  if (!known) return wait(tx, services, begun, outcome.kind === "refused" ? `查不到：${outcome.message}` : "", { ...asked, ...silent });
  if (!applymentState.values.includes(there as ApplymentState))
    return wait(tx, services, begun, `微信支付的状态 ${there} 不认识`, { ...asked, ...silent });
  return moved(tx, services, begun, known, there as ApplymentState, asked);
}

const reasonsOf = (rejected: readonly Said[]): string =>
  JSON.stringify(rejected.map(({ name, reason }) => `${name}：${reason}`).toSorted());
/** Whether a rejection is the one that stood before this round, without the secrets of the papers that it was about. */
async function saysTheSame(
  tx: Transaction,
  services: Services,
  { service_provider_id, id, rejected }: Begun["row"],
  known: KnownApplyment,
) {
  const { rows } = await sql<{ said: string; rejected: Said[]; event: string; content_sealed: string }>`
    select e.said, e.rejected, s.id as event, s.content_sealed from applyment_events e join applyment_events s
      on s.service_provider_id = e.service_provider_id and s.applyment_id = e.applyment_id and s.round = e.round and s.kind = 'submitted'
    where e.service_provider_id = ${service_provider_id} and e.applyment_id = ${id} and e.kind = 'state' and e.state = 'REJECTED'
    order by e.at desc, e.id desc limit 1`.execute(tx);
  const [last] = rows;
  if (!last) return true;
  const papers = openDossier(services, service_provider_id, `applyment_events:${last.event}`, last.content_sealed);
  if (reasonsOf(known.rejected.map((one) => keptReason(one, papers))) !== reasonsOf(rejected)) return false;
  // One without reasons may have been asked about again, and told in other words since.
  return (
    (last.rejected.length > 0 && last.rejected.every(({ reason }) => reason === NO_REASON)) ||
    maskedIn(known.message, papers).slice(0, 500) === last.said
  );
}
const keptReason = ({ field, name, reason }: KnownApplyment["rejected"][number], dossier: Dossier): Said => ({
  name: name || field,
  reason: maskedIn(reason, dossier) || NO_REASON,
});
/** Sixty days without an answer that says anything: somebody looks at it, while it is asked on. */
async function alarmAtSilence(tx: Transaction, services: Services, begun: Begun): Promise<void> {
  const { row } = begun;
  const from = row.silent_at ?? row.submitted_at;
  if (row.alarm || row.voided_at !== null || services.clock.now_ms() - Date.parse(from) <= ALARM_S * 1000) return;
  await set(tx, begun, { alarm: true });
  await tellPeople(tx, services, row, `silent:${row.rounds}`, (merchant) => ({
    title: `「${merchant}」的进件 60 天查不到结果`,
    body: "请联系微信支付",
  }));
  await addEvent(tx, services, row, { kind: "alarm", state: row.state, round: row.rounds, said: "60 天查不到结果，请联系微信支付" });
}

/** What was voided here and moves there all the same is for a person to look at. */
async function heardAfterVoid(tx: Transaction, services: Services, begun: Begun, asked: Change, there: string | undefined): Promise<void> {
  const { row } = begun;
  const moves = there !== undefined && !["EDITTING", "REJECTED", "CANCELED"].includes(there);
  const over = moves || there === "CANCELED" || services.clock.now_ms() - Date.parse(row.voided_at!) > ALARM_S * 1000;
  await set(tx, begun, { ...asked, ...(moves && { alarm: true }), next_at: over ? null : inSeconds(services, 6 * 3_600) });
  if (moves && !row.alarm) {
    await tellPeople(tx, services, row, "after-void", (merchant) => ({
      title: `「${merchant}」已作废的进件在微信支付那边还在往前走`,
      body: "请联系超级管理员不要签约",
    }));
    await addEvent(tx, services, row, {
      kind: "alarm",
      state: "CANCELED",
      round: row.rounds,
      said: `已在这里作废，微信支付那边却到了「${applymentState.label(there as ApplymentState)}」，请联系超级管理员不要签约`,
    });
  }
}

/** Of the same rejection: what a link wrote since stays noted. */
const stillRewritten = (rejected: readonly object[]) =>
  sql`(select coalesce(jsonb_agg(r.one || jsonb_build_object('rewritten', coalesce(rejected->0->'rewritten', '{}')) order by r.n), '[]')
    from jsonb_array_elements(${JSON.stringify(rejected)}::jsonb) with ordinality as r (one, n))`;
async function moved(
  tx: Transaction,
  services: Services,
  begun: Begun,
  known: KnownApplyment,
  state: ApplymentState,
  asked: Change,
): Promise<void> {
  const { row, dossier } = begun;
  const isNew = state !== row.state || row.unheard;
  const rejected = known.rejected.map((one) => ({ paths: pathsOf(one.field, dossier), ...keptReason(one, dossier) }));
  const message = maskedIn(known.message, dossier).slice(0, 500);
  const since_s = (services.clock.now_ms() - Date.parse(isNew ? now(services) : row.state_at)) / 1000;
  const after_s = askAfter(state, isNew ? 0 : row.asked + 1, since_s);
  const stuck = after_s !== null && !isNew && since_s > ALARM_S;
  await set(tx, begun, {
    ...asked,
    ...(isNew && { state, state_at: now(services), asked: 0 }),
    applyment_id: known.applymentId,
    heard_at: now(services),
    silent_at: null,
    unsent: false,
    unheard: false,
    refusal: null,
    lost: 0,
    lost_why: null,
    slow_s: 0,
    sign_url: known.signUrl,
    message,
    rejected: isNew ? JSON.stringify(rejected) : stillRewritten(rejected),
    ...(state === "FINISHED" && { sub_mch_id: known.subMchId }),
    alarm: stuck,
    next_at: after_s === null || stuck ? null : inSeconds(services, after_s),
  });
  if (isNew) {
    await addEvent(tx, services, row, { kind: "state", state, round: row.rounds, said: message, rejected });
    const say = stateSaid(state, rejected.length);
    // A state may come twice within a round.
    if (say) await tellPeople(tx, services, row, `${state}:${row.rounds}:${shanghaiDay(services.clock.now_ms())}`, say);
  }
  if (stuck && !row.alarm) {
    await tellPeople(tx, services, row, `stuck:${row.rounds}`, (merchant) => ({
      title: `「${merchant}」的进件 60 天没有变化`,
      body: "不再自动查询，请联系微信支付",
    }));
    await addEvent(tx, services, row, { kind: "alarm", state, round: row.rounds, said: "60 天没有变化，不再自动查询，请联系微信支付" });
  }
  if (isNew && state === "FINISHED") await openMerchant(tx, services, begun, known.subMchId!);
}

/** The merchant takes money under its new number from now on, once somebody has verified it; a number that stands there already stays. */
async function openMerchant(tx: Transaction, services: Services, begun: Begun, subMchId: string): Promise<void> {
  const { row, account } = begun;
  // Whoever sets a number by hand at this moment comes before or after, and neither writes over the other.
  await holdMerchant(tx, { service_provider_id: row.service_provider_id, id: row.merchant_id });
  const there = await tx
    .selectFrom("channel_settings")
    .select(["mode", "mch_id", "sub_mch_id"])
    .where("service_provider_id", "=", row.service_provider_id)
    .where("merchant_id", "=", row.merchant_id)
    .where("channel", "=", 0)
    .executeTakeFirst();
  if (there && there.mch_id === account.mchId && there.sub_mch_id === subMchId) return;
  if (there) {
    await set(tx, begun, { other_number: true });
    await tellPeople(tx, services, row, "other-number", (merchant) => ({
      title: `「${merchant}」的商户号待选定`,
      body: `微信支付开好了 ${subMchId}，通道设置里已有别的号，没有改动`,
    }));
    return addEvent(tx, services, row, {
      kind: "other-number",
      state: "FINISHED",
      round: row.rounds,
      said: `商户的通道设置里已有${there.sub_mch_id ? `子商户号 ${there.sub_mch_id}` : `商户号 ${there.mch_id}`}，没有改动；要用 ${subMchId}，请在进件详情里选定`,
    });
  }
  await takeNumber(tx, services, { ...row, account, subMchId });
}
/** Writes a number into the merchant's channel settings, with the provider's keys; nobody has verified it yet. */
export async function takeNumber(
  tx: Transaction,
  services: Services,
  {
    service_provider_id,
    merchant_id,
    account,
    subMchId,
  }: {
    readonly service_provider_id: string;
    readonly merchant_id: string;
    readonly account: ChannelAccount;
    readonly subMchId: string;
  },
): Promise<void> {
  const { appId, mchId, certSerial, privateKeyPem, apiV3Key, platformKeys, baseUrl } = account;
  const keys = { certSerial, privateKeyPem, apiV3Key, platformKeys, baseUrl };
  await setChannelSettings(tx, services, {
    serviceProviderId: service_provider_id,
    merchantId: merchant_id,
    mode: "partner",
    appId,
    mchId,
    subMchId,
    ...keys,
  });
}
