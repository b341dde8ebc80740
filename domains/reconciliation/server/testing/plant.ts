import { MERCHANT_KEYS, type MerchantKey } from "../../../../apps/server/testing/matrix/people.ts";
import { plant, type Soil } from "../../../../apps/server/testing/world.ts";

interface Owned {
  readonly id: string;
  readonly merchant: MerchantKey;
  readonly merchantId: string;
  readonly serviceProviderId: string;
}
export interface DayFact extends Owned {
  /** `partial` is a platform's, the others are a channel's. */
  readonly state: "differing" | "ready" | "closed" | "partial";
}
export interface DifferenceFact extends Owned {
  /** `ours` and `theirs` may be linked to each other. */
  readonly what: "ours" | "theirs" | "proposed" | "resolved";
}
export interface BillFileFact extends Owned {
  readonly status: "uploading" | "uploaded" | "matched";
}
export interface BillFacts {
  readonly days: readonly DayFact[];
  readonly differences: readonly DifferenceFact[];
  readonly files: readonly BillFileFact[];
}
const DAYS = { differing: "2026-11-10", ready: "2026-11-11", closed: "2026-11-12", partial: "2026-11-13" } as const;

/** Of each merchant three days, differences in every state, and bills on their way; written past the fences, as a match leaves them. */
async function matchBills({ till: { tree, owner }, services }: Soil): Promise<BillFacts> {
  const facts = { days: [] as DayFact[], differences: [] as DifferenceFact[], files: [] as BillFileFact[] };
  const newId = () => services.ids.uuid(services.clock.now_ms());
  const somebody = newId();
  for (const merchant of MERCHANT_KEYS) {
    const { id: merchantId, serviceProviderId } = tree.merchants[merchant];
    const whose = { merchant, merchantId, serviceProviderId };
    for (const state of ["differing", "ready", "closed", "partial"] as const) {
      const id = newId();
      await owner(
        `insert into recon_days (service_provider_id, id, merchant_id, source, day, has_bill, status, closed_at)
         values ($1, $2, $3, $7, $4, $8, $5, $6)`,
        [
          serviceProviderId,
          id,
          merchantId,
          DAYS[state],
          state === "closed" ? "closed" : "open",
          state === "closed" ? "2026-11-13" : null,
          state === "partial" ? "dy" : "wechat",
          state !== "partial",
        ],
      );
      facts.days.push({ id, state, ...whose });
    }
    const day = facts.days.findLast((one) => one.merchant === merchant && one.state === "differing")!.id;
    for (const what of ["ours", "theirs", "proposed", "resolved"] as const) {
      const id = newId();
      const theirs = what !== "ours";
      await owner(
        `insert into recon_differences (service_provider_id, id, merchant_id, day_id, source, day, kind, class, number, order_no, ours_at, ours_status, ours_cents, ours_fee_cents,
           bill_at, bill_state, bill_cents, bill_fee_mills, hint, status, resolution, reason, looker, proposed_by, proposed_by_name, proposed_at, resolved_by, resolved_by_name, resolved_at, found_at)
         values ($1, $2, $3, $4, 'wechat', '2026-11-10', 1, $5, $6, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, '2026-11-11')`,
        [
          serviceProviderId,
          id,
          merchantId,
          day,
          theirs ? "channel-only" : "ours-only",
          `N-${merchant}-${what}`,
          ...(theirs ? [null, null, null, null, "2026-11-10", "SUCCESS", 700, 3_000] : ["2026-11-10", 2, 700, 3, null, null, null, null]),
          theirs ? "unknown" : null,
          what === "proposed" ? "proposed" : what === "resolved" ? "resolved" : "open",
          what === "resolved" ? "unknown" : null,
          what === "proposed" ? `原因 ${merchant}` : null,
          what === "resolved" ? `追查 ${merchant}` : null,
          what === "proposed" ? somebody : null,
          what === "proposed" ? "财务" : null,
          what === "proposed" ? "2026-11-11" : null,
          what === "resolved" ? somebody : null,
          what === "resolved" ? "财务" : null,
          what === "resolved" ? "2026-11-11" : null,
        ],
      );
      facts.differences.push({ id, what, ...whose });
    }
    for (const [n, status] of (["uploading", "uploaded", "matched"] as const).entries()) {
      const id = newId();
      await owner(
        `insert into bill_files (service_provider_id, id, merchant_id, source, bill_type, day, origin, status, size_bytes, done_bytes, piece_count, file_name, created_at, finished_at)
         values ($1, $2, $3, 'wechat', 'REFUND', $4, 'upload', $5, 3, $6, $7, $8, '2026-11-11', $9)`,
        [
          serviceProviderId,
          id,
          merchantId,
          `2026-11-0${n + 1}`,
          status === "matched" ? "matched" : "uploading",
          status === "uploading" ? 0 : 3,
          status === "uploading" ? 0 : 1,
          `${merchant}.csv`,
          status === "matched" ? "2026-11-11" : null,
        ],
      );
      facts.files.push({ id, status, ...whose });
    }
  }
  return facts;
}
export const billFacts = plant(matchBills);

/** A store, with a day that was proposed, one that is to be taken back, and one that is closed. */
export interface StoreDayFact extends Owned {
  readonly store: number;
  readonly storeId: string;
}
/** Long before anything happened in that world. */
export const STORE_DAYS = { open: "2026-01-05", proposed: "2026-01-06", withdrawn: "2026-01-07", closed: "2026-01-08" } as const;
const NOTHING = {
  figures: {
    lines: [],
    stored: { principalCents: 0, giftCents: 0 },
    rechargeCents: 0,
    invoices: { count: 0, cents: 0, redCount: 0, redCents: 0 },
  },
  hindrances: [],
  bills: [],
};
async function plantStoreDays({ till: { tree, owner }, services }: Soil): Promise<readonly StoreDayFact[]> {
  const facts: StoreDayFact[] = [];
  const newId = () => services.ids.uuid(services.clock.now_ms());
  for (const merchant of MERCHANT_KEYS) {
    const { id: merchantId, serviceProviderId, stores } = tree.merchants[merchant];
    for (const [store, { id }] of stores.entries()) {
      for (const kind of ["proposed", "withdrawn", "closed"] as const) {
        const closed = kind === "closed";
        await owner(
          `insert into store_days (service_provider_id, id, merchant_id, store_id, day, status, figures, proposed_at, proposed_by, proposed_by_name, proposed_level,
             closed_at, closed_by, closed_by_name) values ($1, $2, $3, $4, $5, $6, $7, '2026-01-09', $8, '店长', 'AE', $9, $10, $11)`,
          [
            serviceProviderId,
            newId(),
            merchantId,
            id,
            STORE_DAYS[kind],
            closed ? "closed" : "proposed",
            JSON.stringify(NOTHING),
            newId(),
            closed ? "2026-01-09" : null,
            closed ? newId() : null,
            closed ? "财务" : null,
          ],
        );
      }
      facts.push({ id, storeId: id, merchantId, serviceProviderId, merchant, store });
    }
  }
  return facts;
}
export const storeDayFacts = plant(plantStoreDays);
