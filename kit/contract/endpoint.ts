import type { z } from "zod";
import type { DayRange } from "./time.ts";

/**
 * How an answer is wrapped on the wire.
 * - `data`: the new calls. The answer stands alone; a failure is problem+json with a 4xx or 5xx.
 * - `bare`: a legacy call whose answer stands alone.
 * - `code-data`: legacy `{ code, data, msg }`, 1 is success; a refusal is 200 with another code.
 * - `status-data`: legacy `{ code, data, msg }`, where code is an HTTP status and 2xx is success.
 * - `file`: the handler returns a FileAnswer and the server streams it as a download.
 */
export type Envelope = "data" | "bare" | "code-data" | "status-data" | "file";

/** A page or button of the menu, by its path; whoever holds the item may call. */
export type ItemPath = `/${string}`;

/**
 * Who may call: nobody is needed (`public`), any session, a device's signature, a channel's signature, a member's cookie at the merchant
 * whose page it is (`member`), or a session that holds one of the named items.
 */
export type Access = "public" | "signed-in" | "device" | "channel" | "member" | ItemPath | readonly ItemPath[];

/** Which limiter a call belongs to. `login` is slowed per account and address, `export` is counted per tenant. */
export type Rate = "login" | "poll" | "read" | "write" | "money" | "export" | "channel";

export interface Endpoint<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  readonly kind: "read" | "write";
  readonly verb: "GET" | "POST" | "PUT" | "DELETE";
  /** Fastify form: `/api/users/:id/reset`. Parameters of the path, the query and the body make one input. */
  readonly path: `/${string}`;
  /** What the staff call it; it stands in the audit log and in the API pages. */
  readonly title: string;
  readonly access: Access;
  readonly input: I;
  readonly output: O;
  readonly envelope: Envelope;
  /** Where the input travels besides the path. */
  readonly source: "query" | "body" | "both";
  readonly rate: Rate;
  /** The handler talks to the outside and opens its own transactions with `ctx.transaction`. */
  readonly outside: boolean;
  /** It may wait for something to change; its answer's `tag` is its ETag. */
  readonly waits: boolean;
  /** The input field that carries the idempotency key; the same key and body get the first answer again. */
  readonly idempotent?: string;
  /** The input field that names what it is about: calls about the same one are taken one after another, and wait without a connection. */
  readonly oneAtATime?: string;
  /** Of a list: its pages come one after another only, because where one begins is known from the one before alone. */
  readonly jumps?: false;
  /** How many fields and members its input may hold in all, where that is more than 1,000. */
  readonly most_keys?: number;
  /** How many bytes its body may have, where that is more than 256 KB. */
  readonly most_bytes?: number;
  /** What it writes nobody looks for: it leaves no audit row. A price that is asked for, and no more. */
  readonly silent: boolean;
  /** An answer that is a moment old does, as long as the caller's own writes are in it: it may come from a standby. */
  readonly bearsDelay: boolean;
  /** Closed to a session that acts for somebody else (passwords, keys, withdrawals). */
  readonly closedToActing: boolean;
  /** Milliseconds until the server gives up; below the client's 50 s. */
  readonly deadline_ms: number;
}

type Given<I extends z.ZodType, O extends z.ZodType> = Pick<Endpoint<I, O>, "path" | "title" | "access" | "input" | "output"> &
  Partial<Omit<Endpoint<I, O>, "kind" | "path" | "title" | "access" | "input" | "output">>;

/**
 * Declares a call that changes nothing.
 * @example
 * export const getStore = read({ path: "/api/stores/:id", title: "门店详情", access: "/store/store",
 *   input: z.object({ id }), output: storeRow });
 */
export function read<I extends z.ZodType, O extends z.ZodType>(given: Given<I, O>): Endpoint<I, O> {
  const verb = given.verb ?? "GET";
  return complete("read", { ...given, verb }, verb === "GET" ? "query" : "body", "read");
}

/**
 * Declares a call that changes something. It runs in one transaction with its audit row.
 * @example
 * export const closeStore = write({ path: "/api/stores/close", title: "停用门店", access: "/store/store/close",
 *   input: z.object({ id }), output: done });
 */
export function write<I extends z.ZodType, O extends z.ZodType>(given: Given<I, O>): Endpoint<I, O> {
  return complete("write", { ...given, verb: given.verb ?? "POST" }, "body", "write");
}

function complete<I extends z.ZodType, O extends z.ZodType>(
  kind: "read" | "write",
  given: Given<I, O> & Pick<Endpoint, "verb">,
  source: Endpoint["source"],
  rate: Rate,
): Endpoint<I, O> {
  return {
    kind,
    envelope: "data",
    source,
    rate,
    outside: false,
    waits: false,
    silent: false,
    bearsDelay: false,
    closedToActing: false,
    deadline_ms: 10_000,
    ...given,
  };
}

/** What a caller passes: the input before its defaults. */
export type InputOf<E extends Endpoint> = z.input<E["input"]>;
/** What a handler receives: the input after its defaults. */
export type ParsedOf<E extends Endpoint> = z.output<E["input"]>;
/** What a caller gets. */
export type OutputOf<E extends Endpoint> = z.output<E["output"]>;
/** One row of a list's answer. */
export type RowOf<E extends Endpoint> = OutputOf<E> extends { items: readonly (infer R)[] } ? R : never;

/** The names that a list can be filtered on. */
export type FilterName<E extends Endpoint> = Exclude<keyof InputOf<E> & string, "cursor" | "pageSize" | "sort" | "withTotal">;
/** A filter that the product brings with a list, under a name: nobody saved it and nobody deletes it. */
export interface BroughtView {
  /** What the address calls it; no saved view's, whose ids are uuids. */
  readonly id: string;
  readonly name: string;
  readonly filters: Readonly<Record<string, string>>;
  /** Days that move with the calendar; then `filters` holds no from and to. */
  readonly days: DayRange | null;
  readonly sort: string | null;
}
/**
 * The views that the product brings with a list, by what their addresses call them: name, filters as an address has them, moving days, order.
 * @example export const tillViews = viewsOf(listTills, { today: ["今天新建", {}, "today"], off: ["已停用", { state: "disabled" }] });
 */
export const viewsOf = <E extends Endpoint>(
  _list: E,
  views: Readonly<
    Record<string, readonly [name: string, filters: Partial<Record<FilterName<E>, string>>, days?: DayRange | null, sort?: string]>
  >,
): readonly BroughtView[] =>
  Object.entries(views).map(([id, [name, filters, days = null, sort = null]]) => ({
    id,
    name,
    filters: filters as Readonly<Record<string, string>>,
    days,
    sort,
  }));
