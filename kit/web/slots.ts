import type { ComponentType } from "react";

/** Something that a finder found: what it is, one line about it, and the address that shows it. */
export interface Found {
  readonly title: string;
  readonly hint?: string;
  readonly to: string;
}
/** Finds objects by what somebody typed or pasted into the palette. */
export interface Finder {
  /** 支付订单, 会员, … */
  readonly title: string;
  /** Whether these characters could name such an object; keeps finders from being asked in vain. */
  match(text: string): boolean;
  find(text: string, signal: AbortSignal): Promise<readonly Found[]>;
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
  readonly filters: Readonly<Record<string, string>>;
  readonly columns: readonly string[];
  /** How many rows the filter matches, where the list knows. */
  readonly total?: { readonly count: number; readonly more: boolean } | undefined;
}
/** Asks how a list is to be exported and starts the job. */
export type ExportDialog = ComponentType<{ readonly request: ExportRequest; readonly onClose: () => void }>;
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
  readonly finders: Finder[];
  preferences?: PreferenceStore;
  exportDialog?: ExportDialog;
  readonly trays: ComponentType[];
  readonly org: Partial<Record<OrgLevel, OrgLookup>>;
}
/** What the domains put into the kit and the shell. A domain's web door calls the functions below when it is imported. */
export const slots: Slots = { finders: [], trays: [], org: {} };

/**
 * Lets the palette find objects of a domain.
 * @example registerFinder({ title: "支付订单", match: (text) => /^\w{6,32}$/.test(text), find: findOrders });
 */
export function registerFinder(finder: Finder): void {
  slots.finders.push(finder);
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
/** Puts a button with its panel into the top bar: jobs at work, messages. */
export function registerTray(tray: ComponentType): void {
  slots.trays.push(tray);
}
/** Tells `OrgFilter` how to search a level. */
export function registerOrgLookups(lookups: Partial<Record<OrgLevel, OrgLookup>>): void {
  Object.assign(slots.org, lookups);
}
