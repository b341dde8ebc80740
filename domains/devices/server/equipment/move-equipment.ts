import { sql } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { addEquipment, type DeviceModel, moveEquipment, moveKind, type MoveKind } from "../../contract/index.ts";
import { backTo, type Piece, type Place, STEPS, whyNot } from "./equipment-rules.ts";
import { equipmentInScope } from "./read-equipment.ts";

export interface Held extends Piece {
  readonly id: string;
  readonly model: string;
}

/** Who moves things, in whose transaction: a call, or an import at work for somebody. */
export type Moving = Pick<Ctx, "services" | "principal" | "scope" | "now" | "now_ms" | "tx">;

/** 设备入库: new things come into the stock of the platform or of the provider that bought them; a number stands there once. */
export const addEquipmentRoute = implement(addEquipment, async (ctx, { model, sns, batch, note }) => {
  const wanted = [...new Set(sns)];
  if (wanted.length < sns.length) throw invalid("sns", `设备编号重复：${sns.find((sn, at) => sns.indexOf(sn) !== at)}`);
  const first = await takeIn(ctx, wanted, { model, batch, note });
  ctx.note({ targetKind: "equipment", targetId: first, after: { 型号: model, 数量: wanted.length, 批次: batch ?? null } });
  return { ok: true as const, added: wanted.length };
});

interface Coming {
  readonly model: DeviceModel;
  readonly batch?: string | undefined;
  readonly note?: string | undefined;
}
/** Takes new things in, all or none. @returns the first one's id @throws 409 where a number is there already */
export async function takeIn(ctx: Moving, sns: readonly string[], { model, batch, note }: Coming): Promise<string> {
  const to: Place = { service_provider_id: ctx.scope.level === "SP" ? (ctx.scope.provider ?? null) : null, merchant_id: null };
  const pieces = sns.map((sn) => ({ id: ctx.services.ids.uuid(ctx.now_ms), sn }));
  const added = await ctx.tx
    .insertInto("equipment")
    .values(pieces.map(({ id, sn }) => ({ id, sn, model, batch: batch ?? null, ...to, created_at: ctx.now, moved_at: ctx.now })))
    .onConflict((twice) => twice.column("sn").doNothing())
    .returning("sn")
    .execute();
  if (added.length < sns.length) {
    const there = sns.filter((sn) => !added.some((one) => one.sn === sn));
    throw conflict((await knownNumbers(ctx.tx, ctx.scope, there)).why(there));
  }
  await writeMoves(
    ctx,
    "intake",
    pieces.map(({ id }) => ({ id, from: { service_provider_id: null, merchant_id: null }, to })),
    { note },
  );
  return pieces[0]?.id ?? "";
}

/** Which numbers stand in the book already: in one's own sight, and at others, of whom nothing is said. */
export async function knownNumbers(tx: Transaction, scope: Scope, sns: readonly string[]) {
  const { rows } = await sql<{ sn: string; own: boolean }>`select k.sn, e.id is not null as own from app.known_numbers(${sns}::text[]) k(sn)
    left join equipment e on e.sn = k.sn and ${equipmentInScope(scope)}`.execute(tx);
  const own = new Set(rows.flatMap((row) => (row.own ? [row.sn] : [])));
  const elsewhere = new Set(rows.flatMap((row) => (row.own ? [] : [row.sn])));
  const list = (some: readonly string[]): string => `${some.slice(0, 5).join("、")}${some.length > 5 ? ` 等 ${some.length} 台` : ""}`;
  return {
    own,
    elsewhere,
    /** Why these can't be taken in. */
    why: (wanted: readonly string[]): string => {
      const foreign = wanted.filter((sn) => elsewhere.has(sn));
      if (foreign.length > 0) return `${list(foreign)} 已由平台登记在别处，不能自行入库；设备确在你处的，请联系平台划拨`;
      return `已登记过的设备编号：${list(wanted)}`;
    },
  };
}

