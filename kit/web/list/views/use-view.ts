import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { columnsName, usePreference } from "../../look/preferences.ts";
import { slots } from "../../slots.ts";
import type { List } from "../list.ts";
import type { SavedView, ViewSaid } from "./view.ts";

/** What a list opens with where its address says nothing: a view, with what it said when it was chosen. */
export type DefaultView = Pick<SavedView, "id"> & Pick<ViewSaid, "filters" | "days" | "sort">;
/** A list on its screen: one call may fill lists of several screens, and a screen may have several lists. */
type Place = Pick<List, "path" | "endpoint">;
const defaultName = (path: string): string => columnsName(path).replace("columns:", "view:");
/** The view that a list opens with, and its setter. Kept by its screen, there by its call. */
export function useDefaultView({ path, endpoint }: Place): [DefaultView | undefined, (view: DefaultView | undefined) => void] {
  const [ofScreen, keep] = usePreference<Readonly<Record<string, DefaultView>>>(defaultName(path));
  const { [endpoint.path]: chosen, ...others } = ofScreen ?? {};
  return [chosen, (view) => keep(view ? { ...others, [endpoint.path]: view } : others)];
}

/** Shows the view that a list opens with, once, where its address says nothing. */
export function useOpening(place: Place, isBare: (view: DefaultView) => boolean, show: (view: DefaultView) => void): void {
  const [chosen] = useDefaultView(place);
  const looked = useRef(false);
  useEffect(() => {
    if (looked.current) return;
    // What another device chose may come a moment later; by then somebody may have begun.
    looked.current = true;
    if (chosen && isBare(chosen)) show(chosen);
    // Only when the list is opened.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
}

/** The view of this list that the address names, a brought one or a saved one; undefined where there is none, or while it is on its way. */
export function useView({ address, path, endpoint, views }: Place & Pick<List, "address" | "views">): SavedView | undefined {
  const store = slots.views;
  const brought = views.find(({ id }) => id === address.savedId);
  const { data } = useQuery({
    queryKey: [store?.path ?? "views"],
    enabled: store !== undefined && address.savedId !== undefined && brought === undefined,
    queryFn: ({ signal }) => store?.load(signal) ?? [],
  });
  if (brought) return { ...brought, columns: null, path, list: endpoint.path };
  return data?.find((view) => view.id === address.savedId && view.path === path && view.list === endpoint.path);
}
