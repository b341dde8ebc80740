import { useEffect, useMemo, useState } from "react";
import { useLocation, useSearchParams } from "react-router";
import { markDirty } from "@zhangfang/web/form/dirty.ts";
import { drafts } from "@zhangfang/web/form/drafts.ts";
import { confirm } from "@zhangfang/web/notify.ts";
import type { ConfigCalls, ConfigValue } from "../contract/index.ts";
import type { Edits } from "./ConfigPane.tsx";
import type { TreeRow } from "./ConfigTree.tsx";
import type { Known } from "./KeyRow.tsx";

type Ticks = ReadonlyMap<string, TreeRow>;
interface Draft {
  readonly edits: Edits;
  /** What stood at the node when each edit began, to say what somebody else changed since. */
  readonly seen: ReadonlyMap<string, ConfigValue | null>;
  /** Whether it was here before the page was. */
  readonly restored: boolean;
}
const NOTHING: Draft = { edits: new Map(), seen: new Map(), restored: false };
const MANY = "many";

/** What is chosen and what is to be saved there; it stays through a reload, and leaving it unsaved asks first. */
export function useChoice(calls: ConfigCalls) {
  const [query, setQuery] = useSearchParams();
  const node = query.get("node") ?? undefined;
  const [ticked, setTicked] = useState<Ticks | undefined>(() => ticksOf(calls));
  const place = ticked ? MANY : node;
  const { draft, change } = useDraft(calls, place, ticked);
  const [type, id] = (node ?? "").split(":");
  const named = ticked === undefined && id ? { item_type: Number(type), item_id: id } : undefined;
  const discard = (): void => change(NOTHING);
  const leave = async (): Promise<boolean> => {
    const may = draft.edits.size === 0 || (await confirm(`有 ${draft.edits.size} 项修改还没有保存，确定放弃？`, { ok: "放弃修改" }));
    if (may) discard();
    return may;
  };
  return {
    ...draft,
    discard,
    setEdits: (edits: Edits, known?: ReadonlyMap<string, Known>): void => {
      const own = (ckey: string): ConfigValue | null => (draft.seen.has(ckey) ? draft.seen : ownOf(known)).get(ckey) ?? null;
      const seen = new Map(known ? [...edits.keys()].map((ckey) => [ckey, own(ckey)]) : []);
      change({ edits, seen, restored: draft.restored && edits.size > 0 });
    },
    ticked,
    named,
    items: ticked ? [...ticked.values()].map(({ item_type, item_id }) => ({ item_type, item_id })) : named ? [named] : [],
    /** Shows a node in place of none. */
    begin: ({ item_type, item_id }: TreeRow): void =>
      setQuery(
        (before) => {
          const next = new URLSearchParams(before);
          next.set("node", `${item_type}:${item_id}`);
          return next;
        },
        { replace: true },
      ),
    choose: async (chosen: TreeRow | undefined): Promise<void> => {
      if (!(await leave())) return;
      setQuery((before) => {
        const next = new URLSearchParams(before);
        if (chosen) next.set("node", `${chosen.item_type}:${chosen.item_id}`);
        else next.delete("node");
        return next;
      });
    },
    tick: (row: TreeRow): void => {
      const next = new Map(ticked);
      if (!next.delete(row.id)) next.set(row.id, row);
      setTicked(next);
      change(draft, next);
    },
    many: async (): Promise<void> => {
      if (await leave()) setTicked(ticked ? undefined : new Map());
    },
  };
}
const ownOf = (known: ReadonlyMap<string, Known> = new Map()) => new Map([...known].map(([ckey, one]) => [ckey, one.own]));
export type Chosen = ReturnType<typeof useChoice>;

/** The edits of each place by themselves: who follows a link to another node finds them again here. */
function useDraft(calls: ConfigCalls, place: string | undefined, ticked: Ticks | undefined) {
  const { pathname } = useLocation();
  const kept = useMemo(() => (place === undefined ? NOTHING : keptOf(calls, place)), [calls, place]);
  const [changed, setChanged] = useState<{ readonly place: string | undefined; readonly draft: Draft }>();
  const draft = changed?.place === place && changed ? changed.draft : kept;
  const dirty = draft.edits.size > 0;
  const [mark] = useState(() => ({}));
  useEffect(() => {
    markDirty(mark, dirty, pathname);
    return () => markDirty(mark, false, pathname);
  }, [mark, dirty, pathname]);
  const change = (next: Draft, ticks = ticked): void => {
    setChanged({ place, draft: next });
    if (place === undefined) return;
    if (next.edits.size === 0) drafts.remove(nameOf(calls, place));
    else drafts.write(nameOf(calls, place), { edits: [...next.edits], seen: [...next.seen], ticked: [...(ticks?.values() ?? [])] });
  };
  return { draft, change };
}

const nameOf = (calls: ConfigCalls, place: string): string => `${calls.update.path} ${place}`;
interface Kept {
  readonly edits: readonly (readonly [string, ConfigValue | null])[];
  readonly seen: readonly (readonly [string, ConfigValue | null])[];
  readonly ticked: readonly TreeRow[];
}
const readKept = (calls: ConfigCalls, place: string): Kept | undefined => drafts.read(nameOf(calls, place)) as Kept | undefined;
function keptOf(calls: ConfigCalls, place: string): Draft {
  const kept = readKept(calls, place);
  return kept ? { edits: new Map(kept.edits), seen: new Map(kept.seen), restored: true } : NOTHING;
}
/** The nodes that were ticked when the page went, where something was to be saved at them. */
function ticksOf(calls: ConfigCalls): Ticks | undefined {
  const kept = readKept(calls, MANY);
  return kept && new Map(kept.ticked.map((row) => [row.id, row]));
}