/** 设备流转: all that are named, or none where one of them may not. */
export const moveEquipmentRoute = implement(moveEquipment, async (ctx, { kind, ids, serviceProviderId, merchantId, note }) => {
  const pieces = await holdPieces(ctx, [...new Set(ids)]);
  const wrong = pieces.map((piece) => whyNot(kind, piece, ctx.scope)).find((why) => why !== undefined);
  if (wrong !== undefined) throw conflict(wrong);
  const to = kind === "issue" ? await receiver(ctx, serviceProviderId, merchantId) : undefined;
  const moves = pieces.map((piece) => ({ piece, to: to ?? (kind === "return" ? backTo(piece) : piece) }));
  await move(ctx, STEPS[kind][1], moves, null);
  // What leaves a merchant leaves its past there: under another one it is another device.
  const gone = moves
    .filter(({ piece, to: place }) => piece.merchant_id !== place.merchant_id || piece.service_provider_id !== place.service_provider_id)
    .flatMap(({ piece: { service_provider_id: provider, sn } }) => (provider === null ? [] : [{ provider, sn }]));
  if (gone.length > 0)
    await ctx.tx
      .updateTable("devices")
      .set({ state: "retired" })
      .where((of) =>
        of(
          of.refTuple("service_provider_id", "sn"),
          "in",
          gone.map(({ provider, sn }) => of.tuple(provider, sn)),
        ),
      )
      .where("state", "=", "unbound")
      .execute();
  await writeMoves(
    ctx,
    kind,
    moves.map(({ piece, to: place }) => ({ id: piece.id, from: piece, to: place })),
    { note },
  );
  ctx.note({
    targetKind: "equipment",
    targetId: pieces[0]?.id ?? "",
    after: { 动作: moveKind.label(kind), 设备: pieces.slice(0, 20).map(({ sn }) => sn), 数量: pieces.length },
  });
  return { ok: true as const, moved: pieces.length };
});

/** What is named, as the caller sees it, held until the transaction ends. @throws 404 where one is not in sight */
export async function holdPieces(ctx: Moving, ids: readonly string[]): Promise<Held[]> {
  const { rows } = await sql<Held>`select e.id, e.sn, e.model, e.state, e.service_provider_id, e.merchant_id from equipment e
    where ${equipmentInScope(ctx.scope)} and e.id = any(${`{${ids.join(",")}}`}::uuid[]) order by e.id for no key update`.execute(ctx.tx);
  if (rows.length < ids.length) throw notFound("设备");
  return rows;
}
/** Moves things from where they were seen, all or none. @throws 409 where one is elsewhere by now */
export async function move(
  ctx: Moving,
  state: number,
  moves: readonly { readonly piece: Held; readonly to: Place }[],
  device: string | null,
): Promise<void> {
  const rows = JSON.stringify(
    moves.map(({ piece: { id, sn, state: was, service_provider_id, merchant_id }, to }) => ({
      id,
      sn,
      was,
      service_provider_id,
      merchant_id,
      to_provider: to.service_provider_id,
      to_merchant: to.merchant_id,
    })),
  );
  const { rows: missed } = await sql<{ sn: string }>`
    select g.sn from jsonb_to_recordset(${rows}::jsonb)
      as g(id uuid, sn text, was int, service_provider_id uuid, merchant_id uuid, to_provider uuid, to_merchant uuid)
    where not app.move_equipment(g.id, g.was, g.service_provider_id, g.merchant_id, ${state}, g.to_provider, g.to_merchant, ${device}::uuid,
      ${ctx.now}::timestamptz)`.execute(ctx.tx);
  if (missed[0]) throw conflict(`${missed[0].sn} 刚被别人移动，请刷新后再试`);
}
/** Writes down who moved what from where to where. */
export async function writeMoves(
  ctx: Moving,
  kind: MoveKind,
  moves: readonly { readonly id: string; readonly from: Place; readonly to: Place }[],
  { note, storeId }: { readonly note?: string | undefined; readonly storeId?: string },
): Promise<void> {
  await ctx.tx
    .insertInto("equipment_moves")
    .values(
      moves.map(({ id, from, to }) => ({
        id: ctx.services.ids.uuid(ctx.now_ms),
        equipment_id: id,
        kind,
        from_provider_id: from.service_provider_id,
        from_merchant_id: from.merchant_id,
        to_provider_id: to.service_provider_id,
        to_merchant_id: to.merchant_id,
        store_id: storeId ?? null,
        note: note || null,
        user_id: ctx.principal.id,
        by_name: ctx.principal.name,
        at: ctx.now,
      })),
    )
    .execute();
}

/** Whom stock is handed out to. @throws 400 where nobody is named, 404 where it is not in sight */
async function receiver(ctx: Ctx, serviceProviderId: string | undefined, merchantId: string | undefined): Promise<Place> {
  if (ctx.scope.level === "ADMIN") {
    if (!serviceProviderId) throw invalid("serviceProviderId", "请选择服务商");
    const found = await ctx.tx.selectFrom("service_providers").select("id").where("id", "=", serviceProviderId).executeTakeFirst();
    if (!found) throw notFound("服务商");
    return { service_provider_id: found.id, merchant_id: null };
  }
  if (!merchantId) throw invalid("merchantId", "请选择商户");
  const { rows } =
    await sql<Place>`select m.service_provider_id, m.id as merchant_id from merchants m where m.id = ${merchantId} and ${inScope(ctx.scope, "m")}`.execute(
      ctx.tx,
    );
  if (!rows[0]) throw notFound("商户");
  return rows[0];
}
