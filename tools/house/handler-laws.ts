import { isTest, lineAt, type Module, type Violation } from "./modules.ts";

const HANDLER = /\bconst (\w+)(?:: Route)? = implement\(\s*([\w.]+)/g;

export interface NamedHandler {
  readonly path: string;
  readonly line: number;
  readonly name: string;
  readonly endpoint: string;
}

/** Every handler that has a name of its own; those made by a function for several endpoints have none. */
export const handlersOf = (modules: readonly Module[]): NamedHandler[] =>
  modules
    .filter(({ path }) => /^domains\/[^/]+\/server\//.test(path) && !isTest(path))
    .flatMap(({ path, code }) =>
      [...code.matchAll(HANDLER)].map((found) => ({
        path,
        line: lineAt(code, found.index),
        name: found[1] ?? "",
        endpoint: found[2] ?? "",
      })),
    );

/** One dialect: the endpoint goes by its own name, and its handler is that name and Route. */
export const handlerViolations = (modules: readonly Module[]): Violation[] =>
  handlersOf(modules)
    .filter(({ name, endpoint }) => name !== `${endpoint}Route`)
    .map(({ path, line, name, endpoint }) => ({ path, line, why: `${name} 请写作 ${endpoint}Route，端点用它自己的名字引入` }));
