import { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { call } from "@zhangfang/web/api/api.ts";
import type { OrgChoice, OrgLookup } from "@zhangfang/web/slots.ts";
import {
  getAgent,
  getTeam,
  listAgents,
  listMerchants,
  listMerchantsOfProvider,
  listServiceProvidersShort,
  listTeams,
} from "../contract/index.ts";

/** The choices of an answer: all of them, or the known ones whose names were asked for. */
function chosen(rows: readonly OrgChoice[], ids: readonly string[] | undefined): OrgChoice[] {
  return rows.filter(({ id }) => ids === undefined || ids.includes(id)).map(({ id, name }) => ({ id, name }));
}
/** What is asked for: the first of what somebody types, or everything where names of known ones are looked for. */
const keyword = (search: string, ids: readonly string[] | undefined): { keyword?: string; size?: number } => ({
  ...(search.trim() !== "" && { keyword: search.trim().slice(0, 32) }),
  ...(ids === undefined && { size: 50 }),
});

export const findProviders: OrgLookup = async ({ search, ids }, signal) =>
  chosen(await call(listServiceProvidersShort, keyword(search, ids), { signal, quiet: true }), ids);

export const findMerchants: OrgLookup = async ({ search, within: { serviceProviderId }, ids }, signal) => {
  if (serviceProviderId)
    return chosen(await call(listMerchantsOfProvider, { ...keyword(search, ids), serviceProviderId }, { signal, quiet: true }), ids);
  const found = await call(listMerchants, keyword(search, ids), { signal, quiet: true });
  // By the name that the lists show.
  return chosen(
    found.map(({ id, shortName }) => ({ id, name: shortName })),
    ids,
  );
};

/** Nothing, where the caller may not look there: a filter with no choices, and no error over a list that is fine. */
async function allowed(asked: Promise<readonly OrgChoice[]>, ids: readonly string[] | undefined): Promise<OrgChoice[]> {
  try {
    return chosen(await asked, ids);
  } catch (error) {
    if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return [];
    throw error;
  }
}
const CHOICES = 50;

export const findAgents: OrgLookup = ({ search, within: { serviceProviderId }, ids }, signal) =>
  allowed(
    ids === undefined
      ? call(
          listAgents,
          { ...(search.trim() && { keyword: search.trim() }), serviceProviderId, pageSize: CHOICES },
          { signal, quiet: true },
        ).then(({ items }) => items)
      : Promise.all(ids.map((id) => call(getAgent, { id }, { signal, quiet: true }))),
    ids,
  );
export const findTeams: OrgLookup = ({ search, within: { serviceProviderId }, ids }, signal) =>
  allowed(
    ids === undefined
      ? call(
          listTeams,
          { ...(search.trim() && { keyword: search.trim() }), serviceProviderId, pageSize: CHOICES },
          { signal, quiet: true },
        ).then(({ items }) => items)
      : Promise.all(ids.map((id) => call(getTeam, { id }, { signal, quiet: true }))),
    ids,
  );
