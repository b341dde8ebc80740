import type { ItemPath } from "@zhangfang/contract/endpoint.ts";
import type { z } from "zod";
import type { Author } from "../calls/call.ts";
import type { Transaction } from "../database/db.ts";
import type { Scope } from "../database/scope.ts";
import type { Services } from "../services.ts";

/** A column of the sheet that is read; cells are text. */
export interface ImportColumn {
  readonly key: string;
  /** Its heading in the template; other headings that mean the same stand in `also`. */
  readonly label: string;
  readonly also?: readonly string[];
  readonly required?: boolean;
  /** No two lines of one sheet may have the same. */
  readonly unique?: boolean;
  /** What a line is of is known again by it: read from another column of the same sheet, everything would be new. */
  readonly identifies?: boolean;
  readonly example: string;
  readonly help?: string;
  /** In characters, for the template. */
  readonly width: number;
}
/** What a line comes to: something that can be made, something that is there already, or what is wrong, by column. */
export type Verdict<V> = { readonly value: V } | { readonly there: true } | { readonly errors: Readonly<Record<string, string>> };

/**
 * Something that can be made from the lines of a sheet. What is made and how it is checked is that of its form on the
 * screen, so that the two cannot differ.
 */
export interface ImportSource<R extends z.ZodType = z.ZodType, V = unknown> {
  /** Kept in imports.source. */
  readonly name: string;
  /** What is imported: 商户. */
  readonly title: string;
  /** Its measure word: 家. */
  readonly unit: string;
  /** The item that opens it, and the screen where it is. */
  readonly access: ItemPath;
  readonly screen: ItemPath;
  /** The columns that somebody of a scope may give. */
  columns(scope: Scope): readonly ImportColumn[];
  /** One line: cells by column key, empty ones left out. */
  readonly row: R;
  /**
   * Where sheets that somebody else designed are read too: the column that says whose, the same for a whole sheet, and whose they may be.
   * Which of their headings is which column is asked for, and kept for the merchant's next one.
   */
  readonly ownSheets?: { readonly column: string; readonly of: readonly string[] };
  /** Which cell names the line in lists. */
  readonly titleKey: string;
  /** Looks at many lines at once for the person who imports them and changes nothing: as many verdicts as rows, in their order. With the services for who has to ask other rooms. */
  check(tx: Transaction, scope: Scope, rows: readonly z.output<R>[], person: string, services?: Services): Promise<Verdict<V>[]>;
  /** Makes one. @returns its id @throws Refusal, with the column as its field where one is to blame */
  create(author: Author, tx: Transaction, value: V): Promise<string>;
  /** The first accounts of what was made, by its id; absent where nothing of it signs in. */
  accountsOf?(
    tx: Transaction,
    ids: readonly string[],
  ): Promise<{ readonly madeId: string; readonly userId: string; readonly login: string }[]>;
}
