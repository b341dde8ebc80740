import type { Module, Violation } from "./modules.ts";

/** Modules that import each other round about, types too: whoever reads one of them has to read all. */
export function circlesOf(modules: readonly Module[]): string[][] {
  const byPath = new Map(modules.map((module) => [module.path, module]));
  const index = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  // Tarjan: a module from which nothing earlier on the stack is reached closes a circle.
  const visit = (path: string): number => {
    index.set(path, index.size);
    let lowest = index.get(path)!;
    stack.push(path);
    for (const { target } of byPath.get(path)!.imports) {
      if (!byPath.has(target)) continue;
      if (!index.has(target)) lowest = Math.min(lowest, visit(target));
      else if (stack.includes(target)) lowest = Math.min(lowest, index.get(target)!);
    }
    if (lowest === index.get(path)) {
      const circle = stack.splice(stack.indexOf(path));
      if (circle.length > 1) circles.push(circle);
    }
    return lowest;
  };
  for (const { path } of modules) if (!index.has(path)) visit(path);
  return circles;
}

/** A type that a part needs stands in the contract or in a file of its own, never in the whole that uses the part. */
export const circleViolations = (modules: readonly Module[]): Violation[] =>
  circlesOf(modules).flatMap((circle) =>
    circle.map((path) => {
      const line = modules.find((module) => module.path === path)?.imports.find(({ target }) => circle.includes(target))?.line ?? 1;
      return { path, line, why: `互相引用：${circle.filter((other) => other !== path).join("、")}；共用的类型请单独成文件` };
    }),
  );
