import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useNavigate } from "react-router";
import { AMOUNT_DAYS, AMOUNT_ROWS, LONGEST_TEXT } from "@zhangfang/domains/find/contract/index.ts";
import { mayAct } from "@zhangfang/web/act/Act.tsx";
import { user } from "@zhangfang/web/api/user.ts";
import { today } from "@zhangfang/web/filter/day-shortcuts.ts";
import { levelWords } from "@zhangfang/web/level-names.ts";
import { Icon } from "@zhangfang/web/show/icons.tsx";
import { type PaletteAct, slots, useLater } from "@zhangfang/web/slots.ts";
import { composes } from "@zhangfang/web/window/entered.ts";
import { lasting } from "@zhangfang/web/window/storage.ts";
import type { Route } from "../../menu/routes.ts";
import { actsFor, begunBy, type Choice, foundGroups, type Group, ranked, screensFor } from "./choices.ts";
import { useFound, useKinds } from "./use-found.ts";

interface PaletteProps {
  readonly routes: ReadonlyMap<string, Route>;
  readonly addressFor: (path: string) => string;
  readonly onClose: () => void;
}
const RECENT_KEY = "zhangfang_recent";
const RECENT = 8;

/** 搜索: screens and acts by hanzi or pinyin, and whatever of the account's own a text names; choosing opens its address. */
export default function Palette({ routes, addressFor, onClose }: PaletteProps): ReactNode {
  const navigate = useNavigate();
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  // Enter before there was anything to choose: the first that comes is chosen.
  const [eager, setEager] = useState(false);
  const came = useLater();
  // eslint-disable-next-line react-hooks/exhaustive-deps -- the acts are there once they have come
  const acts = useMemo(() => slots.acts.filter(({ of }) => mayAct(user(), of)).map(called), [came]);
  const { groups, asking, said } = useGroups(typed.trim(), routes, acts);
  const choices = groups.flatMap(({ items }) => items);
  const current = Math.min(at, choices.length - 1);
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    dialog.current?.querySelector(`#choice-${current}`)?.scrollIntoView({ block: "nearest" });
  }, [current]);
  const go = (choice: Choice | undefined): void => {
    if (!choice) return;
    remember(choice.to);
    onClose();
    void navigate(routes.has(choice.to) ? addressFor(choice.to) : choice.to);
  };
  const goFirst = useEffectEvent(() => go(choices[0]));
  useEffect(() => {
    if (!eager || asking) return;
    setEager(false);
    goFirst();
  }, [eager, asking]);
  const press = (event: KeyboardEvent): void => {
    if (composes(event)) return;
    const to = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: choices.length - 1 }[event.key];
    if (event.key === "Enter") {
      if (choices.length > 0) go(choices[Math.max(0, current)]);
      else setEager(asking);
    } else if (to === undefined || choices.length === 0) return;
    else setAt((to + choices.length) % choices.length);
    event.preventDefault();
  };
  const type = (text: string): void => {
    setTyped(text);
    setAt(0);
    setEager(false);
  };
  // Outside the page's root, which is inert while a drawer is open.
  return createPortal(
    <dialog
      ref={dialog}
      className="palette"
      aria-label="搜索"
      aria-busy={asking}
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      <Field
        typed={typed}
        type={type}
        press={press}
        shown={choices.length > 0}
        begins={acts.length > 0}
        current={current}
        onClose={onClose}
      />
      <Choices groups={groups} current={current} go={go} point={setAt} />
      <p className="palette-state" role="status">
        {said}
      </p>
    </dialog>,
    document.body,
  );
}

/** An act in the words of this provider. */
const called = (act: PaletteAct): PaletteAct => ({
  ...act,
  title: levelWords(act.title),
  ...(act.words && { words: act.words.map((word) => levelWords(word)) }),
});
/** Names of kinds, as this provider has them. */
const listed = (kinds: readonly string[]): string => kinds.map((kind) => levelWords(kind)).join("、");

