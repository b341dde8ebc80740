import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { useUser } from "../api/user.ts";
import { type OrgLevel, type OrgChoice, slots } from "../slots.ts";
import { lasting } from "./storage.ts";

/** Finds the things that a screen could be about, or the one whose id is known. */
type Find = (ask: { readonly search: string; readonly id?: string }, signal: AbortSignal) => Promise<readonly OrgChoice[]>;

/**
 * Opens a screen about one thing on a useful one: the one last looked at here, else the first in sight. `asking` until that is known.
 * @param what the name under which the last one is kept: screens about the same kind of thing share it
 */
export function useOpening({
  what,
  value,
  find,
  open,
  off = false,
}: {
  what: string;
  value: string | undefined;
  find: Find;
  open: (id: string) => void;
  /** Nobody chooses here: it is known by itself. */
  off?: boolean;
}): { readonly asking: boolean } {
  const { id: who } = useUser();
  const key = `opening ${what} ${who}`;
  const last = lasting.getItem(key);
  const first = useQuery({
    queryKey: ["opening", what, last],
    enabled: value === undefined && !off,
    queryFn: async ({ signal }) => {
      const known = last === null ? undefined : (await find({ search: "", id: last }, signal)).find(({ id }) => id === last);
      return (known ?? (await find({ search: "" }, signal))[0])?.id ?? null;
    },
  });
  const found = value === undefined && !off ? first.data : undefined;
  useEffect(() => {
    if (value !== undefined) lasting.setItem(key, value);
  }, [key, value]);
  useEffect(() => {
    if (found) open(found);
    // Once for what was found; `open` is another function at every drawing.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [found]);
  return { asking: value === undefined && !off && (first.isLoading || Boolean(first.data)) };
}

/**
 * The same for a screen whose choice stands in its address, in place of the address without one: going back leaves the screen.
 * @param name of the parameter
 */
export function useOpeningAt(name: string, find: Find, off = false): { readonly asking: boolean } {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const query = new URLSearchParams(search);
  return useOpening({
    what: name,
    value: query.get(name) ?? undefined,
    find,
    off,
    open: (id) => {
      query.set(name, id);
      void navigate({ pathname, search: `?${query.toString()}` }, { replace: true });
    },
  });
}

/** Members of a level of the organisation. @example useOpeningAt("storeId", findOrg("storeId")) */
export const findOrg =
  (level: OrgLevel): Find =>
  async ({ search, id }, signal) =>
    (await slots.org[level]?.({ search, within: {}, ...(id !== undefined && { ids: [id] }) }, signal)) ?? [];
