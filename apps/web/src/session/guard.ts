/** What the route guard decides before a page is shown (spec.md section 4). */
export type Decision =
  | { readonly go: "on" }
  | { readonly go: "load" }
  | { readonly go: "to"; readonly path: string; readonly expired: boolean };

const PUBLIC = ["/login", "/autoLogin"];

/**
 * The route guard. Without a token only /login and /autoLogin are open, anything else goes to /login with a word;
 * with a token /login goes to /; and while the roles are not known they are loaded first.
 */
export function guard(path: string, hasToken: boolean, rolesLoaded: boolean): Decision {
  if (!hasToken) return PUBLIC.includes(path) ? { go: "on" } : { go: "to", path: "/login", expired: true };
  if (path === "/login") return { go: "to", path: "/", expired: false };
  if (path === "/autoLogin") return { go: "on" };
  return rolesLoaded ? { go: "on" } : { go: "load" };
}

/** Where the first page after loading the roles is: the first menu page for /, otherwise the page that was asked for. */
export const entryPath = (asked: string, firstMenuPage: string): string => (asked === "/" || asked === "" ? firstMenuPage : asked);
