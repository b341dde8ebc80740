import { type ComponentType, useEffect, useState } from "react";
import type { ActOf } from "./act/Act.tsx";
import type { SavedView } from "./list/views/view.ts";
import type { Viewed } from "./list/views/viewed.ts";

/**
 * Something that the command bar lets people begin: the list, drawer or form at an address, which asks before anything happens. Whoever has
 * the button has the act.
 */
export interface PaletteAct {
  /** As the button says it: 新建门店. */
  readonly title: string;
  /** What else people call it. */
  readonly words?: readonly string[];
  /** What the button stands in. */
  readonly of: ActOf;
  readonly to: string;
  /** Where it begins with some days: 对账 昨天. Undefined: not with these. */
  readonly onDays?: (days: { readonly from: string; readonly to: string }) => string | undefined;
  /** The name under which finders tell where it begins with a thing: 退款 4871. */
  readonly onThing?: string;
}
/** Keeps small choices (columns, density, saved views) with the account, so that they follow it to another device. */
export interface PreferenceStore {
  load(name: string): Promise<unknown>;
  save(name: string, value: unknown): Promise<unknown>;
}
/** What an export job is made from: the export source's name, the list's filter, and the keys of the columns in the order they are seen. */
export interface ExportRequest {
  readonly source: string;
  /** The list, as people call it, and what its rows are counted in. */
  readonly title: string;
  readonly unit: string;
  /** With `ids`: those of the filter that were ticked. */
  readonly filters: Readonly<Record<string, string | readonly string[]>>;
  readonly columns: readonly string[];
  /** How many rows the filter matches, where the list knows. */
  readonly total?: { readonly count: number; readonly more: boolean } | undefined;
}
/** Asks how a list is to be exported and starts the job. */
export type ExportDialog = ComponentType<{ readonly request: ExportRequest; readonly onClose: () => void }>;
/** Keeps views of lists on the server, and draws what hangs from 视图. */
export interface ViewStore {
  /** The path of its call: what changes views has it asked again. */
  readonly path: string;
  load(signal: AbortSignal): Promise<readonly SavedView[]>;
  readonly Panel: ComponentType<{ readonly of: Viewed; readonly close: () => void }>;
}
/** A choice of an organisation level. */
export interface OrgChoice {
  readonly id: string;
  readonly name: string;
}
/** Levels of the organisation, by the names of `scopeFilter`, widest first. */
export const ORG_LEVELS = {
  serviceProviderId: "服务商",
  agentId: "代理商",
  businessTeamId: "团队",
  merchantId: "商户",
  storeId: "门店",
} as const;
export type OrgLevel = keyof typeof ORG_LEVELS;
/** Searches one level; `within` carries the wider levels already chosen, `ids` asks for the names of known ones. */
export type OrgLookup = (
  ask: { readonly search: string; readonly within: Partial<Record<OrgLevel, string>>; readonly ids?: readonly string[] },
  signal: AbortSignal,
) => Promise<readonly OrgChoice[]>;

/** A province with its cities and their districts, by name. */
export interface Region {
  readonly name: string;
  readonly cities: readonly { readonly name: string; readonly districts: readonly string[] }[];
}

interface Slots {
  regions?: () => Promise<readonly Region[]>;
  readonly acts: PaletteAct[];
  preferences?: PreferenceStore;
  exportDialog?: ExportDialog;
  views?: ViewStore;
  readonly trays: ComponentType[];
  readonly org: Partial<Record<OrgLevel, OrgLookup>>;
}
/** What the domains put into the kit and the shell. A domain's web door calls the functions below when it is imported, or its `later.ts`, for what can wait. */
export const slots: Slots = { acts: [], trays: [], org: {} };

/**
 * Lets the command bar begin acts of a domain.
 * @example registerActs([{ title: "新建门店", of: openStore, to: "/store/store?panel=add" }]);
 */
export function registerActs(acts: readonly PaletteAct[]): void {
  slots.acts.push(...acts);
}
let later: () => Promise<unknown> = async () => {};
/** What the domains register that no first screen needs (their `later.ts`), in one piece. */
export function registerLater(load: () => Promise<unknown>): void {
  later = load;
}
/** Asks for it. @returns whether it has come */
export function useLater(): boolean {
  const [came, setCame] = useState(false);
  useEffect(() => {
    // Without it the words are missing and nothing else; the next who asks tries again.
    void later().then(
      () => setCame(true),
      () => {},
    );
  }, []);
  return came;
}
/** Gives addresses their provinces, cities and districts. */
export function registerRegions(load: () => Promise<readonly Region[]>): void {
  slots.regions = load;
}
/** Keeps preferences on the server; without it they stay in this browser. */
export function registerPreferences(store: PreferenceStore): void {
  slots.preferences = store;
}
/** Draws the dialog that starts export jobs; without it no export button is shown. */
export function registerExport(dialog: ExportDialog): void {
  slots.exportDialog = dialog;
}
/** Keeps views of lists; without it no list offers any. */
export function registerViews(store: ViewStore): void {
  slots.views = store;
}
/** Puts a button with its panel into the top bar: jobs at work, messages. */
export function registerTray(tray: ComponentType): void {
  slots.trays.push(tray);
}
/** Tells `OrgFilter` how to search a level. */
export function registerOrgLookups(lookups: Partial<Record<OrgLevel, OrgLookup>>): void {
  Object.assign(slots.org, lookups);
}
