import { call } from "@zhangfang/web/api.ts";
import type { OrgChoice, OrgLookup } from "@zhangfang/web/slots.ts";
import { listMerchants, listMerchantsOfProvider, listServiceProvidersShort } from "../contract/index.ts";

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
