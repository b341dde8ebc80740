// The laws of the house that lint can't say. `npm run check` runs it; alone: node tools/check-house.ts [folder]
import { join, resolve } from "node:path";
import { circleViolations } from "./house/circle-laws.ts";
import { floorViolations } from "./house/floor-laws.ts";
import { folderViolations } from "./house/folder-laws.ts";
import { handlerViolations } from "./house/handler-laws.ts";
import { importViolations } from "./house/import-laws.ts";
import { readModules, type Violation } from "./house/modules.ts";
import { styleViolations } from "./house/style-laws.ts";
import { tableViolations } from "./house/table-laws.ts";
import { codeViolations, undocumented, wordViolations } from "./house/text-laws.ts";

export interface HouseReport {
  readonly modules: number;
  readonly imports: number;
  readonly violations: readonly Violation[];
}

/** Reads the whole house below `root` and reports every law that it breaks. */
export function checkHouse(root: string): HouseReport {
  const modules = readModules(root);
  const violations = [
    ...folderViolations(root, modules),
    ...importViolations(modules),
    ...floorViolations(modules),
    ...handlerViolations(modules),
    ...circleViolations(modules),
    ...tableViolations(modules),
    ...styleViolations(root),
    ...codeViolations(modules),
    ...wordViolations(root),
    ...undocumented(modules),
  ];
  return { modules: modules.length, imports: modules.reduce((sum, { imports }) => sum + imports.length, 0), violations };
}

if (import.meta.main) {
  const { modules, imports, violations } = checkHouse(resolve(process.argv[2] ?? join(import.meta.dirname, "..")));
  for (const { path, line, why } of violations) process.stdout.write(`${path}:${line} ${why}\n`);
  process.stdout.write(`房规：读了 ${modules} 个模块、${imports} 处引用，${violations.length} 处违反\n`);
  // A checker that read nothing has proved nothing.
  process.exitCode = modules === 0 || imports === 0 || violations.length > 0 ? 1 : 0;
}
