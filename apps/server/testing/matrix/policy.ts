import type { Fact } from "@zhangfang/domains/orders/server/testing/live-a-day.ts";
import { sees, type Caller, type Login, type Place } from "./people.ts";
import type { HttpWorld, Request } from "../world.ts";

/** What a request carries besides its verb and path. */
export type Given = Omit<Request, "verb" | "path">;
/** A thing that exists, and where it stands. */
export interface Target {
  readonly id: string;
  readonly place: Place;
}
/** One place in a request that carries an id. */
export interface Slot {
  readonly name: string;
  readonly put: (given: Given, id: string, world: HttpWorld) => Given;
  readonly targets: (world: HttpWorld) => readonly Target[];
  /** Who may name which target; by where it stands unless said otherwise. */
  readonly sees: (caller: Caller, target: Target) => boolean;
  /** The status where it may. */
  readonly seen: (target: Target) => number;
  /** The status where it may not, and for an id of nothing: one answer, to the byte. */
  readonly unseen: number;
  readonly unknown: string;
  /** Something that is no id; undefined where any text is one. */
  readonly malformed: string | undefined;
  /** A request that it is put into, where the route's own sample does not fit; undefined leaves the caller out. */
  readonly base?: (world: HttpWorld, caller: Caller) => Given | undefined;
}
/** What a list or a sum must be, worked out from the facts that the caller sees. */
export interface Model<F extends Place & { readonly id: string }> {
  readonly facts: (world: HttpWorld) => readonly F[];
  /** Who sees which fact; by where it stands unless said otherwise. */
  readonly sees?: (caller: Caller, fact: F) => boolean;
  readonly shown: (body: unknown) => unknown;
  readonly expected: (facts: readonly F[], caller: Caller) => unknown;
}
/** One row of the table: who may call a route, where its ids stand, and a request that works. */
export interface Policy {
  readonly route: `${"GET" | "POST" | "PUT" | "DELETE"} /${string}`;
  /** Anybody, any session, a device, the channel, a member on their own page, or just these logins. */
  readonly who: "public" | "signed-in" | "device" | "channel" | "member" | readonly Login[];
  readonly envelope: "data" | "code-data" | "status-data" | "file" | "notice" | "plain";
  readonly writes: boolean;
  /** It changes things step by step, so that its steps can't be undone one by one: it comes last. */
  readonly keeps: boolean;
  /** What a public call, or a member's own, answers to its sample. */
  readonly ok: number;
  readonly sample: (world: HttpWorld, caller: Caller) => Given | undefined;
  readonly slots: readonly Slot[];
  /** Names that it tells whoever calls, because that is what it is for. */
  readonly tells: (world: HttpWorld) => readonly string[];
  readonly model?: Model<never>;
  /** Why a list has no model: what else holds its rows. */
  readonly noModel?: string;
}
/** A model of any facts, as the table keeps it. */
export const model = <F extends Place & { readonly id: string }>(given: Model<F>): Model<never> => given as unknown as Model<never>;

export const ADMIN: readonly Login[] = ["admin"];
export const SP: readonly Login[] = ["sp01", "sp02"];
export const MCH: readonly Login[] = ["mch01", "mch02", "mch03"];
export const AE: readonly Login[] = ["area01", "emp01"];
/** Agents, groups, teams and salesmen. */
export const MIDDLE: readonly Login[] = ["agent01", "agent02", "group01", "team01", "sale01"];
/** The sub-account in finance: what its position names, of what its root holds. */
export const FIN: readonly Login[] = ["fin01"];
export const EVERYBODY: readonly Login[] = [...ADMIN, ...SP, ...MIDDLE, ...MCH, ...FIN, ...AE];

const NOBODY_KNOWS = "01a1f71c-7600-7000-8000-0123456789ab";
type Defaults<T> = Partial<Omit<T, "seen">> & { readonly seen?: Slot["seen"] | number };

export function slot(name: string, put: Slot["put"], targets: Slot["targets"], more: Defaults<Slot> = {}): Slot {
  const { seen = 200, ...rest } = more;
  return {
    name,
    put,
    targets,
    sees: (caller, { place }) => sees(caller, place),
    unseen: 404,
    unknown: NOBODY_KNOWS,
    malformed: "not-an-id",
    ...rest,
    seen: typeof seen === "number" ? () => seen : seen,
  };
}
export const inPath =
  (name: string): Slot["put"] =>
  (given, id) => ({ ...given, params: { ...given.params, [name]: id } });
export const inQuery =
  (name: string): Slot["put"] =>
  (given, id) => ({ ...given, query: { ...given.query, [name]: id } });
export const inBody =
  (name: string): Slot["put"] =>
  (given, id) => ({ ...given, body: { ...(given.body as object), [name]: id } });
/** One foreign id among those that are there. */
export const amongBody =
  (name: string): Slot["put"] =>
  (given, id) => {
    const body = given.body as Record<string, readonly string[]>;
    return { ...given, body: { ...body, [name]: [...(body[name] ?? []), id] } };
  };

export function policy(route: Policy["route"], who: Policy["who"], more: Partial<Omit<Policy, "route" | "who">> = {}): Policy {
  const reads = route.startsWith("GET ");
  return {
    route,
    who,
    envelope: "data",
    writes: !reads,
    keeps: false,
    ok: 200,
    sample: () => (reads ? {} : { body: {} }),
    slots: [],
    tells: () => [],
    ...more,
  };
}

/** The first of some things that a caller sees. */
export function own<F extends Place>(facts: readonly F[], caller: Caller): F | undefined {
  return facts.find((fact) => sees(caller, fact));
}
/** A sample over the first thing that the caller sees; callers who see none have none. */
export const withOwn =
  <F extends Place>(facts: (world: HttpWorld) => readonly F[], given: (fact: F, world: HttpWorld) => Given): Policy["sample"] =>
  (world, caller) => {
    const found = own(facts(world), caller);
    return found && given(found, world);
  };
/** Facts as targets: of each store the first, unless `of` narrows them. */
export const targetsOf =
  <F extends Fact>(facts: (world: HttpWorld) => readonly F[], idOf: (fact: F) => string = (fact) => fact.id): Slot["targets"] =>
  (world) =>
    facts(world).map((fact) => ({ id: idOf(fact), place: fact }));
