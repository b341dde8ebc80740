import {
  APP_ID,
  DEFAULT_TITLE,
  getAccount,
  getConfig,
  getPreference,
  listUserItems,
  setPreference,
} from "@zhangfang/domains/accounts/contract/self.ts";
import { levelOfAuthorities } from "@zhangfang/domains/accounts/contract/levels.ts";
import { EMBEDDED_PAGES } from "@zhangfang/domains/accounts/contract/menu-tree.ts";
import { showAccent } from "@zhangfang/web/look/accent.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { setLevelNames } from "@zhangfang/web/level-names.ts";
import { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { OFFSPRING_KEY } from "@zhangfang/web/api/session.ts";
import { lasting } from "@zhangfang/web/window/storage.ts";
import { registerPreferences } from "@zhangfang/web/slots.ts";
import { setUser, type User } from "@zhangfang/web/api/user.ts";
import type { Brand } from "../brand.ts";
import { buildMenu, firstPage, type MenuEntry } from "../menu/build-menu.ts";
import { FIXED_MENU } from "../menu/fixed-menu.ts";
import { type MenuNode, type Node, treeOf } from "../menu/nodes.ts";
import { type Route, routesOf } from "../menu/routes.ts";
import { type ScreenName, screens } from "../screens.ts";

registerPreferences({
  load: async (key) => (await call(getPreference, { key }, { quiet: true })).value,
  save: (key, value) => call(setPreference, { key, value: value as never }, { quiet: true }),
});
/** Origins that a page of the menu may be framed from; the content security policy says the same. */
const FRAMES = Object.values(EMBEDDED_PAGES).map((address) => new URL(address).origin);

/** Everything that the shell needs before it draws. */
export interface Loaded {
  readonly user: User;
  readonly brand: Brand;
  readonly menu: readonly MenuEntry[];
  readonly routes: ReadonlyMap<string, Route>;
  readonly firstPage: string;
  /** Set while somebody acts for this account. */
  readonly acting: boolean;
  /** How far the demo world of this service is, while it is being made. */
  readonly preparing: number | null;
  /** The last day of the provider's contract, where it is near and the account is the provider's own. */
  readonly contractEnds: { readonly until: string; readonly daysLeft: number } | undefined;
}

/** A service that is being replaced is away for seconds: asked again after these, nobody has to sign in anew. */
const AGAIN_AFTER_MS = [1000, 2000, 4000];

/** `askSession`, asked again while the service is away. */
export async function loadSession(): Promise<Loaded> {
  for (const wait_ms of AGAIN_AFTER_MS) {
    const loaded = await askSession().catch((failure: unknown) => {
      if (!(failure instanceof ApiError && failure.away)) throw failure;
    });
    if (loaded) return loaded;
    await new Promise((resolve) => setTimeout(resolve, wait_ms));
  }
  return askSession();
}

/**
 * Loads who is signed in and what they may do: account and items together, then the level, then the routes (spec.md section 4).
 * @throws in words for a person, where the answer is empty or carries no authorities
 */
async function askSession(): Promise<Loaded> {
  const [account, items, config] = await Promise.all([
    call(getAccount, {}),
    call(listUserItems, { appId: APP_ID }),
    // Without its brand the product is still usable.
    call(getConfig, {}, { quiet: true }).catch((failure: unknown) => unlessExpired(failure)),
  ]);
  if (!account) throw new Error("登录失败，请重新登录");
  const roles: readonly string[] = account.authorities;
  if (!Array.isArray(roles) || roles.length === 0) throw new Error("getInfo: roles must be a non-null array!");
  const isRoot = account.login === account.rootLogin;
  lasting.setItem(OFFSPRING_KEY, String(isRoot));
  const nodes = treeOf((items ?? []) as readonly MenuNode[]);
  const user: User = {
    id: account.id,
    login: account.login,
    name: account.firstName,
    isRoot,
    roles,
    level: levelOfAuthorities(roles),
    entityName: config?.entityName ?? "",
    paths: new Set(pathsOf(nodes)),
    ...(account.actingFor && { actor: account.actingFor.actorLogin, readOnly: account.actingFor.readOnly }),
  };
  setUser(user);
  setLevelNames(config?.levelNames ?? {});
  showAccent({ light: config?.colourLight, dark: config?.colourDark });
  const menu = buildMenu(nodes, FIXED_MENU, roles, lasting.getItem(OFFSPRING_KEY) === "true");
  const routes = routesOf(nodes, roles, new Set(Object.keys(screens) as ScreenName[]), FRAMES);
  return {
    user,
    brand: {
      title: config?.name || DEFAULT_TITLE,
      logoUrl: config?.logoUrl,
      smallLogoUrl: config?.littleLogoUrl,
      faviconUrl: config?.faviconUrl,
      entityName: user.entityName,
      feedbackUrl: config?.feedbackUrl,
    },
    menu,
    routes,
    firstPage: firstPage(menu),
    acting: user.actor !== undefined,
    preparing: config?.preparing ?? null,
    contractEnds: config?.contractEnds ?? undefined,
  };
}

function* pathsOf(nodes: readonly Node[]): Generator<string> {
  for (const node of nodes) {
    if (node.path !== "") yield node.path;
    yield* pathsOf(node.children);
  }
}
function unlessExpired(failure: unknown): undefined {
  if (failure instanceof ApiError && failure.kind !== "expired") return undefined;
  throw failure;
}
