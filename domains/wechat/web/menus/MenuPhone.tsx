import { type KeyboardEvent, type ReactNode, useRef } from "react";
import type { MenuButton } from "../../contract/index.ts";

/** A place in the menu: a top button, and one below it. */
export interface Place {
  readonly top: number;
  readonly sub: number | null;
}
const placeKey = ({ top, sub }: Place): string => `${top}:${sub ?? ""}`;
/** The menu as WeChat draws it, which prints white. A button is chosen by pressing it; arrows walk along it. */
export function MenuPhone({
  menu,
  at,
  onChoose,
  onAdd,
}: {
  menu: readonly MenuButton[];
  at: Place | undefined;
  onChoose: (at: Place) => void;
  onAdd: (top: number | null) => void;
}): ReactNode {
  const phone = useRef<HTMLDivElement>(null);
  const open = at === undefined ? undefined : menu[at.top];
  const walk = (event: KeyboardEvent): void => {
    if (!at || !event.key.startsWith("Arrow")) return;
    const next = neighbour(menu, at, event.key);
    if (!next) return;
    event.preventDefault();
    onChoose(next);
    requestAnimationFrame(() => phone.current?.querySelector<HTMLElement>(`[data-place="${placeKey(next)}"]`)?.focus());
  };
  const button = (place: Place, words: string): ReactNode => (
    <button
      key={placeKey(place)}
      type="button"
      data-place={placeKey(place)}
      aria-pressed={at !== undefined && placeKey(at) === placeKey(place)}
      onClick={() => onChoose(place)}
    >
      {words || "（没有名字）"}
    </button>
  );
  return (
    <div className="wxmenu-phone" role="group" aria-label="手机上的菜单" ref={phone} onKeyDown={walk}>
      <div className="wxmenu-talk" aria-hidden="true">
        顾客打开公众号看到的
      </div>
      <div className="wxmenu-subs">
        {open && at && (
          <div style={{ gridColumn: at.top + 1 }}>
            {open.children.length < 5 && (
              <button type="button" className="wxmenu-add" onClick={() => onAdd(at.top)}>
                ＋ 子菜单
              </button>
            )}
            {open.children.map((one, sub) => button({ top: at.top, sub }, one.name)).toReversed()}
          </div>
        )}
      </div>
      <div className="wxmenu-tops">
        {menu.map((one, top) => button({ top, sub: null }, one.name))}
        {menu.length < 3 && (
          <button type="button" className="wxmenu-add" onClick={() => onAdd(null)}>
            ＋ 菜单
          </button>
        )}
      </div>
    </div>
  );
}
function neighbour(menu: readonly MenuButton[], { top, sub }: Place, key: string): Place | undefined {
  if (key === "ArrowLeft" || key === "ArrowRight") {
    const next = top + (key === "ArrowRight" ? 1 : -1);
    return menu[next] && { top: next, sub: null };
  }
  const children = menu[top]?.children.length ?? 0;
  // Sub buttons stand above, the first one highest in the list and nearest to the bar.
  const next = (sub ?? -1) + (key === "ArrowUp" ? 1 : -1);
  if (next < -1 || next >= children) return undefined;
  return { top, sub: next === -1 ? null : next };
}
