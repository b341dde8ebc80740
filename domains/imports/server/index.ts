import { domain, type Domain } from "@zhangfang/server/calls/domain.ts";
import type { ImportSource } from "@zhangfang/server/lists/import-source.ts";
import { checkLinesRoute, listImportRowsRoute, recheckLinesRoute } from "./lines.ts";
import { runImportRoute, stopImportRoute, workOffImportJob } from "./run-import.ts";
import { badLinesRoute, templateRoute } from "./sheets.ts";
import { getSheetColumnsRoute, saveSheetColumnsRoute } from "./sheet-columns.ts";
import { sourcesOf } from "./sources.ts";
import { getImportRoute, getSourceRoute, startImportRoute } from "./start-import.ts";
import { tellPasswordsRoute } from "./tell-passwords.ts";
import { tendImports } from "./tend-imports.ts";
import { importTodos } from "./todos.ts";

/** The domain of imports over what can be imported; other domains bring that. */
export function importsOver(list: readonly ImportSource[]): Domain {
  const sources = sourcesOf(list);
  const work = workOffImportJob(sources);
  return domain({
    routes: [
      getSourceRoute(sources),
      getSheetColumnsRoute(sources),
      saveSheetColumnsRoute(sources),
      templateRoute(sources),
      startImportRoute(sources),
      checkLinesRoute(sources),
      recheckLinesRoute(sources),
      listImportRowsRoute,
      getImportRoute,
      runImportRoute(sources, work),
      stopImportRoute,
      badLinesRoute(sources),
      tellPasswordsRoute(sources),
    ],
    jobs: [work, tendImports(sources)],
    todos: importTodos(sources),
  });
}
