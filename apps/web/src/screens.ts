import type { Screen } from "@zhangfang/web/screen.ts";
import type { BuiltScreen } from "@zhangfang/domains/accounts/contract/menu-tree.ts";

export type ScreenName = BuiltScreen;

/** The web doors of the domains; importing one registers its finders and lookups too. */
const doors = import.meta.glob<Partial<Record<ScreenName, Screen>>>("../../../domains/*/web/index.ts", { eager: true, import: "screens" });

/** Every screen that is built, by the name that the menu calls it. */
export const screens: Partial<Record<ScreenName, Screen>> = Object.assign({}, ...Object.values(doors));
