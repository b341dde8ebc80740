import { createContext, useContext, useEffect } from "react";

/** Set by the shell around each visited page. */
export const ScreenTitle = createContext<(title: string) => void>(() => undefined);

/**
 * Names the tab of a page after its object, once it is known.
 * @example useScreenTitle(member && `会员 · ${member.name}`);
 */
export function useScreenTitle(title: string | undefined | false): void {
  const set = useContext(ScreenTitle);
  useEffect(() => {
    if (title) set(title);
  }, [title, set]);
}
