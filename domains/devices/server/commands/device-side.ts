import { sql } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { cleanPicture } from "@zhangfang/server/files/clean-picture.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { acknowledgeCommand, bringFile, type CommandKind, FILE_BYTES } from "../../contract/index.ts";

interface Device {
  readonly service_provider_id: string;
  readonly id: string;
}
export interface OpenCommand {
  readonly number: number;
  readonly kind: CommandKind;
}
/** What a device has still to do, as it stands; read with its configuration. */
export async function openCommands(tx: Transaction, { service_provider_id, id }: Device, now: string): Promise<OpenCommand[]> {
  const { rows } = await sql<OpenCommand>`select number, kind from device_commands
    where service_provider_id = ${service_provider_id} and device_id = ${id} and status in (0, 1) and expires_at > ${now}::timestamptz order by number`.execute(
    tx,
  );
  return rows;
}
/** The same, told to the device from now on: what was cancelled meanwhile is left out, and what is told can't be cancelled any more. */
export async function deliverCommands(tx: Transaction, { service_provider_id, id }: Device, now: string): Promise<OpenCommand[]> {
  const { rows } = await sql<OpenCommand>`update device_commands set status = 1, delivered_at = coalesce(delivered_at, ${now}::timestamptz)
    where service_provider_id = ${service_provider_id} and device_id = ${id} and status in (0, 1) and expires_at > ${now}::timestamptz returning number, kind`.execute(
    tx,
  );
  return rows.toSorted((a, b) => a.number - b.number);
}

interface Told {
  readonly service_provider_id: string;
  readonly id: string;
  readonly merchant_id: string;
  readonly store_id: string;
  readonly kind: CommandKind;
  readonly status: number;
}
/** A command of this device that it was told, held until the transaction ends. @throws 404 */
async function told(ctx: Ctx, tx: Transaction, number: number): Promise<Told> {
  const { rows } = await sql<Told>`select c.service_provider_id, c.id, c.merchant_id, c.store_id, c.kind, c.status from device_commands c
    where c.service_provider_id = ${ctx.scope.provider ?? null} and c.device_id = ${ctx.principal.id} and c.number = ${number}
      and c.delivered_at is not null for no key update`.execute(tx);
  if (!rows[0]) throw notFound("命令");
  return rows[0];
}

/** 设备回报命令: the first word counts, also where it comes after the command's time. */
export const acknowledgeCommandRoute = implement(acknowledgeCommand, async (ctx, { number, ok, words }) => {
  await ctx.transaction(async (tx) => {
    const command = await told(ctx, tx, number);
    if (command.status === 2 || command.status === 3) return;
    await tx
      .updateTable("device_commands")
      .set({ status: ok ? 2 : 3, words: words || null, finished_at: ctx.now })
      .where("service_provider_id", "=", command.service_provider_id)
      .where("id", "=", command.id)
      .execute();
  });
  return { ok: true as const };
});

/** So large is a screen at most. */
const SCREEN = { side: 4096, pixels: 8_300_000 };
const contentOf = async (kind: CommandKind, bytes: Buffer): Promise<{ content_type: string; bytes: Buffer }> => {
  if (kind === "upload-log") {
    const text = new TextDecoder("utf-8", { fatal: true });
    try {
      // Control characters other than tabs and line ends have no place in a text that somebody opens.
      const clean = text.decode(bytes).replaceAll(/\p{Cc}/gu, (one) => ("\t\r\n".includes(one) ? one : ""));
      return { content_type: "text/plain", bytes: Buffer.from(clean) };
    } catch {
      throw invalid("base64", "日志须为 UTF-8 文本");
    }
  }
  const picture = await cleanPicture(bytes, SCREEN);
  if (picture === undefined) throw invalid("base64", "只支持 PNG 和 JPEG 图片");
  if (picture === "large") throw invalid("base64", `图片边长不能超过 ${SCREEN.side} 像素`);
  return { content_type: picture.contentType, bytes: picture.bytes };
};

/** 设备上传截屏和日志: the first one that comes for a command stays. */
export const bringFileRoute = implement(bringFile, async (ctx, { number, base64 }) => {
  const command = await ctx.transaction((tx) => told(ctx, tx, number));
  if (command.kind !== "screenshot" && command.kind !== "upload-log") throw conflict("这个命令不需要文件");
  if (command.status === 2 || command.status === 3) throw conflict("这个命令已回报");
  const sent = Buffer.from(base64, "base64");
  if (sent.length === 0 || sent.length > FILE_BYTES) throw invalid("base64", `文件须为 1 字节到 ${FILE_BYTES / 1000} KB`);
  const { service_provider_id, merchant_id, store_id, id: command_id } = command;
  const content = await contentOf(command.kind, sent);
  await ctx.transaction((tx) =>
    tx
      .insertInto("device_files")
      .values({ service_provider_id, merchant_id, store_id, command_id, ...content, created_at: ctx.now })
      .onConflict((twice) => twice.doNothing())
      .execute(),
  );
  return { ok: true as const };
});
