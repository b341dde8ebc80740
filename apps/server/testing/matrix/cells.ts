import { isDeepStrictEqual } from "node:util";
import { bare, isForeign, leaksIn, type Canaries } from "../answers.ts";
import { isLogin, isMember, isTill, MEMBERS, MERCHANTS, sees, STRANGERS, TILLS, LOGINS, type Caller } from "./people.ts";
import type { Given, Model, Policy, Slot, Target } from "./policy.ts";
import type { Answer, HttpWorld } from "../world.ts";

export const CALLERS: readonly Caller[] = [...LOGINS, ...STRANGERS, ...TILLS, ...MEMBERS];
/** One call of one caller with one id in one place. */
export interface Cell {
  readonly policy: Policy;
  readonly caller: Caller;
  readonly given: Given;
  readonly slot?: Slot;
  /** The id that stands in the slot, and what it is the id of. */
  readonly id?: string;
  readonly target?: Target | "unknown" | "malformed";
}

/**
 * MATRIX=all asks for every thing there is. By itself everybody asks for one of each kind of foreign and of own ones, and one of them for
 * what can't be an id. Whoever is refused at the door asks for one thing in one place, and for nothing there; of those who are signed in
 * nowhere, whoever comes without anything asks everywhere, and each of the others at every fifth route.
 */
const ALL = process.env["MATRIX"] === "all";
/** Whoever is refused at the door tries a few of the ids. */
const REFUSED = 3;
const FIFTH = 5;
const ANY: readonly Caller[] = ["anonymous", "mch01", "tampered", "till mch01/0", "member mch01"];

/** Every cell of a row of the table. */
export function cellsOf(world: HttpWorld, policy: Policy, callers: readonly Caller[] = CALLERS, all = ALL): Cell[] {
  const [first] = CALLERS.filter((caller) => policy.sample(world, caller) !== undefined);
  // A public call does not look at who calls.
  const open = policy.who === "public" || policy.who === "channel";
  const turn = turnOf(policy.route);
  const asking = callers.filter((caller, at) =>
    open
      ? ANY.includes(caller)
      : all || callers.length === 1 || caller === "anonymous" || admission(policy, caller) !== 401 || (turn + at) % FIFTH === 0,
  );
  const admittedOnes = asking.filter((caller) => admission(policy, caller) === undefined);
  return asking.flatMap((caller) => {
    // Whoever has nothing of their own asks for what somebody else has.
    const sample = policy.sample(world, caller) ?? policy.sample(world, first!)!;
    const plain = policy.slots.length === 0 || policy.model ? [{ policy, caller, given: sample }] : [];
    const admitted = admission(policy, caller) === undefined;
    const spoils = all || admittedOnes[turn % admittedOnes.length] === caller;
    return [
      ...plain,
      ...(admitted || all ? policy.slots : oneOf(policy.slots, turn + CALLERS.indexOf(caller))).flatMap((slot) => {
        const given = slot.base ? slot.base(world, caller) : sample;
        if (!given) return [];
        const cell = (id: string, target: Cell["target"] & {}): Cell => ({
          policy,
          caller,
          slot,
          id,
          target,
          given: slot.put(given, id, world),
        });
        const targets = slot.targets(world);
        const asked = admitted
          ? all
            ? targets
            : chosen(policy, slot, caller, targets)
          : all
            ? targets.slice(0, REFUSED)
            : turned(policy, slot, caller, targets);
        return [
          cell(slot.unknown, "unknown"),
          ...(slot.malformed === undefined || !spoils ? [] : [cell(slot.malformed, "malformed")]),
          ...asked.map((target) => cell(target.id, target)),
        ];
      }),
    ];
  });
}

/**
 * Of the things that are the same to a caller (theirs or not, named or not, of which provider, how deep in the tree, with which
 * answer) one; which one goes on from caller to caller and from route to route, so that each has its turn.
 */
function chosen(policy: Policy, slot: Slot, caller: Caller, targets: readonly Target[]): readonly Target[] {
  const alike = Map.groupBy(targets, (target) => {
    const { merchant, store, user } = target.place;
    const provider = target.place.provider ?? (merchant && MERCHANTS[merchant].provider);
    const named = slot.sees(caller, target);
    return JSON.stringify([
      named,
      named && slot.seen(target),
      sees(caller, target.place),
      provider,
      store !== undefined,
      user !== undefined,
    ]);
  });
  return [...alike.values()].flatMap((group) => turned(policy, slot, caller, group));
}
/** One of them: which one goes on from caller to caller and from route to route. */
const turned = (policy: Policy, slot: Slot, caller: Caller, targets: readonly Target[]): readonly Target[] =>
  oneOf(targets, turnOf(`${policy.route}${slot.name}`) + CALLERS.indexOf(caller));
