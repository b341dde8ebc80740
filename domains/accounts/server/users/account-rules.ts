import { levelCreates, levelParents, levelsWithStaff, type Level } from "../../contract/levels.ts";

/** Whoever acts upon accounts. */
export interface Actor {
  readonly userId: string;
  readonly login: string;
  readonly root: boolean;
  readonly level: Level;
  readonly provider?: string | undefined;
  readonly agent?: string | undefined;
  readonly group?: string | undefined;
  readonly team?: string | undefined;
  readonly merchant?: string | undefined;
  /** The stores it is narrowed to; absent means all. */
  readonly stores?: readonly string[] | undefined;
}
/** A node with every node above it, as attributed today. */
export interface Lineage {
  readonly level: Level;
  readonly provider: string | null;
  readonly agent: string | null;
  readonly group: string | null;
  readonly team: string | null;
  readonly merchant: string | null;
  /** The stores of an employee or of an area manager's areas; null means all of the merchant's. */
  readonly stores: readonly string[] | null;
}
export interface Target extends Lineage {
  readonly id: string;
  readonly rootLogin: string;
  readonly login: string;
}

/** Whether a level stands below another in some tree: through any of its parents. */
const isBelow = (level: Level, above: Level): boolean => levelParents[level].some((parent) => parent === above || isBelow(parent, above));

/**
 * Whether the actor stands strictly above, in the same tree and within its own scope. This alone decides log in as: never
 * the same level or up, never into another tree, never a platform account.
 */
export function isAbove(actor: Actor, target: Lineage): boolean {
  if (!isBelow(target.level, actor.level)) return false;
  if (actor.level === "ADMIN") return true;
  if (actor.provider === undefined || actor.provider !== target.provider) return false;
  switch (actor.level) {
    case "SP":
      return true;
    case "AG":
      return actor.agent !== undefined && actor.agent === target.agent;
    case "GP":
      return actor.group !== undefined && actor.group === target.group;
    case "TM":
      return actor.team !== undefined && actor.team === target.team;
    case "MCH": {
      const { stores } = actor;
      if (actor.merchant === undefined || actor.merchant !== target.merchant) return false;
      return stores === undefined || (target.stores !== null && target.stores.every((store) => stores.includes(store)));
    }
    default:
      return false;
  }
}

/** Whether the actor may reset, enable and disable: anybody below, and a root its own sub-accounts; never itself. */
export function mayAdminister(actor: Actor, target: Target): boolean {
  if (target.id === actor.userId) return false;
  return isAbove(actor, target) || isOwnStaff(actor, target);
}
const isOwnStaff = (actor: Actor, target: Target): boolean =>
  actor.root && target.rootLogin === actor.login && target.login !== target.rootLogin;

/**
 * What the actor would make by adding an account: `below` a root account of a node below (an employee belongs to the
 * merchant's root), `staff` a sub-account of its own; undefined where it may not.
 */
export function mayAdd(actor: Actor, node: Lineage): "below" | "staff" | undefined {
  if (node.level === actor.level)
    return actor.root &&
      levelsWithStaff.includes(actor.level) &&
      node.provider === (actor.provider ?? null) &&
      node.merchant === (actor.merchant ?? null)
      ? "staff"
      : undefined;
  return levelCreates[actor.level].includes(node.level) && isAbove(actor, node) ? "below" : undefined;
}
