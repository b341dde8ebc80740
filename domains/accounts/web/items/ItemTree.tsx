import { type ReactNode, useState } from "react";
import { Button } from "@zhangfang/web/show/Button.tsx";

interface Item {
  readonly id: number;
  readonly parentId: number;
  readonly name: string;
  readonly path: string;
  readonly type: "menu" | "page" | "button";
}

/**
 * A tree of items to tick: entries of the menu, their screens, the buttons of a screen. What is ticked is held as paths. A
 * button brings its screen with it, and a screen that goes takes its buttons along.
 */
export function ItemTree({
  tree,
  value,
  onChange,
  id,
  ...aria
}: {
  tree: readonly Item[];
  value: readonly string[];
  onChange: (paths: string[]) => void;
  id?: string;
  "aria-invalid"?: boolean | undefined;
  "aria-describedby"?: string | undefined;
}): ReactNode {
  const [search, setSearch] = useState("");
  const held = new Set(value);
  const every = [...new Set(tree.flatMap((item) => (item.parentId === 0 ? [] : [item.path])))];
  const set = (paths: readonly string[], on: boolean): void => {
    const next = new Set(held);
    for (const path of paths)
      if (on) next.add(path);
      else next.delete(path);
    onChange(every.filter((path) => next.has(path)));
  };
  const under = (item: Item): Item[] => tree.filter((one) => one.parentId === item.id);
  const found = (item: Item): boolean => search === "" || item.name.includes(search) || under(item).some(found);
  const entries = tree.filter((item) => item.parentId === 0 && found(item));
  return (
    <div className="items" role="group" id={id} aria-label="权限" {...aria}>
      <div className="items-bar">
        <input
          className="input"
          type="search"
          aria-label="查找权限"
          placeholder="查找权限"
          value={search}
          onChange={(event) => setSearch(event.target.value.trim())}
        />
        <span className="note">
          已选 {every.filter((path) => held.has(path)).length} / {every.length}
        </span>
        <Button small onClick={() => set(every, true)}>
          全选
        </Button>
        <Button small onClick={() => set(every, false)}>
          清空
        </Button>
      </div>
      {entries.map((entry) => (
        <Entry
          key={entry.id}
          entry={entry}
          screens={under(entry).filter((one) => entry.name.includes(search) || found(one))}
          under={under}
          held={held}
          set={set}
        />
      ))}
      {entries.length === 0 && <p className="note">没有找到「{search}」</p>}
    </div>
  );
}

interface Ticking {
  readonly held: ReadonlySet<string>;
  readonly set: (paths: readonly string[], on: boolean) => void;
}

/** An entry of the menu with its screens, each with its buttons beside it. */
function Entry({
  entry,
  screens,
  under,
  ...ticking
}: Ticking & { entry: Item; screens: readonly Item[]; under: (item: Item) => readonly Item[] }): ReactNode {
  const all = under(entry).flatMap((screen) => [screen, ...under(screen)]);
  return (
    <section className="items-entry" aria-label={entry.name}>
      <Tick name={entry.name} strong paths={all.map((item) => item.path)} {...ticking} />
      <ul>
        {screens.map((screen) => (
          <li key={screen.id}>
            <Tick name={screen.name} paths={[screen.path]} also={under(screen).map((button) => button.path)} {...ticking} />
            {under(screen).map((button) => (
              <Tick key={button.id} name={button.name} note={screen.name} paths={[button.path]} needs={screen.path} {...ticking} />
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Tick({
  name,
  note,
  paths,
  also = [],
  needs,
  held,
  set,
  strong = false,
}: {
  name: string;
  /** The screen of a button, for those who hear it alone. */
  note?: string;
  paths: readonly string[];
  /** What goes with it when it goes. */
  also?: readonly string[];
  /** What comes with it when it comes. */
  needs?: string;
  strong?: boolean;
} & Ticking): ReactNode {
  const count = paths.filter((path) => held.has(path)).length;
  const all = count === paths.length;
  return (
    <label className={`items-tick${strong ? " items-strong" : note ? " items-button" : ""}`}>
      <input
        type="checkbox"
        checked={all}
        ref={(box) => void (box && (box.indeterminate = count > 0 && !all))}
        onChange={(event) => (event.target.checked ? set(needs ? [needs, ...paths] : paths, true) : set([...paths, ...also], false))}
      />
      <span>
        {note && <span className="sr-only">{note}：</span>}
        {name}
      </span>
    </label>
  );
}