/** Where in turns a name stands, always the same. */
const turnOf = (name: string): number => [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
function oneOf<T>(items: readonly T[], turn: number): readonly T[] {
  const at = items.length === 0 ? 0 : turn % items.length;
  return items.slice(at, at + 1);
}
/** Whether a fence has anything to hold here: the caller gets past the door, and asks for a list, for nothing, or for what is not theirs. */
export const meetsFence = ({ policy, caller, slot, target }: Cell): boolean =>
  admission(policy, caller) === undefined &&
  target !== "malformed" &&
  (ALL || policy.model !== undefined || typeof target !== "object" || !slot!.sees(caller, target));

/** What the table says: the status, or 0 where a legacy answer says no with 200 and another code. */
export function expectedStatus({ policy, caller, slot, target }: Cell): number {
  const asked = (() => {
    if (!slot || target === undefined)
      return policy.who === "public" || policy.who === "channel" || policy.who === "member" ? policy.ok : 200;
    if (target === "malformed") return 400;
    if (target === "unknown") return slot.unseen;
    return slot.sees(caller, target) ? slot.seen(target) : slot.unseen;
  })();
  const status = asked === 0 ? 0 : (admission(policy, caller) ?? asked);
  return policy.envelope === "code-data" && status !== 200 && status !== 401 ? 0 : status;
}
function admission({ who }: Policy, caller: Caller): number | undefined {
  if (who === "public" || who === "channel") return undefined;
  if (who === "device") return isTill(caller) && !caller.startsWith("forged") ? undefined : 401;
  if (who === "member") return isMember(caller) ? undefined : 401;
  if (!isLogin(caller)) return 401;
  return who === "signed-in" || who.includes(caller) ? undefined : 403;
}
export function statusOf({ envelope }: Policy, { status, body }: Answer): number {
  if (status !== 200 || (envelope !== "code-data" && envelope !== "status-data")) return status;
  const { code } = body as { code: number };
  return envelope === "status-data" ? code : code === 1 ? 200 : 0;
}

/** Asks, and says what is wrong with the answer. */
export async function judge(
  world: Pick<HttpWorld, "send">,
  around: HttpWorld,
  canaries: Canaries,
  cell: Cell,
): Promise<{ answer: Answer; faults: string[] }> {
  const { policy, caller, given, slot, id, target } = cell;
  const [verb = "", path = ""] = policy.route.split(" ");
  const answer = await world.send(caller, { verb, path, ...given });
  const status = statusOf(policy, answer);
  const faults: string[] = [];
  // Where a call itself says that it is not for whoever sees a part of the stores, what can't be an id is told first; nobody learns anything by that.
  const notAnId = target === "malformed" && status === 400;
  if (status !== expectedStatus(cell) && !notAnId)
    faults.push(`answered ${status}, not ${expectedStatus(cell)}: ${answer.text.slice(0, 120)}`);
  const told = policy.tells(around);
  const leaks = leaksIn(canaries, caller, JSON.stringify(given), answer).filter((name) => !told.includes(name));
  if (leaks.length > 0) faults.push(`gives away ${leaks.slice(0, 3).join(", ")}`);
  const foreign = [...answer.changed].filter((owner) => isForeign(around, caller, owner));
  if (foreign.length > 0 && policy.who !== "public") faults.push(`changes ${foreign.slice(0, 3).join(", ")}`);
  if ((status >= 400 || status === 0) && answer.changed.size > 0)
    faults.push(`was refused and changes ${[...answer.changed].slice(0, 3).join(", ")}`);
  if (!policy.writes && answer.changed.size > 0) faults.push(`is a read and changes ${[...answer.changed].slice(0, 3).join(", ")}`);
  if (status === 200 && policy.model) {
    const { shown, expected } = modelOf(around, policy.model, cell, answer);
    if (!isDeepStrictEqual(shown, expected))
      faults.push(`shows ${JSON.stringify(shown).slice(0, 200)}, not ${JSON.stringify(expected).slice(0, 200)}`);
  }
  const where = slot && `${slot.name}=${typeof target === "object" ? JSON.stringify(placed(target)) : target} ${id}`;
  return { answer, faults: faults.map((fault) => `${policy.route} as ${caller}${where ? `, ${where}` : ""}: ${fault}`) };
}
const placed = ({ place: { provider, merchant, store, user } }: Target) => ({ provider, merchant, store, user });

/** The rows that a caller's request has to show, narrowed by whatever of it is a column of the facts. */
function modelOf(world: HttpWorld, model: Model<never>, { caller, given }: Cell, { body }: Answer): { shown: unknown; expected: unknown } {
  const { facts, sees: seesFact, shown, expected } = model as unknown as Model<{ readonly id: string }>;
  const seen = facts(world).filter((fact) => (seesFact ?? sees)(caller, fact));
  const asked = Object.entries(given.query ?? {});
  const narrowed = seen.filter((fact) =>
    asked.every(([name, value]) => !(name in fact) || (fact as Record<string, unknown>)[name] === value),
  );
  return { shown: shown(body), expected: expected(narrowed, caller) };
}

/** What stands elsewhere and what does not exist must be one answer: compares those of one caller and slot. */
export function comparer() {
  const unknowns = new Map<string, string>();
  const others: { key: string; what: string; text: string }[] = [];
  return {
    note({ policy, caller, slot, id, target }: Cell, answer: Answer): void {
      if (!slot || id === undefined || target === undefined || target === "malformed") return;
      const key = `${policy.route} as ${caller}, ${slot.name}`;
      const text = policy.writes && answer.status === 200 ? "200" : bare(answer, id);
      if (target === "unknown") unknowns.set(key, text);
      else if (!slot.sees(caller, target) || (!policy.writes && !sees(caller, target.place)))
        others.push({ key, what: JSON.stringify(placed(target)), text });
    },
    differences: (): string[] =>
      others
        .filter(({ key, text }) => unknowns.get(key) !== text)
        .map(({ key, what, text }) => `${key}=${what}: ${text.slice(0, 200)} but unknown: ${unknowns.get(key)?.slice(0, 200)}`),
    compared: () => others.length,
  };
}

/** Runs an act for each item, a few at a time. */
export async function eachOf<T>(items: readonly T[], act: (item: T) => Promise<void>, atOnce = 8): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const item of left) await act(item);
    }),
  );
}
