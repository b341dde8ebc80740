import { sql, type RawBuilder } from "kysely";

/**
 * What an account may see: a level and the ids that go with it. The database computes it from the session
 * (app.open_session), sets it for the transaction as the second fence, and this module reads it for the first one.
 * PLATFORM is for named jobs and for what happens before a session exists.
 */
export interface Scope {
  readonly level: "PLATFORM" | "ADMIN" | "SP" | "AG" | "GP" | "TM" | "SM" | "MCH" | "AE";
  readonly provider?: string;
  readonly agent?: string;
  readonly group?: string;
  readonly team?: string;
  readonly salesman?: string;
  readonly merchant?: string;
  /** The stores it is narrowed to; absent means all of the merchant's. */
  readonly stores?: readonly string[];
  readonly user?: string;
  /** Its form in the database setting `app.scope`. */
  readonly text: string;
}

const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const SCOPE_TEXT = new RegExp(
  `^(?:PLATFORM|ADMIN|SP|AG|GP|TM|SM|MCH|AE)\\|(?:(?:${UUID})?\\|){6}(?:\\{(?:${UUID}(?:,${UUID})*)?\\})?\\|(?:${UUID})?$`,
);

/** Reads the text form. Throws on anything else, so that a scope can be put into SQL as a literal. */
export function parseScope(text: string): Scope {
  if (!SCOPE_TEXT.test(text)) throw new Error("malformed scope");
  const [level, provider, agent, group, team, salesman, merchant, stores, user] = text.split("|") as [Scope["level"], ...string[]];
  return {
    level,
    ...(provider && { provider }),
    ...(agent && { agent }),
    ...(group && { group }),
    ...(team && { team }),
    ...(salesman && { salesman }),
    ...(merchant && { merchant }),
    ...(stores && { stores: stores.slice(1, -1).split(",").filter(Boolean) }),
    ...(user && { user }),
    text,
  };
}

/** Sees everything. `purpose` names the job, for the reader and for the log. */
export const platformScope = (_purpose: string): Scope => parseScope("PLATFORM||||||||");
/** What a whole provider sees. */
export const providerScope = (provider: string): Scope => parseScope(`SP|${provider}|||||||`);
/** What a whole merchant sees. */
export const merchantScope = (provider: string, merchant: string): Scope => parseScope(`MCH|${provider}|||||${merchant}||`);
/** What one store of a merchant sees; for its devices. */
export const storeScope = (provider: string, merchant: string, store: string): Scope =>
  parseScope(`AE|${provider}|||||${merchant}|{${store}}|`);

/** A test turns the first fence off to prove the second alone. Nothing else may. */
export const firstFence = { on: true };

/** The columns that narrow a table: `full` for money facts and merchants, the rest say what is missing. */
export type FenceColumns = "full" | "store" | "merchant" | "provider";

/**
 * The first fence: the sargable condition that narrows `alias` to the scope. Every query of owned rows goes through it.
 * @param columns `full`: the table carries attribution columns itself (money facts, merchants); `store` and `merchant`:
 *   it has store_id and merchant_id, or merchant_id, and attribution goes through the merchants in sight; `provider`: neither.
 * @example where(inScope(ctx.scope, "o"))
 */
export function inScope(scope: Scope, alias: string, columns: FenceColumns = "full"): RawBuilder<boolean> {
  if (!firstFence.on || scope.level === "PLATFORM" || scope.level === "ADMIN") return sql<boolean>`true`;
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  const mine = sql<boolean>`${column("service_provider_id")} = ${need(scope.provider, scope)}`;
  const attributed = (name: string, value: string | undefined) =>
    columns === "full"
      ? sql<boolean>`${mine} and ${column(name)} = ${need(value, scope)}`
      : columns === "provider"
        ? sql<boolean>`false`
        : sql<boolean>`${mine} and ${column("merchant_id")} in (select m.id from merchants m where m.service_provider_id = ${need(scope.provider, scope)} and ${sql.ref(`m.${name}`)} = ${need(value, scope)})`;
  switch (scope.level) {
    case "SP":
      return mine;
    case "AG":
      return attributed("agent_id", scope.agent);
    case "GP":
      return attributed("business_group_id", scope.group);
    case "TM":
      return attributed("business_team_id", scope.team);
    case "SM":
      return attributed("salesman_id", scope.salesman);
    case "MCH":
    case "AE": {
      if (columns === "provider") return sql<boolean>`false`;
      const merchant = sql<boolean>`${mine} and ${column("merchant_id")} = ${need(scope.merchant, scope)}`;
      if (scope.stores === undefined || columns === "merchant") return merchant;
      return sql<boolean>`${merchant} and ${column("store_id")} = any(${`{${scope.stores.join(",")}}`}::uuid[])`;
    }
  }
}
function need(value: string | undefined, scope: Scope): string {
  // A scope without its own id must never widen into "everything".
  if (value === undefined) throw new Error(`scope ${scope.level} lacks its id`);
  return value;
}
