import { isTest, type Module, type Violation } from "./modules.ts";

const LIST = "apps/server/domains.ts";

/** The rooms from the ground up, as the server lists them; what stands on the list of floors comes before what is made over it. */
export function floorsOf(modules: readonly Module[]): readonly string[] {
  const list = modules.find(({ path }) => path === LIST);
  if (!list) return [];
  const doors = list.imports.flatMap(({ target, names }) => {
    const room = /^domains\/([^/]+)\/server\/index\.ts$/.exec(target)?.[1];
    return room === undefined ? [] : names.map((name) => [name, room] as const);
  });
  const roomOf = new Map(doors);
  const from = list.code.indexOf("const floors");
  const named = from < 0 ? [] : [...list.code.slice(from).matchAll(/^(?:\s+|const \w+ = )(\w+)[,(]/gm)];
  return [...new Set(named.flatMap(([, name = ""]) => roomOf.get(name) ?? []))];
}

/** A server file knows the doors of lower floors alone. A room that is not on the list stands on the ground, below all of them. */
export function floorViolations(modules: readonly Module[]): Violation[] {
  const floors = floorsOf(modules);
  const floorOf = (path: string): { room: string; floor: number } | undefined => {
    const room = /^domains\/([^/]+)\/server\//.exec(path)?.[1];
    return room === undefined ? undefined : { room, floor: floors.indexOf(room) };
  };
  return modules
    .filter(({ path }) => floors.length > 0 && !isTest(path))
    .flatMap(({ path, imports }) => {
      const from = floorOf(path);
      if (!from) return [];
      return imports.flatMap(({ target, line }) => {
        const to = floorOf(target);
        const above = to && to.room !== from.room && to.floor >= 0 && to.floor > from.floor;
        return above ? [{ path, line, why: `${to.room} 在 ${from.room} 的楼上（${LIST} 的次序），只引用楼下的门` }] : [];
      });
    });
}
