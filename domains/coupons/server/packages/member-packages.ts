import { sql } from "kysely";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { MemberRef } from "../../../members/server/index.ts";
import { worthWords } from "../../contract/index.ts";
import { eachOf, HEAD, itemsOf, type PackageHead } from "./find-package.ts";
import { hadOf, itemBar, readAsker } from "./give-package.ts";
import { packageBar } from "./package-rules.ts";

interface Shown extends PackageHead {
  readonly note: string;
}
/** A package as it stands for one member. */
export interface OfferedPackage {
  readonly packageId: string;
  readonly name: string;
  readonly note: string;
  /** Nothing: free. */
  readonly priceCents: number | null;
  /** The most that it takes off. */
  readonly eachCents: number;
  readonly items: readonly { readonly name: string; readonly worth: string; readonly said: string; readonly count: number }[];
  readonly left: number;
  readonly mine: number;
  readonly perPerson: number;
  readonly beginsAt: string;
  readonly endsAt: string;
  readonly state: "open" | "had" | "gone" | "early" | "closed";
  readonly why: string | null;
}
const MOST = 50;
/** The packages that a member may receive or buy now, or will, with why they can't. */
export async function packagesFor(tx: Transaction, services: Services, member: MemberRef): Promise<OfferedPackage[]> {
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  const today = shanghaiDay(now_ms);
  const { service_provider_id, merchant_id } = member;
  const asker = await readAsker(tx, member, today);
  const { rows } = await sql<Shown>`select ${HEAD(today)}, p.note from packages p where p.service_provider_id = ${service_provider_id}
    and p.merchant_id = ${merchant_id} and p.state = 'RUNNING' and p.ends_at > ${now} order by p.begins_at > ${now}, p.created_at desc, p.id desc limit ${MOST}`.execute(
    tx,
  );
  const ids = rows.map(({ id }) => id);
  const [items, had] = [await itemsOf(tx, service_provider_id, ids), await hadOf(tx, member, asker.person, ids, today)];
  return rows.map((pack) => {
    const inside = items.filter(({ package_id }) => package_id === pack.id);
    const own = had.get(pack.id);
    const bar = packageBar(pack, own?.had ?? 0, own?.had_today ?? 0, now) ?? inside.map((item) => itemBar(item, asker, now)).find(Boolean);
    const states = { "coupon.person": "had", "coupon.gone": "gone", "coupon.day-gone": "gone", "coupon.early": "early" } as const;
    const day = pack.per_day === null ? Infinity : pack.per_day - pack.today;
    return {
      packageId: pack.id,
      name: pack.name,
      note: pack.note,
      priceCents: pack.price_cents,
      eachCents: eachOf(inside),
      items: inside.map(({ name, terms, said, count }) => ({ name, worth: worthWords(terms), said, count })),
      left: Math.max(0, Math.min(pack.total - pack.issued - pack.held, day, ...inside.map(({ left, count }) => Math.floor(left / count)))),
      mine: own?.had ?? 0,
      perPerson: pack.per_person,
      beginsAt: pack.begins_at,
      endsAt: pack.ends_at,
      state: bar ? (states[bar.code as keyof typeof states] ?? "closed") : "open",
      why: bar?.message ?? null,
    };
  });
}
