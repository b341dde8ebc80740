import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { columnsName, usePreference } from "../../look/preferences.ts";
import { slots } from "../../slots.ts";
import type { List } from "../list.ts";
import type { SavedView, ViewSaid } from "./view.ts";

/** What a list opens with where its address says nothing: a view, with what it said when it was chosen. */
export type DefaultView = Pick<SavedView, "id"> & Pick<ViewSaid, "filters" | "days" | "sort">;
const defaultName = (list: string): string => columnsName(list).replace("columns:", "view:");
/** The view that a list opens with, and its setter. */
export const useDefaultView = (list: string) => usePreference<DefaultView>(defaultName(list));

/** Shows the view that a list opens with, once, where its address says nothing. */
export function useOpening(list: string, bare: boolean, show: (view: DefaultView) => void): void {
  const [chosen] = useDefaultView(list);
  const looked = useRef(false);
  useEffect(() => {
    if (looked.current) return;
    // What another device chose may come a moment later; by then somebody may have begun.
    looked.current = true;
    if (bare && chosen) show(chosen);
    // Only when the list is opened.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
}

/** The view that the address names; undefined where there is none, or while it is on its way. */
export function useView({ address }: Pick<List, "address">): SavedView | undefined {
  const store = slots.views;
  const { data } = useQuery({
    queryKey: [store?.path ?? "views"],
    enabled: store !== undefined && address.savedId !== undefined,
    queryFn: ({ signal }) => store?.load(signal) ?? [],
  });
  return data?.find(({ id }) => id === address.savedId);
}
