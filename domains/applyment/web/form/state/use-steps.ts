import { type RefObject, useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import { step as steps, type Step } from "../../../contract/codes.ts";
import { fieldOf } from "../../../contract/rules/fields.ts";

const FIELD = "input:not([readonly]):not([disabled]), select, textarea, button";

/**
 * The step in the address, and the way to a field of any step.
 * @param first a field whose step is shown where the address names none
 */
export function useSteps(
  root: RefObject<HTMLElement | null>,
  first: string | undefined,
): {
  readonly step: Step;
  readonly toStep: (step: Step) => void;
  readonly toField: (path: string) => void;
  /** The field that somebody is in. */
  readonly here: () => string | undefined;
} {
  const [query, setQuery] = useSearchParams();
  // As it was when the page was opened: a field that is put right moves nobody.
  const [begin] = useState(() => fieldOf(first ?? "")?.step ?? steps.values[0]!);
  const step = steps.values.find((one) => String(one) === query.get("step")) ?? begin;
  const aim = useRef<string>(undefined);
  const last = useRef<string>(undefined);
  const toStep = (to: Step): void =>
    setQuery(
      (old) => {
        const next = new URLSearchParams(old);
        next.set("step", String(to));
        return next;
      },
      { replace: true },
    );
  const land = (): void => {
    const place = aim.current === undefined ? undefined : root.current?.querySelector(`[data-path="${CSS.escape(aim.current)}"]`);
    if (!place) return;
    last.current = aim.current;
    aim.current = undefined;
    place.scrollIntoView({ block: "center" });
    (place.querySelector<HTMLElement>(FIELD) ?? place.querySelector<HTMLElement>("input"))?.focus({ preventScroll: true });
  };
  // The field may stand in a step that is drawn only now.
  useEffect(land);
  return {
    step,
    toStep,
    toField: (path) => {
      aim.current = path;
      const to = fieldOf(path)?.step;
      if (to !== undefined && to !== step) toStep(to);
      else land();
    },
    here: () => document.activeElement?.closest<HTMLElement>("[data-path]")?.dataset["path"] ?? last.current,
  };
}

/** Ctrl S, Alt 1 to 5 and F8, while this page is seen and no dialog is over it. */
export function useFormKeys(keys: { readonly keep: () => void; readonly toStep: (step: Step) => void; readonly next: () => void }): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { keep, toStep, next } = latest.current;
      const at = /^Digit([1-5])$/.exec(event.code)?.[1];
      const act =
        (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s"
          ? keep
          : event.altKey && at !== undefined
            ? () => toStep(Number(at) as Step)
            : event.key === "F8"
              ? next
              : undefined;
      if (act === undefined || document.querySelector("dialog[open], [role=dialog]")) return;
      event.preventDefault();
      // The frame would change tabs by the same keys.
      event.stopPropagation();
      act();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}
