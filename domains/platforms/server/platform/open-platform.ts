import type { Services } from "@zhangfang/server/services.ts";
import type { PlatformAccount } from "../accounts/account-of.ts";
import type { PlatformApi } from "./answers.ts";
import { Douyin } from "./douyin.ts";
import { KS_NO_CANCEL, Kuaishou } from "./kuaishou.ts";

/** Platforms whose vouchers are used here. */
export type Adapted = "dy" | "ks";
const REAL: Readonly<Record<Adapted, string>> = { dy: "https://open.douyin.com", ks: "https://lbs-open.kuaishou.com" };
const PATHS: Readonly<Record<Adapted, string>> = { dy: "/douyin", ks: "/kuaishou" };

const given = new WeakMap<Services, string>();
/** Gives these services another address of platforms, for a test with a simulator of its own. */
export const givePlatforms = (services: Services, url: string): void => void given.set(services, url);
/** Where the simulator of platforms listens; nothing where the platforms are real. */
const simulatorOf = (services: Services): string | undefined =>
  given.get(services) ?? (services.config.demo ? `http://127.0.0.1:${services.config.simulator_port + 2}` : undefined);

/** The platform of an account. */
export function platformApi(services: Services, account: PlatformAccount): PlatformApi {
  const simulator = simulatorOf(services);
  const name: Adapted = account.platform === "ks" ? "ks" : "dy";
  const url = simulator === undefined ? REAL[name] : `${simulator}${PATHS[name]}`;
  return name === "ks" ? new Kuaishou(services, account, url, services.config.platform_unverified) : new Douyin(services, account, url);
}
/** Why uses at a platform are not taken back from here; undefined where they are. */
export const noCancel = ({ config }: Services, platform: string): string | undefined =>
  platform === "ks" && !config.platform_unverified ? KS_NO_CANCEL : undefined;
/** The address behind `v.douyin.com`: in a demo the simulator's. */
export const shortLinkAt = (services: Services, path: string): string =>
  `${simulatorOf(services)?.concat("/v.douyin.com") ?? "https://v.douyin.com"}${path}`;
