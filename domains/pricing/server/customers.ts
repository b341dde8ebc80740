import { tiedTo } from "@zhangfang/server/calls/domain.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";

/** The store that a till stands in, and when. */
export interface Where {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly store_id: string;
  readonly at: string;
}
/** Whose order it is, and how well that is proved: a number that anybody may know, or a code, a PIN, a message (membership.md 9). */
export interface Customer {
  readonly member_id: string;
  readonly proof: "full" | "weak";
}
/** What an order takes of its customer. */
export interface Spends {
  readonly points: number;
  readonly stored_cents: number;
  /** `prove` has asked already. */
  readonly proved?: true;
}
/** Who knows customers: one domain, above this one. */
export interface CustomerDoor {
  /** Whose ticket it is: good for this store, ten minutes and one order. @throws 400 at `ticket` */
  open(tx: Transaction, services: Services, where: Where, ticket: string): Promise<Customer>;
  /**
   * What `use` asks of whoever spends, before anybody is held: a PIN is checked and counted in a transaction of its own, which would wait
   * for a member that this one holds.
   * @throws 400 at `pin` or `ticket`, 409 where the member may not spend
   */
  prove(tx: Transaction, services: Services, where: Where, ticket: string, spends: Spends, pin: string | undefined): Promise<void>;
  /**
   * In the transaction that places the order: the ticket is used up by it, once (again for the same order changes nothing), and what is
   * spent is allowed: who is known by a number alone spends with PIN or code only, and above the sums of membership.md 6 everybody does.
   * @throws 400 at `pin` or `ticket`
   */
  use(
    tx: Transaction,
    services: Services,
    where: Where,
    order: { readonly id: string; readonly member_id: string },
    ticket: string,
    spends: Spends,
    pin: string | undefined,
  ): Promise<void>;
  /** The same of whoever is known without a ticket, because a session of their own proves them. */
  admit(
    tx: Transaction,
    services: Services,
    where: Where,
    order: { readonly id: string },
    customer: Customer,
    spends: Spends,
    pin: string | undefined,
  ): Promise<void>;
}
declare module "@zhangfang/server/calls/domain.ts" {
  interface Domain {
    /** Who knows customers. */
    readonly customers?: CustomerDoor;
  }
}
/** @throws 400 at `ticket` where nobody knows customers */
export function customersOf(services: Services): CustomerDoor {
  const [door] = tiedTo(services).flatMap(({ customers }) => customers ?? []);
  if (!door) throw invalid("ticket", "会员凭证无效，请重新识别会员");
  return door;
}
