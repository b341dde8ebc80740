const BROWSERS = [
  ["微信", /MicroMessenger\/(\d+)/],
  ["Edge", /Edg\/(\d+)/],
  ["Firefox", /Firefox\/(\d+)/],
  ["Chrome", /Chrome\/(\d+)/],
  ["Safari", /Version\/(\d+).*Safari/],
] as const;
const SYSTEMS = [
  ["iPhone", /iPhone/],
  ["iPad", /iPad/],
  ["安卓", /Android/],
  ["Windows", /Windows/],
  ["macOS", /Mac OS X/],
  ["Linux", /Linux/],
] as const;

/**
 * A browser's long name in words that somebody can compare with what stands on the desk.
 * @example deviceName("Mozilla/5.0 (Windows NT 10.0) … Chrome/142.0 Safari/537.36") // Chrome 142 · Windows
 */
export function deviceName(agent: string | null): string {
  if (!agent) return "未知";
  const system = SYSTEMS.find(([, pattern]) => pattern.test(agent))?.[0];
  const browser = BROWSERS.find(([, pattern]) => pattern.test(agent));
  const version = browser && browser[1].exec(agent)?.[1];
  return [browser && `${browser[0]} ${version ?? ""}`.trim(), system].filter(Boolean).join(" · ") || agent.slice(0, 60);
}
