import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { fieldOf } from "../../../contract/words.ts";
import type { FieldValue } from "../../fields/FieldRow.tsx";
import { added, type Change, changesOf, type DossierState, keepMine, left, refusedAt, takeTheirs, wrote } from "./dossier-state.ts";

/** A pause in typing after which it is kept. */
const PAUSE_MS = 1_000;
/** After a failure that may end by itself. */
const AGAIN_MS = 8_000;
export type Step = (state: DossierState) => DossierState;

/** Where a dossier is kept. */
export interface Keeper {
  /** Whether anything may be changed. */
  readonly open: boolean;
  /** Brings fields there. @returns what the answer makes of the state */
  readonly send: (changes: readonly Change[]) => Promise<Step>;
  /** Reads it anew: somebody else wrote meanwhile, or it may not be written any more. */
  readonly anew: () => Promise<unknown>;
}
/** One after another, and the state as it is now, not as it was drawn: pictures arrive whenever they do. */
function useLine(first: () => DossierState) {
  const [state, setState] = useState(first);
  const now = useRef(state);
  const step = useCallback((by: Step): void => {
    now.current = by(now.current);
    setState(now.current);
  }, []);
  const line = useRef<Promise<unknown>>(Promise.resolve());
  const inLine = <T>(act: () => Promise<T>): Promise<T> => {
    const turn = line.current.then(act);
    line.current = turn.catch(() => undefined);
    return turn;
  };
  return { state, now, step, inLine };
}

type Line = ReturnType<typeof useLine>;
/** Sends fields; what is refused by itself is set apart, and everything beside it goes through. */
async function deliver(changes: readonly Change[], send: Keeper["send"], step: Line["step"]): Promise<void> {
  try {
    step(await send(changes));
  } catch (reason) {
    if (!(reason instanceof ApiError) || reason.status !== 400) throw reason;
    const [one] = changes;
    if (changes.length === 1 && one) return step((old) => refusedAt(old, one, Object.values(reason.fields)[0] ?? reason.message));
    const half = Math.ceil(changes.length / 2);
    await deliver(changes.slice(0, half), send, step);
    await deliver(changes.slice(half), send, step);
  }
}
const isOutdated = (reason: unknown): boolean =>
  reason instanceof ApiError && (reason.code === "dossier.changed" || reason.code === "applyment.on-its-way");

/** One thing to do later; nothing once the page is gone. */
function oneTimer() {
  let [timer, isGone]: [ReturnType<typeof setTimeout> | undefined, boolean] = [undefined, false];
  return {
    set(after_ms: number, act: () => void): void {
      clearTimeout(timer);
      if (!isGone) timer = setTimeout(act, after_ms);
    },
    clear: (): void => clearTimeout(timer),
    come: (): void => void (isGone = false),
    go(): void {
      isGone = true;
      clearTimeout(timer);
    },
  };
}
function useTimer() {
  const [timer] = useState(oneTimer);
  useEffect(() => {
    timer.come();
    return timer.go;
  }, [timer]);
  return timer;
}
/** What is typed goes out a moment after it, one call at a time, again where the way was broken. */
function useSending({ state, now, step, inLine }: Line, keeper: Keeper) {
  const [saving, setSaving] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [savedAt, setSavedAt] = useState<number>();
  const timer = useTimer();
  const at = useRef(keeper);
  useLayoutEffect(() => {
    at.current = keeper;
  });
  /** The secret that somebody is typing. */
  const holding = useRef<string>(undefined);
  const failed = (reason: unknown): void => {
    if (!(reason instanceof ApiError)) throw reason;
    const mayEnd = reason.away || reason.kind === "timeout";
    setFailure(mayEnd ? "网络不通，写的都还在，会自动再试" : reason.message);
    if (mayEnd || reason.status >= 500) later(AGAIN_MS);
  };
  const send = async (changes: readonly Change[]): Promise<void> => {
    setSaving(true);
    try {
      await deliver(changes, at.current.send, step);
      setFailure(undefined);
      setSavedAt(Date.now());
    } catch (reason) {
      if (isOutdated(reason)) await at.current.anew().catch(failed);
      else failed(reason);
    } finally {
      setSaving(false);
    }
  };
  /** @returns whether nothing is left that is typed and not kept */
  const keep = (all = false): Promise<boolean> => {
    timer.clear();
    if (all) holding.current = undefined;
    return inLine(async () => {
      const changes = changesOf(now.current, holding.current);
      if (changes.length > 0 && at.current.open) await send(changes);
      return Object.keys(now.current.typed).length === 0;
    });
  };
  const later = (pause_ms = PAUSE_MS): void => timer.set(pause_ms, () => void keep());
  // What was typed while a call was on its way goes after it.
  const waits = changesOf(state, holding.current).length > 0;
  useEffect(() => {
    if (!saving && waits && failure === undefined) later();
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [saving, waits]);
  return {
    saving,
    failure,
    savedAt,
    keep,
    later,
    hold: (path: string): void => void (holding.current = path),
    release: (path: string): void => void (holding.current === path && (holding.current = undefined)),
  };
}

/** A dossier that is filled in and keeps itself at `keeper`. */
export function useKeeping(first: () => DossierState, keeper: Keeper) {
  const line = useLine(first);
  const { hold, release, later, ...sending } = useSending(line, keeper);
  const { state, now, step } = line;
  const act = (by: Step): void => {
    step(by);
    later();
  };
  return {
    ...sending,
    state,
    now: () => now.current,
    step,
    write: (path: string, value: FieldValue): void => {
      // A picture may arrive while a secret is being typed: that one still waits.
      if (fieldOf(path)?.secret) hold(path);
      act((old) => wrote(old, path, value));
    },
    /** A picture that arrived is added to what stands there by now. */
    add: (path: string, file: string): void => act((old) => added(old, path, file)),
    done: (path: string): void => {
      release(path);
      step((old) => left(old, path));
      later(0);
    },
    keepMine: (path: string): void => act((old) => keepMine(old, path)),
    takeTheirs: (path: string): void => step((old) => takeTheirs(old, path)),
  };
}
