/** What the product uses of a browser's storage. */
export interface Kept {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
  keys(): string[];
}

/**
 * A browser's storage, or the page's own memory where the browser keeps nothing for us: blocked by a setting, or full.
 * What can't be kept lasts until the page is left, and nothing breaks.
 */
function keptIn(name: "localStorage" | "sessionStorage"): Kept {
  const memory = new Map<string, string>();
  const own = (): Storage | undefined => {
    try {
      return window[name];
    } catch {
      // The browser blocks it.
      return undefined;
    }
  };
  return {
    getItem: (key) => memory.get(key) ?? own()?.getItem(key) ?? null,
    setItem: (key, value) => {
      const storage = own();
      try {
        storage?.setItem(key, value);
      } catch {
        // Full. What stood there is old, and comes back to nobody.
        storage?.removeItem(key);
      }
      if (storage?.getItem(key) === value) memory.delete(key);
      else memory.set(key, value);
    },
    removeItem: (key) => {
      memory.delete(key);
      own()?.removeItem(key);
    },
    keys: () => [...new Set([...memory.keys(), ...Object.keys(own() ?? {})])],
  };
}

/** Lasts over visits, for every tab of the browser. */
export const lasting = keptIn("localStorage");
/** Lasts as long as the tab, through reloads. */
export const ofTab = keptIn("sessionStorage");
