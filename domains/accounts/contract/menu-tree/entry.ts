/** Screen key, title, address after the #, who holds it; `page` is reached from another screen and stays out of the sidebar. */
type Row = readonly [screen: string, title: string, path: `/${string}`, levels: string, page?: "page"];

/** A top entry of the menu with all that stands below it: whoever adds a screen adds it in that entry's file. */
export interface Entry {
  readonly top: {
    readonly title: string;
    /** As spec.md writes it; empty where the entry takes its first child's path. */
    readonly path: string;
    readonly icon: string;
    readonly screens: readonly Row[];
  };
  /** What can be done on a screen beyond looking; the screen is the one whose path begins the button's. */
  readonly buttons: readonly (readonly [path: `/${string}`, title: string, levels: string])[];
  /** Its screens that exist; the menu shows no other. */
  readonly built: readonly string[];
}

export const ALL = "A SP AG GP TM MCH AE";
