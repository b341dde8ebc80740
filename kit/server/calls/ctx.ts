import type { ItemPath } from "@zhangfang/contract/endpoint.ts";
import type { Transaction, TransactionOptions } from "../database/db.ts";
import type { Scope } from "../database/scope.ts";
import type { Services } from "../services.ts";

/** What came over the wire, before anybody looked at it. */
export interface Incoming {
  readonly verb: string;
  /** Path with query, as signed by devices. */
  readonly url: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly rawBody: Buffer;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly ip: string;
  readonly host: string;
  readonly traceId: string;
  /** Puts a cookie on the answer; missing where nobody could keep one. */
  readonly setCookie?: (text: string) => void;
}

/** Who calls: a person's session, a device, or a member on their own page. */
export interface Principal {
  readonly kind: "user" | "device" | "member" | "nobody";
  readonly id: string;
  readonly name: string;
  readonly scope: Scope;
  /** A person's session, for those who need more of it. */
  readonly session?: Readonly<Record<string, unknown>>;
  /** The real person behind a session that acts for another. */
  readonly actorId?: string;
  /** It may look at everything and change nothing of the account that it acts for. */
  readonly readOnly?: boolean;
  /** Whether it holds one of the items. */
  holds(items: readonly ItemPath[]): boolean;
}

/** One row of the audit log, as it is written. */
export interface AuditRow {
  readonly id: string;
  readonly service_provider_id: string | null;
  readonly merchant_id: string | null;
  readonly at: string;
  readonly user_id: string | null;
  readonly actor_user_id: string | null;
  readonly login: string | null;
  readonly endpoint: string;
  readonly title: string;
  readonly target_kind: string | null;
  readonly target_id: string | null;
  readonly detail: string;
  readonly ip: string;
  readonly trace_id: string;
}

export interface Ctx {
  readonly services: Services;
  readonly principal: Principal;
  readonly scope: Scope;
  readonly incoming: Incoming;
  readonly now_ms: number;
  /** Now as ISO text. */
  readonly now: string;
  /** The transaction around the handler; a handler declared `outside`, `public` or `channel` has none and opens its own. */
  readonly tx: Transaction;
  /** A transaction of the caller's scope, for handlers that talk to the outside. */
  transaction<T>(fn: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** A transaction that sees everything, for what happens before a scope exists; `purpose` names it. */
  platform<T>(purpose: string, fn: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Runs once the call has ended in a no, its transaction is undone and its connection is free: what is kept of it all the same, such as a wrong guess. */
  afterRefusal(keep: () => Promise<unknown>): void;
  /** What the audit row says besides who and which call. */
  note(note: AuditNote): void;
  /** Writes the audit row by hand, for handlers that open their own transactions. */
  audit(tx: Transaction, note: AuditNote): Promise<void>;
  /** The row itself, for a write that goes with others' as one transaction (`addAuditRows`). */
  auditRow(note: AuditNote): AuditRow;
}

/** What a handler adds to its audit row. */
export interface AuditNote {
  readonly targetKind?: string;
  readonly targetId?: string;
  readonly before?: unknown;
  readonly after?: unknown;
  /** The tenant that the row belongs to, where it is not the caller's own. */
  readonly provider?: string | undefined;
  readonly merchant?: string | undefined;
  /** Who did it, where no session says so yet (sign-in). */
  readonly userId?: string | undefined;
  readonly login?: string | undefined;
}
