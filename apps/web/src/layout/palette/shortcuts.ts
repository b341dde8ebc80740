import { useEffectEvent, useLayoutEffect } from "react";
import { letterKeysOn } from "@zhangfang/web/window/letter-keys.ts";

/** What the keyboard reaches from anywhere. */
export interface Shortcuts {
  palette(): void;
  sheet(): void;
  closeTab(): void;
  reopenTab(): void;
  tab(index: number): void;
}

export type KeyLine = readonly [keys: string, what: string];
/** The keys of the frame and what they do, for the sheet that `?` opens. */
export const KEYS: readonly KeyLine[] = [
  ["Ctrl / ⌘ + K", "搜索"],
  ["?", "快捷键一览"],
  ["/", "跳到筛选框"],
  ["Ctrl / ⌘ + Enter", "提交表单"],
  ["Esc", "关闭最上层"],
  ["Alt + W", "关闭当前页签"],
  ["Ctrl + Shift + K", "重新打开刚关闭的页签"],
  ["Alt + 1 … 9", "切换到第几个页签"],
];

const typing = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Listens for the keys of `KEYS` that belong to the frame. */
export function useShortcuts({ palette, sheet, closeTab, reopenTab, tab }: Shortcuts): void {
  const press = useEffectEvent((event: KeyboardEvent): void => {
    const command = event.ctrlKey || event.metaKey;
    const act = ((): (() => void) | undefined => {
      if (command && event.key.toLowerCase() === "k") return event.shiftKey ? reopenTab : palette;
      if (event.altKey && !command && event.code === "KeyW") return closeTab;
      if (event.altKey && !command && /^Digit[1-9]$/.test(event.code)) return () => tab(Number(event.code.slice(5)) - 1);
      return event.key === "?" && !typing(event.target) && letterKeysOn() ? sheet : undefined;
    })();
    if (!act) return;
    event.preventDefault();
    act();
  });
  // With the frame, not some time after it: a key that is pressed when the frame stands must not be lost.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => press(event);
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
}
