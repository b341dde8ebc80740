import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useNavigate } from "react-router";
import { useSettled } from "@zhangfang/web/filter/use-settled.ts";
import { Icon } from "@zhangfang/web/show/icons.tsx";
import { slots } from "@zhangfang/web/slots.ts";
import { lasting } from "@zhangfang/web/window/storage.ts";
import type { Route } from "../../menu/routes.ts";
import { matchTitle } from "./pinyin.ts";

interface Choice {
  readonly group: string;
  readonly title: string;
  readonly hint: string;
  readonly to: string;
}
interface PaletteProps {
  readonly routes: ReadonlyMap<string, Route>;
  readonly addressFor: (path: string) => string;
  readonly onClose: () => void;
}
const SCREENS = "菜单";
const RECENT_KEY = "zhangfang_recent";
const SHOWN = 8;

/** Screens by hanzi or pinyin initials, and objects by their numbers: the finders that the domains registered are asked. */
export default function Palette({ routes, addressFor, onClose }: PaletteProps): ReactNode {
  const navigate = useNavigate();
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const { found, asking } = useFound(typed.trim());
  const screens = useMemo(() => screensFor(typed, routes), [typed, routes]);
  const choices = [...screens, ...found];
  const current = Math.min(at, choices.length - 1);
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    dialog.current?.querySelector(`#choice-${current}`)?.scrollIntoView({ block: "nearest" });
  }, [current]);
  const go = (choice: Choice | undefined): void => {
    if (!choice) return;
    remember(choice.to);
    onClose();
    void navigate(choice.group === SCREENS ? addressFor(choice.to) : choice.to);
  };
  const press = (event: KeyboardEvent): void => {
    const to = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: choices.length - 1 }[event.key];
    if (event.key === "Enter") go(choices[Math.max(0, current)]);
    else if (to === undefined || choices.length === 0) return;
    else setAt((to + choices.length) % choices.length);
    event.preventDefault();
  };
  const type = (text: string): void => {
    setTyped(text);
    setAt(0);
  };
  const nothing = choices.length === 0 && typed.trim() !== "" ? "没有找到。可输入菜单名、拼音首字母（如 zfdd）或完整单号。" : "";
  // Outside the page's root, which is inert while a drawer is open.
  return createPortal(
    <dialog
      ref={dialog}
      className="palette"
      aria-label="搜索"
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      <div className="palette-field">
        <Icon name="search" />
        <input
          role="combobox"
          aria-expanded={choices.length > 0}
          aria-controls="choices"
          aria-activedescendant={choices.length > 0 ? `choice-${current}` : undefined}
          aria-autocomplete="list"
          aria-label="搜索菜单、单号、会员"
          placeholder="菜单名、拼音首字母或单号"
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
      <Choices choices={choices} current={current} go={go} point={setAt} />
      <p className="palette-state" role="status">
        {asking ? "查找中…" : nothing}
      </p>
    </dialog>,
    document.body,
  );
}

function Choices({
  choices,
  current,
  go,
  point,
}: {
  choices: readonly Choice[];
  current: number;
  go: (choice: Choice) => void;
  point: (index: number) => void;
}): ReactNode {
  if (choices.length === 0) return null;
  return (
    <ul id="choices" role="listbox" aria-label="结果">
      {choices.map((choice, index) => (
        <li
          key={`${choice.group}${choice.to}${choice.title}`}
          id={`choice-${index}`}
          role="option"
          aria-selected={index === current}
          onClick={() => go(choice)}
          onMouseMove={() => point(index)}
        >
          <span>{choice.title}</span>
          <span className="note">{choice.hint || choice.group}</span>
        </li>
      ))}
    </ul>
  );
}

function screensFor(typed: string, routes: ReadonlyMap<string, Route>): Choice[] {
  const all = [...routes.values()].filter((route) => !route.page);
  const choice = (route: Route): Choice => ({
    group: SCREENS,
    title: route.title,
    hint: route.trail.slice(0, -1).join(" / "),
    to: route.path,
  });
  if (typed.trim() === "")
    return recent()
      .flatMap((path) => (routes.has(path) ? [choice(routes.get(path)!)] : []))
      .slice(0, SHOWN);
  return all
    .map((route) => ({ route, score: matchTitle(route.title, typed) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, SHOWN)
    .map(({ route }) => choice(route));
}

/** What the finders of the domains know by this name or number. */
function useFound(typed: string): { found: readonly Choice[]; asking: boolean } {
  const text = useSettled(typed, 180);
  const [state, setState] = useState<{ text: string; found: readonly Choice[] }>({ text: "", found: [] });
  useEffect(() => {
    const finders = slots.finders.filter((finder) => text !== "" && finder.match(text));
    const abort = new AbortController();
    const asked = finders.map((finder) =>
      finder.find(text, abort.signal).then(
        (found) =>
          found
            .slice(0, SHOWN)
            .map((one): Choice => ({ group: finder.title, title: one.title, hint: one.hint ?? finder.title, to: one.to })),
        () => [],
      ),
    );
    void Promise.all(asked).then((lists) => !abort.signal.aborted && setState({ text, found: lists.flat() }));
    return () => abort.abort();
  }, [text]);
  const wanted = slots.finders.some((finder) => typed !== "" && finder.match(typed));
  return { found: wanted && state.text === typed ? state.found : [], asking: wanted && state.text !== typed };
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
  lasting.setItem(RECENT_KEY, JSON.stringify([path, ...recent().filter((one) => one !== path)].slice(0, SHOWN)));
}
