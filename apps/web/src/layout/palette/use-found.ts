import { useEffect, useState } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { find } from "@zhangfang/domains/find/contract/index.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { useSettled } from "@zhangfang/web/filter/use-settled.ts";

type Answer = OutputOf<typeof find>;
const NOTHING: Answer = { groups: [], failed: [], recent: [], byAmount: [], kinds: [] };
/** Until somebody stops typing. */
const PAUSE_MS = 160;

interface Found {
  readonly answer: Answer;
  readonly asking: boolean;
  /** The server could not be asked. */
  readonly lost: boolean;
}
/** What the server finds by a text; an answer to an older text is never shown for a newer one. */
export function useFound(typed: string): Found {
  const text = useSettled(typed, PAUSE_MS);
  const [state, setState] = useState<{ text: string; answer: Answer; lost: boolean }>({ text: "", answer: NOTHING, lost: false });
  useEffect(() => {
    if (text === "") return undefined;
    const abort = new AbortController();
    call(find, { text }, { signal: abort.signal, quiet: true }).then(
      (answer) => !abort.signal.aborted && setState({ text, answer, lost: false }),
      () => !abort.signal.aborted && setState({ text, answer: NOTHING, lost: true }),
    );
    return () => abort.abort();
  }, [text]);
  const here = typed !== "" && state.text === typed;
  return { answer: here ? state.answer : NOTHING, asking: typed !== "" && !here, lost: here && state.lost };
}

/** What this account may look for, in the words of the field. */
export function useKinds(): readonly string[] {
  const [kinds, setKinds] = useState<readonly string[]>([]);
  useEffect(() => {
    const abort = new AbortController();
    call(find, {}, { signal: abort.signal, quiet: true }).then(
      (answer) => !abort.signal.aborted && setKinds(answer.kinds),
      () => {},
    );
    return () => abort.abort();
  }, []);
  return kinds;
}
