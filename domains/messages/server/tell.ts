import { sql } from "kysely";
import type { ItemPath } from "@zhangfang/contract/endpoint.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { MessageKind } from "../contract.ts";

/** Whose people are told: a node of the tree, or the platform. */
export type Told =
  | { readonly level: "ADMIN" }
  | { readonly level: "SP"; readonly provider: string }
  /** Whoever sees a store: its own people, and those of the merchant that are not narrowed to other stores. */
  | { readonly level: "store"; readonly provider: string; readonly merchant: string; readonly store: string }
  | { readonly level: "AG" | "GP" | "TM" | "SM" | "MCH"; readonly provider: string; readonly node: string };
export interface Telling {
  readonly kind: MessageKind;
  readonly title: string;
  readonly body?: string;
  /** The list behind it, an address after the #: `/dataCentre/payRefund?keyword=R1`. */
  readonly href: string;
  /** The item that opens it: whoever does not hold it is not shown the message. */
  readonly item: ItemPath;
  /** Names the occasion, so that it is told once however often the caller comes by. */
  readonly once?: string;
  /** ISO, in UTC. */
  readonly at: string;
}

/** Tells everybody in use at a node, in the caller's transaction. @returns how many were told @example await tell(tx, { level: "SP", provider }, { kind: "contract", … }) */
export async function tell(tx: Transaction, to: Told, { kind, title, body = "", href, item, once, at }: Telling): Promise<number> {
  if (to.level === "store") {
    const { rows } = await sql<{ told: number }>`select app.tell_store(${to.provider}::uuid, ${to.merchant}::uuid, ${to.store}::uuid,
      ${kind}, ${title}, ${body}, ${href}, ${item}, ${once ?? null}, ${at}::timestamptz) as told`.execute(tx);
    return rows[0]?.told ?? 0;
  }
  const { rows } = await sql<{ told: number }>`
    select app.tell(${to.level}, ${"provider" in to ? to.provider : null}::uuid, ${"node" in to ? to.node : null}::uuid,
      ${kind}, ${title}, ${body}, ${href}, ${item}, ${once ?? null}, ${at}::timestamptz) as told`.execute(tx);
  return rows[0]?.told ?? 0;
}
/** Tells one account; the transaction has to be the platform's or its own. */
export async function tellUser(tx: Transaction, userId: string, { kind, title, body = "", href, item, once, at }: Telling): Promise<void> {
  await sql`insert into messages (owner_user_id, id, kind, title, body, href, item, once, created_at)
    values (${userId}, gen_random_uuid(), ${kind}, ${title}, ${body}, ${href}, ${item}, ${once ?? null}, ${at}::timestamptz)
    on conflict (owner_user_id, once) do nothing`.execute(tx);
}
