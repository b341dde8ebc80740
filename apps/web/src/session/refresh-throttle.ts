const KEY = "zhangfang_loads";
const WINDOW_MS = 60_000;
const WARN_ABOVE = 2;
const LOGOUT_ABOVE = 4;

export const WARNING = "请勿频繁刷新页面";
export const LOGGED_OUT = "页面刷新过于频繁，已退出登录，请稍后再登录";

/**
 * Records this page load and says what its frequency means: only loads of the last 60 seconds count,
 * above 2 it warns, above 4 the session ends (spec.md sections 4 and 9).
 */
export function recordLoad(storage: Pick<Storage, "getItem" | "setItem">, now_ms: number): "fine" | "warn" | "logout" {
  const loads = [...earlier(storage.getItem(KEY)).filter((at) => at > now_ms - WINDOW_MS), now_ms];
  storage.setItem(KEY, JSON.stringify(loads));
  if (loads.length > LOGOUT_ABOVE) return "logout";
  return loads.length > WARN_ABOVE ? "warn" : "fine";
}

function earlier(text: string | null): number[] {
  try {
    const loads: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(loads) ? loads.filter((at) => typeof at === "number") : [];
  } catch {
    return [];
  }
}
