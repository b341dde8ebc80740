import { sql } from "kysely";
import { yuan } from "@zhangfang/contract/money.ts";
import { conflict, forbidden } from "@zhangfang/server/calls/errors.ts";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { platform as platforms } from "../../contract/index.ts";
import { type PlatformAccount, platformAccountOf } from "../accounts/account-of.ts";
import { type Answer, NO_RIGHT, NO_TOKEN, type Prepared } from "../platform/answers.ts";
import { type Adapted, noCancel, platformApi } from "../platform/open-platform.ts";
import { expectedFee } from "./settle.ts";
import { readScan, type Scanned } from "./read-scan.ts";
import { type Place, sealTicket } from "./tickets.ts";

const LOOK = platformScope("look at a voucher");
interface Ready {
  readonly account: PlatformAccount;
  readonly poi_id: string;
}
/** What a place needs to use vouchers of a platform. @returns words where something is missing */
async function readyAt(tx: Transaction, services: Services, place: Place, name: Adapted): Promise<Ready | string> {
  const label = platforms.label(name);
  const account = await platformAccountOf(tx, services, { ...place, platform: name });
  if (!account) return `还没连${label}，请先填${label}账户`;
  if (!account.active) return `${label}账户已停用`;
  const { rows } = await sql<{ poi_id: string; is_primary: boolean }>`select o.platform_store_id as poi_id, o.is_primary from other_stores o
    where o.service_provider_id = ${place.service_provider_id} and o.merchant_id = ${place.merchant_id} and o.platform = ${name}
      and o.mapped_store_id = ${place.store_id} order by o.is_primary desc, o.updated_at desc limit 2`.execute(tx);
  const [first, second] = rows;
  if (!first) return `这家店还没连${label}门店，请先映射门店`;
  if (second && !first.is_primary) return `有几个${label}门店映射到这家店，请先指定主门店`;
  return { account, poi_id: first.poi_id };
}
/** The most that one call uses. */
const AT_ONCE = 20;
/** The platform knows no such code. */
const NOT_FOUND = "1212";
/** The platform does not let us ask: no word about the code. */
const KEYS: readonly string[] = [NO_TOKEN, NO_RIGHT];
/** How much an answer says about a code: nothing of it there, the keys' fault, perhaps there, there. Of several the one that says most is told. */
function weightOf(answer: Answer<Prepared>): 0 | 1 | 2 | 3 {
  if (answer.kind === "unknown") return 2;
  if (answer.kind !== "refused") return 3;
  return answer.code === NOT_FOUND ? 0 : KEYS.includes(answer.code) ? 1 : 3;
}

/** 查券: what was scanned is looked up at its platform, or at each that the store is connected to. Nothing is used by it. @throws 400, 409 */
export async function prepareVoucher(services: Services, place: Place, given: string, may: (platform: Adapted) => boolean = () => true) {
  const scanned = await readScan(services, given);
  const names: readonly Adapted[] = (scanned.platform === undefined ? (["dy", "ks"] as const) : [scanned.platform]).filter(may);
  if (names.length === 0) throw forbidden();
  const ready = await withScope(services.pool, LOOK, async (tx) => {
    const all: (Ready | string)[] = [];
    for (const name of names) all.push(await readyAt(tx, services, place, name));
    return all;
  });
  const able = ready.filter((one): one is Ready => typeof one !== "string");
  if (able.length === 0)
    throw conflict(ready.find((one): one is string => typeof one === "string") ?? "还没连团购平台", "voucher.unmapped");
  let last: { readonly answer: Answer<Prepared>; readonly one: Ready } | undefined;
  for (const one of able) {
    const answer = await ask(services, one, scanned);
    if (answer.kind === "ok" && answer.value.vouchers.length > 0) return shown(services, place, one, scanned, answer.value);
    if (last === undefined || weightOf(answer) >= weightOf(last.answer)) last = { answer, one };
    // Whoever knows the code has the last word.
    if (weightOf(answer) === 3) break;
  }
  throw noVoucher(last!.answer, platforms.label(last!.one.account.platform));
}
/** Why there is none, in words. */
function noVoucher(answer: Answer<Prepared>, label: string) {
  if (answer.kind === "refused")
    return conflict(
      weightOf(answer) === 1 ? `${label}现在查不了券，请核对${label}账户：${answer.message}` : answer.message,
      "voucher.refused",
    );
  if (answer.kind === "ok") return conflict("这张券没有可用的次数，可能已经核过了", "voucher.used");
  return conflict(answer.kind === "held" ? "平台正在核实这张券，请勿交付" : "平台没有应答，还没有核销，请再查一次", "voucher.unknown");
}
const ask = (services: Services, { account, poi_id }: Ready, { code, encryptedData }: Scanned): Promise<Answer<Prepared>> =>
  platformApi(services, account).prepare({
    poiId: poi_id,
    ...(code !== undefined && { code }),
    ...(encryptedData !== undefined && { encryptedData }),
  });

async function shown(services: Services, place: Place, { account, poi_id }: Ready, { tail }: Scanned, prepared: Prepared) {
  const now_ms = services.clock.now_ms();
  const vouchers = prepared.vouchers.slice(0, AT_ONCE);
  const ticket = sealTicket(services, place, {
    id: services.ids.uuid(now_ms),
    platform: account.platform as Adapted,
    account_id: account.id,
    poi_id,
    tail,
    at_ms: now_ms,
    ...prepared,
    vouchers,
  });
  const [first] = vouchers as [Prepared["vouchers"][number]];
  const serve = await withScope(services.pool, LOOK, (tx) =>
    tx
      .selectFrom("platform_goods")
      .select("serve")
      .where("service_provider_id", "=", place.service_provider_id)
      .where("account_id", "=", account.id)
      .where("goods_id", "=", first.goodsId)
      .executeTakeFirst(),
  );
  const { use } = first;
  const fee = expectedFee(use.pay_cents, account.takeRate);
  return {
    ticket,
    platform: account.platform as Adapted,
    title: first.title,
    kind: first.goods_kind,
    /** A 次卡 is used once at a time. */
    most: first.times > 1 ? 1 : vouchers.length,
    times: first.times,
    left: first.times - first.used,
    faceCents: use.face_cents,
    payCents: use.pay_cents,
    incomeCents: use.pay_cents + use.platform_ticket_cents - fee,
    incomeSaid: `${yuan(use.pay_cents + use.platform_ticket_cents - fee)}，由${platforms.label(account.platform)}结算，不进今天收款`,
    undoSaid: `核错了，${noCancel(services, account.platform) ?? "1 小时内可撤销"}`,
    endsAt: first.ends_at,
    serve: serve?.serve ?? "",
    poiId: poi_id,
  };
}
