import type { ColumnSettings } from "../table/column-settings.ts";
import type { List } from "../list.ts";
import type { SavedView } from "./view.ts";

/** A list as its views see it. */
export interface Viewed {
  readonly list: Pick<List, "endpoint" | "path" | "filters" | "defaults" | "address" | "showView" | "views">;
  readonly title: string;
  readonly unit: string;
  /** The view that is shown. */
  readonly view: SavedView | undefined;
  /** It was changed since it was opened. */
  readonly changed: boolean;
  /** The columns as they are now; null where nobody changed any. */
  readonly settings: ColumnSettings | null;
  /** The keys of the columns that are seen. */
  readonly columns: readonly string[];
  readonly exportSource: string | undefined;
}
