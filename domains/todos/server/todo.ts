import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import type { ItemPath } from "@zhangfang/contract/endpoint.ts";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import type { Scope } from "@zhangfang/server/database/scope.ts";
import type { urgency } from "../contract/index.ts";

/** The rows that wait, as a statement: its condition holds the fence, and is that of the list which the address opens. */
export interface Waiting {
  readonly from: RawBuilder<unknown>;
  readonly where: RawBuilder<unknown>;
  /** What the row's address is made of. */
  readonly id: RawBuilder<unknown>;
  readonly title: RawBuilder<unknown>;
  readonly since: RawBuilder<unknown>;
}

/** A kind of thing that waits for somebody; a domain lists its own. */
export interface TodoKind {
  readonly key: string;
  readonly urgency: z.output<typeof urgency>;
  /** With the count before them they make the sentence: 笔, 退款等待审批. */
  readonly unit: string;
  readonly title: string;
  /** 去审批 */
  readonly act: string;
  /** Who acts on it: whoever holds none of these is not told. */
  readonly access: ItemPath | readonly ItemPath[];
  /** The list of them, by an address or by its first row's id. Whoever does not hold its screen is not told. */
  readonly to: string | ((first: string) => string);
  /** One row's own address, by its id; without it, or without its screen, a row has that of the list. */
  readonly opens?: (id: string) => string;
  /** Undefined: none of this caller. */
  readonly waits: (ctx: Ctx) => Waiting | undefined;
}

/** One of the first things that an account sets up; a domain lists its own. */
export interface FirstStep {
  readonly key: string;
  /** Where it stands among the others. */
  readonly at: number;
  readonly title: string;
  readonly why: string;
  /** Whose it is. */
  readonly levels: readonly Scope["level"][];
  readonly access: ItemPath | readonly ItemPath[];
  readonly to: string;
  /** That it is done, as a condition within the caller's fence. */
  readonly done: (scope: Scope) => RawBuilder<boolean>;
}

declare module "@zhangfang/server/calls/domain.ts" {
  interface Domain {
    readonly todos?: readonly TodoKind[];
    readonly firstSteps?: readonly FirstStep[];
  }
}

/**
 * That somebody else asked for it: who asked can't decide it, so it does not wait for them.
 * @example where: all([inScope(scope, "c", "merchant"), sql`c.state = 'UNAUDIT'`, byAnother(ctx, "c.made_by")])
 */
export function byAnother({ principal }: Pick<Ctx, "principal">, column: string): RawBuilder<boolean> {
  const own = [principal.id, principal.actorId].filter((id) => id !== undefined);
  return sql<boolean>`(${sql.ref(column)} is null or ${sql.ref(column)} <> all(${`{${own.join(",")}}`}::uuid[]))`;
}
