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
  set(settings: ColumnSettings | undefined): void;
  setWidth(key: string, width: number | undefined): void;
  readonly density: Density;
  setDensity(density: Density): void;
}

/** Reads and keeps what somebody changed about the columns of the list at an endpoint's path. */
export function useColumns<Row>(path: string, given: readonly Column<Row>[]): Columns<Row> {
  const person = useUser();
  const all = given.filter(({ acts }) => acts === undefined || acts.some((of) => mayAct(person, of)));
  const [settings = {}, set] = usePreference<ColumnSettings>(columnsName(path));
  const [density = "standard", setDensity] = usePreference<Density>("density");
  return {
    all,
    seen: seen(all, settings),
    settings,
    set,
    density,
    setDensity,
    setWidth: (key, width) => {
      const { [key]: _old, ...widths } = settings.widths ?? {};
      set({ ...settings, widths: width === undefined ? widths : { ...widths, [key]: Math.round(width) } });
    },
  };
}
