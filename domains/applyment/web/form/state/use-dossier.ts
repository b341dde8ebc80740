import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useLocation } from "react-router";
import { useQueryClient } from "@tanstack/react-query";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { markDirty } from "@zhangfang/web/form/dirty.ts";
import { drafts } from "@zhangfang/web/form/drafts.ts";
import { getDossier, listDossiers, saveDossier } from "../../../contract/index.ts";
import { fieldOf } from "../../../contract/words.ts";
import { type Change, type DossierState, EMPTY, heard, keptNow, maskedOf, shownOf, type Typed } from "./dossier-state.ts";
import { liveFindings } from "./live-findings.ts";
import { type Step, useKeeping } from "./use-keeping.ts";

type Told = OutputOf<typeof getDossier>;
const draftOf = (merchantId: string): string => `applyment:${merchantId}`;

/** The first state: what the server told, with what this tab could not bring there the last time. */
function opened(told: Told, merchantId: string): DossierState {
  const waiting = Object.entries((drafts.read(draftOf(merchantId)) ?? {}) as Typed).filter(([path]) => fieldOf(path) !== undefined);
  return heard({ ...EMPTY, typed: Object.fromEntries(waiting.map(([path, { value, over }]) => [path, { value, over }])) }, told);
}
/** What arrived is not brought again, also where the page was left before the answer came. */
function forget(merchantId: string, changes: readonly Change[]): void {
  const waiting = (drafts.read(draftOf(merchantId)) ?? {}) as Typed;
  const arrived = (path: string): boolean =>
    changes.some((one) => one.path === path && JSON.stringify(one.value) === JSON.stringify(waiting[path]?.value));
  const rest = Object.fromEntries(Object.entries(waiting).filter(([path]) => !arrived(path)));
  if (Object.keys(rest).length > 0) drafts.write(draftOf(merchantId), rest);
  else drafts.remove(draftOf(merchantId));
}
/** A dossier that keeps itself while it is filled in. */
export function useDossier(merchantId: string, told: Told, open: boolean) {
  const client = useQueryClient();
  const send = async (changes: readonly Change[]): Promise<Step> => {
    const plain = changes.map((one) => ({ ...one, value: typeof one.value === "string" ? one.value : [...one.value] }));
    const answer = await call(saveDossier, { merchantId, changes: plain }, { form: true, quiet: true });
    forget(merchantId, changes);
    for (const { path } of [listDossiers, getDossier]) void client.invalidateQueries({ queryKey: [path] });
    return (now) => keptNow(now, changes, answer.findings);
  };
  const anew = async (): Promise<Told> => {
    const answer = await call(getDossier, { merchantId }, { quiet: true });
    step((now) => heard(now, answer));
    void client.invalidateQueries({ queryKey: [getDossier.path] });
    return answer;
  };
  const { state, step, ...form } = useKeeping(() => opened(told, merchantId), { open, send, anew });
  useEffect(() => step((now) => heard(now, told)), [told, step]);
  useKeptOnLeaving(merchantId, state, () => void form.keep(true));
  const [today] = useState(() => shanghaiDay(Date.now()));
  const seen = useMemo(() => {
    const [shown, masked] = [shownOf(state), maskedOf(state)];
    const typed = new Set(Object.keys(state.typed));
    return { shown, masked, findings: liveFindings({ dossier: shown, masked, typed, server: state.findings, today, micro: told.micro }) };
  }, [state, told.micro, today]);
  return { ...seen, ...form, anew, conflicts: state.conflicts, typed: state.typed, dirty: Object.keys(state.typed).length > 0 };
}
export type DossierForm = ReturnType<typeof useDossier>;

/** What is not kept yet survives a reload, and goes out where the page is left. Secrets are in no storage of the browser's. */
function useKeptOnLeaving(merchantId: string, { typed }: DossierState, keep: () => void): void {
  const { pathname } = useLocation();
  const [mark] = useState(() => ({}));
  const last = useRef(keep);
  useLayoutEffect(() => {
    last.current = keep;
  });
  useEffect(() => {
    const plain = Object.fromEntries(Object.entries(typed).filter(([path]) => !fieldOf(path)?.secret));
    if (Object.keys(plain).length > 0) drafts.write(draftOf(merchantId), plain);
    else drafts.remove(draftOf(merchantId));
    markDirty(mark, Object.keys(typed).length > 0, pathname);
  }, [typed, merchantId, mark, pathname]);
  useEffect(
    () => () => {
      markDirty(mark, false, pathname);
      last.current();
    },
    [mark, pathname],
  );
}