/** What is shown for a text, and the one line below it. */
function useGroups(
  typed: string,
  routes: PaletteProps["routes"],
  acts: readonly PaletteAct[],
): { groups: readonly Group[]; asking: boolean; said: string } {
  const begun = begunBy(typed, acts);
  const { answer, asking, lost } = useFound(begun?.act.onThing ? begun.rest : typed);
  const own = useMemo(() => [...actsFor(typed, acts, today()), ...screensFor(typed, routes, recent())], [typed, acts, routes]);
  const groups = ranked([...own, ...foundGroups(answer, begun)]);
  if (asking) return { groups, asking, said: groups.length === 0 ? "查找中…" : "" };
  if (lost) return { groups, asking, said: "只列出菜单和操作，其他内容暂时查不到" };
  if (answer.failed.length > 0) return { groups, asking, said: `${listed(answer.failed)}暂时查不到` };
  const part = partWords(answer);
  const nothing = groups.length === 0 && typed !== "";
  if (part !== "") return { groups, asking, said: nothing ? `没有找到；${part}` : part };
  return { groups, asking, said: nothing ? "没有找到。可以换一种说法，或输入名称的一部分、拼音首字母、单号中的 6 位数字。" : "" };
}

/** Of which kinds not everything was looked at. */
const partWords = ({ recent: numbers, byAmount }: ReturnType<typeof useFound>["answer"]): string =>
  [
    numbers.length > 0 && `${listed(numbers)}只找了最近的，输入更多位数字可以找得更准`,
    byAmount.length > 0 && `${listed(byAmount)}按金额只找近 ${AMOUNT_DAYS} 天最新的 ${AMOUNT_ROWS.toLocaleString("en-US")} 笔`,
  ]
    .filter(Boolean)
    .join("；");

interface FieldProps {
  readonly typed: string;
  readonly type: (text: string) => void;
  readonly press: (event: KeyboardEvent) => void;
  readonly shown: boolean;
  /** Whether there is an act that the account may begin. */
  readonly begins: boolean;
  readonly current: number;
  readonly onClose: () => void;
}
/** It promises what this account finds, and no more. */
function Field({ typed, type, press, shown, begins, current, onClose }: FieldProps): ReactNode {
  const kinds = useKinds();
  return (
    <div className="palette-field">
      <Icon name="search" />
      <input
        role="combobox"
        aria-expanded={shown}
        aria-controls="choices"
        aria-activedescendant={shown ? `choice-${current}` : undefined}
        aria-autocomplete="list"
        aria-label="搜索"
        placeholder={listed(["菜单", ...(begins ? ["操作"] : []), ...kinds])}
        maxLength={LONGEST_TEXT}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => type(event.target.value)}
        onKeyDown={press}
        autoFocus
      />
      <button type="button" className="icon-button" aria-label="关闭" onClick={onClose}>
        <Icon name="close" />
      </button>
    </div>
  );
}

interface ChoicesProps {
  readonly groups: readonly Group[];
  readonly current: number;
  readonly go: (choice: Choice) => void;
  readonly point: (index: number) => void;
}
function Choices({ groups, current, go, point }: ChoicesProps): ReactNode {
  if (groups.length === 0) return null;
  const firsts = groups.map((_group, nth) => groups.slice(0, nth).reduce((sum, { items }) => sum + items.length, 0));
  return (
    <div id="choices" role="listbox" aria-label="结果">
      {groups.map(({ title, items }, nth) => {
        const first = firsts[nth]!;
        return (
          <div key={`${title}${nth}`} role="group" aria-label={levelWords(title)}>
            <p aria-hidden="true">{levelWords(title)}</p>
            {items.map((choice, at) => (
              <div
                key={`${choice.to}${choice.title}`}
                id={`choice-${first + at}`}
                role="option"
                aria-selected={first + at === current}
                onClick={() => go(choice)}
                onMouseMove={() => point(first + at)}
              >
                <span>{choice.title}</span>
                {choice.hint && <span className="note">{choice.hint}</span>}
              </div>
            ))}
          </div>
        );
      })}
    </div>
  );
}

function recent(): string[] {
  try {
    return JSON.parse(lasting.getItem(RECENT_KEY) ?? "[]") as string[];
  } catch {
    return [];
  }
}
function remember(to: string): void {
  const path = to.split("?")[0] ?? to;
  lasting.setItem(RECENT_KEY, JSON.stringify([path, ...recent().filter((one) => one !== path)].slice(0, RECENT)));
}
