import { isTest, type Import, type Module, type Violation } from "./modules.ts";

const SOCKETS = new Set(["net", "http", "https", "http2", "tls", "dgram", "undici", "ws"]);
/** Names in those modules that connect nothing. */
const HARMLESS = new Set(["STATUS_CODES", "METHODS", "isIP", "isIPv4", "isIPv6", "BlockList"]);
const MAY_CONNECT = /^(kit\/server\/outside\/outbound\.ts|apps\/(channel|device|platform)-simulator\/)/;

/** apps → domains → kit → nothing; in a domain web → contract ← server; another domain only through its door. */
export function importViolations(modules: readonly Module[]): Violation[] {
  return modules.flatMap((module) =>
    module.imports.flatMap((imported) => {
      const why = brokenLaw(module.path, imported);
      return why ? [{ path: module.path, line: imported.line, why }] : [];
    }),
  );
}

function brokenLaw(path: string, imported: Import): string | undefined {
  const { target } = imported;
  if (path.startsWith("kit/") && /^(domains|apps)\//.test(target)) return `kit 不认识 ${roomOf(target)}`;
  // The tests of a domain stand in the demo world's tree, and speak the grammar of the matrix.
  const stands = isTest(path) && /^apps\/(demo|server\/testing)\//.test(target);
  if (path.startsWith("domains/") && target.startsWith("apps/") && !stands) return "domains 不认识 apps";
  return sideLaw(path, target) ?? doorLaw(path, target) ?? outsideLaw(path, imported);
}

/** What a file belongs to: both sides read a contract, and the sides do not know each other. */
function sideOf(path: string): "web" | "server" | "contract" | undefined {
  if (path.startsWith("kit/web/vite/")) return undefined;
  if (/^(kit\/web|domains\/[^/]+\/web|apps\/web\/src)\//.test(path)) return "web";
  if (/^(kit\/server|domains\/[^/]+\/server|apps\/server)\//.test(path)) return "server";
  if (/^(kit\/contract\/|domains\/[^/]+\/contract[./])/.test(path)) return "contract";
  return undefined;
}

function sideLaw(path: string, target: string): string | undefined {
  const from = sideOf(path);
  const to = sideOf(target);
  if (from === "web" && to === "server") return "网页不引用服务端，只引用约定";
  if (from === "server" && to === "web") return "服务端不引用网页";
  if (from === "contract" && (to === "server" || to === "web")) return "约定不引用任何一边";
  return undefined;
}

function doorLaw(path: string, target: string): string | undefined {
  const [room, there, ...rest] = target.split("/");
  const bound = /^(domains|apps)\//.test(path);
  if (!bound || room !== "domains" || there === undefined || path.startsWith(`domains/${there}/`)) return undefined;
  if (isTest(path) && isTest(target)) return undefined;
  return /^(contract\.ts|contract\/[^/]+\.ts|server\/index\.ts|web\/(index|later)\.tsx?)$/.test(rest.join("/"))
    ? undefined
    : `领域 ${there} 只从它的门引用（contract、server/index.ts、web/index.ts 和 later.ts）`;
}

function outsideLaw(path: string, { target, names }: Import): string | undefined {
  if (isTest(path)) return undefined;
  if (target === "pg" && /^(kit|domains|apps)\//.test(path) && !path.startsWith("kit/server/")) return "只有 kit/server 引用 pg";
  if (target === "antd" && !path.startsWith("kit/web/")) return "只有 kit/web 引用 antd：选择框用 kit/web/select，否则首屏要等它";
  const opens = SOCKETS.has(target.replace(/^node:/, "")) && names.some((name) => !HARMLESS.has(name));
  if (opens && /^(kit|domains|apps)\//.test(path) && !MAY_CONNECT.test(path)) return "只有 kit/server/outside/outbound.ts 对外连接";
  return undefined;
}

function roomOf(target: string): string {
  return target.split("/", 1)[0] ?? target;
}
