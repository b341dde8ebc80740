import { useState } from "react";
import type { SavedView } from "../views/view.ts";
import { mayAct } from "../../act/Act.tsx";
import { columnsName, usePreference } from "../../look/preferences.ts";
import { type ColumnSettings, seen } from "./column-settings.ts";
import type { Column } from "./columns.tsx";
import type { Density } from "./DataTable.tsx";
import { useUser } from "../../api/user.ts";

/** The columns of a list as the account left them, and how dense its rows are. */
export interface Columns<Row> {
  readonly all: readonly Column<Row>[];
  readonly seen: readonly Column<Row>[];
  readonly settings: ColumnSettings;
  /** What somebody changed; null where it is as the screen has it. */
  readonly chosen: ColumnSettings | null;
  /** They are no longer those of the view that is shown. */
  readonly changed: boolean;
  set(settings: ColumnSettings | undefined): void;
  setWidth(key: string, width: number | undefined): void;
  readonly density: Density;
  setDensity(density: Density): void;
}

/**
 * Reads and keeps what somebody changed about the columns of the list at an endpoint's path. In a view they are the view's, and what is changed
 * there lasts until it is saved or left.
 */
export function useColumns<Row>(path: string, given: readonly Column<Row>[], view?: Pick<SavedView, "id" | "columns">): Columns<Row> {
  const person = useUser();
  const all = given.filter(({ acts }) => acts === undefined || acts.some((of) => mayAct(person, of)));
  const [kept, keep] = usePreference<ColumnSettings>(columnsName(path));
  const [inView, setInView] = useState<{ readonly id: string; readonly of: ColumnSettings | undefined }>();
  const changed = view !== undefined && inView?.id === view.id;
  const chosen = changed ? inView.of : (view?.columns ?? kept);
  const settings = chosen ?? {};
  const set = (next: ColumnSettings | undefined): void => (view ? setInView({ id: view.id, of: next }) : keep(next));
  const [density = "standard", setDensity] = usePreference<Density>("density");
  return {
    all,
    seen: seen(all, settings),
    settings,
    chosen: chosen ?? null,
    changed: changed && JSON.stringify(inView.of ?? null) !== JSON.stringify(view.columns),
    set,
    density,
    setDensity,
    setWidth: (key, width) => {
      const { [key]: _old, ...widths } = settings.widths ?? {};
      set({ ...settings, widths: width === undefined ? widths : { ...widths, [key]: Math.round(width) } });
    },
  };
}
