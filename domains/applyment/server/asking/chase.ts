import { sql } from "kysely";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { openFiles } from "@zhangfang/server/files/files.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { applymentChannelOf, type Outcome } from "../../../channels/server/index.ts";
import { type Dossier, FIELDS, filesOf, listOf, requestOf } from "../../contract/words.ts";
import { accountOf } from "../account/account-of.ts";
import type { ApplymentRef } from "../applyments/events.ts";
import { openDossier } from "../dossiers/seals.ts";
import { ALARM_S } from "../rules/ask-times.ts";
import { hear } from "./hear.ts";
import { type Answer, type Begun, NOT_SENT, type Op, type Row, shown } from "./steps.ts";

const ASKING = platformScope("speak with WeChat Pay about onboarding");
/** Longer than a call lasts: whoever ends inside one is followed by a question. */
const LEASE_S = 60;
/** Every picture once, the submission, and the question after it. */
const ROUNDS = 120;

/**
 * Takes an application on, step by step: each picture that WeChat Pay lacks, then the submission, then the question. Of each step it is
 * written down that it is made before it is made; an answer that comes when another step has begun changes nothing.
 */
export async function chaseApplyment(services: Services, ref: ApplymentRef): Promise<void> {
  try {
    await takeOn(services, ref);
  } catch (error) {
    await putOff(services, ref);
    throw error;
  }
}
/** What can't be opened or written comes round in ten minutes, and others before it. */
const putOff = ({ pool, clock }: Services, { service_provider_id, id }: ApplymentRef): Promise<unknown> =>
  withScope(pool, ASKING, (tx) =>
    sql`update applyments a set next_at = ${new Date(clock.now_ms() + 600_000).toISOString()}
      where a.service_provider_id = ${service_provider_id} and a.id = ${id} and a.next_at is not null`.execute(tx),
  ).catch(() => undefined);
async function takeOn(services: Services, ref: ApplymentRef): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const begun = await withScope(services.pool, ASKING, (tx) => begin(tx, services, ref));
    if (!begun) return;
    const outcome = await carry(services, begun);
    services.metrics.channelCalls.inc({ operation: `applyment-${begun.op.name}`, outcome: outcome.kind });
    await withScope(services.pool, ASKING, async (tx) => {
      await tx
        .updateTable("applyment_calls")
        .set({ ended_at: new Date(services.clock.now_ms()).toISOString(), ...shown(outcome, begun.dossier) })
        .where("service_provider_id", "=", ref.service_provider_id)
        .where("id", "=", begun.callId)
        .execute();
      await hear(tx, services, begun, outcome);
    });
  }
}

async function begin(tx: Transaction, services: Services, { service_provider_id, id }: ApplymentRef): Promise<Begun | undefined> {
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  const { rows } =
    await sql<Row>`select a.service_provider_id, a.id, a.merchant_id, a.mch_id, a.code, a.applyment_id, a.state, a.state_at, a.content_sealed, a.rounds,
      a.submitted_at, a.unsent, a.unheard, a.sent_at, a.refusal, a.media_again, a.sub_mch_id, a.turn, a.asked, a.slow_s, a.voided_at, a.silent_at,
      a.lost, a.lost_why, a.alarm, a.rejected
    from applyments a where a.service_provider_id = ${service_provider_id} and a.id = ${id} and a.next_at <= ${now} for no key update of a skip locked`.execute(
      tx,
    );
  const [row] = rows;
  if (!row) return undefined;
  const account = await accountOf(tx, services, service_provider_id);
  if (!account || (row.mch_id !== null && row.mch_id !== account.mchId)) {
    // What was voided here is not waited for longer than it would be asked about.
    const given_up = new Date(now_ms - ALARM_S * 1000).toISOString();
    await sql`update applyments a set message = case when a.voided_at is not null then a.message else ${account ? "进件账户换了商户号，换回后接着办" : "服务商还没有设置进件账户，设置后自动提交"} end,
      next_at = case when a.voided_at < ${given_up} then null else ${new Date(now_ms + 600_000).toISOString()}::timestamptz end where a.service_provider_id = ${service_provider_id} and a.id = ${id}`.execute(
      tx,
    );
    return undefined;
  }
  const dossier = openDossier(services, service_provider_id, `applyments:${id}`, row.content_sealed);
  const code = row.code ?? `${account.mchId}_${base32Of(id)}`;
  const op: Op = row.unsent && !row.unheard ? await nextStep(tx, row, account.mchId, dossier) : { name: "query" };
  const sends = op.name === "submit";
  const moved =
    await sql`update applyments a set mch_id = ${account.mchId}, code = ${code}, turn = a.turn + 1, next_at = ${new Date(now_ms + LEASE_S * 1000).toISOString()},
      unsent = a.unsent and ${!sends}, unheard = a.unheard or ${sends}, sent_at = case when ${sends} then ${now}::timestamptz else a.sent_at end,
      refusal = case when ${sends} then null else a.refusal end
    where a.service_provider_id = ${service_provider_id} and a.id = ${id} and a.turn = ${row.turn}`.execute(tx);
  if (moved.numAffectedRows !== 1n) throw new Error("a locked application moved");
  if (op.name === "upload")
    await sql`insert into applyment_media (service_provider_id, file_id, mch_id, merchant_id, begun_at)
      values (${service_provider_id}, ${op.fileId}, ${account.mchId}, ${row.merchant_id}, ${now})
      on conflict (service_provider_id, file_id, mch_id) do update set begun_at = excluded.begun_at, media_id = null`.execute(tx);
  const callId = services.ids.uuid(now_ms);
  await tx
    .insertInto("applyment_calls")
    .values({ service_provider_id, id: callId, merchant_id: row.merchant_id, applyment_id: id, operation: op.name, started_at: now })
    .execute();
  const sent = sends ? { unsent: false, unheard: true, sent_at: now, refusal: null } : {};
  return { row: { ...row, ...sent, mch_id: account.mchId, code, turn: row.turn + 1 }, dossier, account, op, callId };
}

