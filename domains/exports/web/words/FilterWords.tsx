import { useQueries } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { exportedList } from "@zhangfang/web/exported-lists.ts";
import { ORG_LEVELS, type OrgLevel, slots, useLater } from "@zhangfang/web/slots.ts";
import { may, useUser } from "@zhangfang/web/api/user.ts";
import type { ExportRow } from "../../contract.ts";
import { filterQuery, filterWords } from "./filter-words.ts";

const LEVELS = Object.keys(ORG_LEVELS) as OrgLevel[];

/** What an export was made of, in the words of its screen; it leads back to that list with the same filter. */
export function FilterWords({ of }: { of: Pick<ExportRow, "source" | "filter"> }): ReactNode {
  const person = useUser();
  useLater();
  const list = exportedList(of.source);
  const words = [...filterWords(of.filter, list), ...useOrgWords(of.filter)].join(" · ") || "全部数据";
  if (list === undefined || !may(person, [list.path])) return words;
  return (
    <Link to={`${list.path}?${filterQuery(of.filter)}`} title={`${words}，打开列表`}>
      {words}
    </Link>
  );
}

/** The organisation that the filter narrows to, by name. */
function useOrgWords(filter: ExportRow["filter"]): string[] {
  const chosen = LEVELS.flatMap((level) =>
    typeof filter[level] === "string" && slots.org[level] !== undefined ? [{ level, id: filter[level] }] : [],
  );
  const found = useQueries({
    queries: chosen.map(({ level, id }) => ({
      queryKey: ["org", level, "name", id],
      queryFn: ({ signal }: { signal: AbortSignal }) => slots.org[level]?.({ search: "", within: {}, ids: [id] }, signal) ?? [],
    })),
  });
  return chosen.map(
    ({ level, id }, index) => `${ORG_LEVELS[level]} ${found[index]?.data?.find((choice) => choice.id === id)?.name ?? "…"}`,
  );
}
