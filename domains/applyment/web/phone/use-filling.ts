import { useEffect, useRef, useState } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { getFillPage, saveFillPage } from "../../contract/index.ts";
import { EMPTY, heard, keptNow, maskedOf, shownOf } from "../form/state/dossier-state.ts";
import { useKeeping } from "../form/state/use-keeping.ts";
import { linkDraft } from "./link-draft.ts";

type Page = OutputOf<typeof getFillPage>;
/** Nobody is named at a link. */
const toldBy = ({ values, versions }: Pick<Page, "values" | "versions">) => ({ values, versions, writers: {}, findings: [] });

/** What is typed at a link: kept by the same rules as in the office (dossier-state.ts), a secret when its field is left. */
export function useFilling(token: string, page: Page) {
  const [latest, setLatest] = useState(page);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const touch = (path: string): void => setTouched((now) => (now.has(path) ? now : new Set([...now, path])));
  const { state, step, ...form } = useKeeping(() => heard({ ...EMPTY, typed: linkDraft.read(token, page.paths) }, toldBy(page)), {
    open: latest.closed === null,
    send: async (changes) => {
      const plain = changes.map((one) => ({ ...one, value: typeof one.value === "string" ? one.value : [...one.value] }));
      const answer = await call(saveFillPage, { token, changes: plain }, { form: true, quiet: true });
      setLatest((now) => ({ ...now, ...answer }));
      return (now) => heard(keptNow(now, changes), toldBy(answer));
    },
    anew: async () => {
      const answer = await call(getFillPage, { token }, { quiet: true });
      setLatest(answer);
      step((now) => heard(now, toldBy(answer)));
    },
  });
  const { typed, conflicts } = state;
  const dirty = Object.keys(typed).length > 0;
  useEffect(() => linkDraft.keep(token, typed), [token, typed]);
  useLeaving(dirty, form.keep);
  return {
    ...form,
    page: latest,
    dossier: shownOf(state),
    masked: maskedOf(state),
    typed,
    conflicts,
    dirty,
    touched,
    touch,
    done: (path: string): void => {
      touch(path);
      form.done(path);
    },
  };
}

/** Looking elsewhere keeps what is whole, leaving keeps all; the browser asks first where something is not kept. */
function useLeaving(dirty: boolean, keep: (all: boolean) => Promise<boolean>): void {
  const last = useRef(keep);
  useEffect(() => {
    last.current = keep;
  });
  useEffect(() => {
    const hidden = (): void => void (document.visibilityState === "hidden" && last.current(false));
    const leave = (): void => void last.current(true);
    document.addEventListener("visibilitychange", hidden);
    window.addEventListener("pagehide", leave);
    return () => {
      document.removeEventListener("visibilitychange", hidden);
      window.removeEventListener("pagehide", leave);
    };
  }, []);
  useEffect(() => {
    if (!dirty) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [dirty]);
}