/** A picture that is not there yet, else the submission. What WeChat Pay has of a picture that is gone here counts for nothing. */
async function nextStep(tx: Transaction, { service_provider_id }: ApplymentRef, mchId: string, dossier: Dossier): Promise<Op> {
  const ids = filesOf(dossier);
  const { rows } = await sql<{
    id: string;
    sha: string;
    media_id: string | null;
  }>`select f.id, encode(f.sha256, 'hex') as sha, case when f.gone_at is null then x.media_id end as media_id from applyment_files f
    left join applyment_media x on x.service_provider_id = f.service_provider_id and x.file_id = f.id and x.mch_id = ${mchId}
    where f.service_provider_id = ${service_provider_id} and f.id = any(${`{${ids.join(",")}}`}::uuid[])`.execute(tx);
  const lacking = rows.find(({ media_id }) => media_id === null);
  if (lacking) return { name: "upload", fileId: lacking.id, sha256: lacking.sha };
  return { name: "submit", media: new Map(rows.map(({ id, media_id }) => [id, media_id!])) };
}
const SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
/** A UUID in 26 signs that any code may hold. */
function base32Of(id: string): string {
  const bits = BigInt(`0x${id.replaceAll("-", "")}`);
  return Array.from({ length: 26 }, (_none, at) => SIGNS[Number((bits >> BigInt(5 * (25 - at))) & 31n)]).join("");
}

async function carry(services: Services, { row, dossier, account, op }: Begun): Promise<Outcome<Answer>> {
  const channel = applymentChannelOf(services);
  if (op.name === "query") return channel.find(account, row.code);
  if (op.name === "submit") {
    let unmade: unknown;
    const build = (seal: (text: string) => string): object => {
      try {
        return requestOf(dossier, { seal, media: (fileId) => op.media.get(fileId) ?? "" });
      } catch (error) {
        unmade = error;
        throw error;
      }
    };
    try {
      return await channel.submit(account, row.code, build);
    } catch (error) {
      if (unmade === undefined) throw error;
      const message = unmade instanceof RangeError ? "有一栏太长，加密不了，请缩短姓名或地址" : "加密不了，请检查进件账户的微信支付公钥";
      return { kind: "refused", code: NOT_SENT, message };
    }
  }
  const bytes = await readFile(services, op.fileId);
  if (!bytes) return { kind: "refused", code: "NO_FILE", message: `${labelOf(dossier, op.fileId)}已不在，请重新上传` };
  return channel.upload(account, { fileName: `${op.fileId}.jpg`, contentType: "image/jpeg", sha256: op.sha256, bytes });
}
const labelOf = (dossier: Dossier, fileId: string): string =>
  FIELDS.find(({ path }) => listOf(dossier, path).includes(fileId))?.label ?? "图片";
async function readFile(services: Services, id: string): Promise<Buffer | undefined> {
  try {
    const { stream } = await openFiles(services.config).read(id);
    const pieces: Buffer[] = [];
    for await (const piece of stream) pieces.push(piece as Buffer);
    return Buffer.concat(pieces);
  } catch {
    return undefined;
  }
}

/** Every three seconds: what is to be sent or asked about. Each row is taken by one process. */
export const chaseApplyments = lookAfter<ApplymentRef>({
  name: "chase-applyments",
  every: 3,
  due: async (tx, now) =>
    (
      await sql<ApplymentRef>`select a.service_provider_id, a.id from applyments a where a.next_at <= ${now} order by a.next_at limit 100`.execute(
        tx,
      )
    ).rows,
  one: chaseApplyment,
});
