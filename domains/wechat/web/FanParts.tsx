import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { call } from "@zhangfang/web/api/api.ts";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import type { FilterField } from "@zhangfang/web/list/use-list.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { fanChannelKind, followWay, listWxApps } from "../contract/index.ts";

interface Source {
  readonly channelKind: "store" | "employee" | "table" | "campaign" | null;
  readonly channelName: string | null;
  readonly way: string | null;
}
/** Where a follow comes from, in words. */
export const sourceOf = ({ channelKind, channelName, way }: Source): string =>
  channelName === null ? (way === null ? "未知" : followWay.label(way as never)) : `${fanChannelKind.label(channelKind)}码 ${channelName}`;

/** The accounts in sight. */
export const useApps = () =>
  useQuery({
    queryKey: [listWxApps.path, "choices"],
    queryFn: ({ signal }) => call(listWxApps, { pageSize: 100 }, { signal }),
    select: ({ items }) => items,
  });
/** Narrows to one account, where there are several. */
export function AppChoice({ of }: { of: FilterField }): ReactNode {
  const apps = useApps().data ?? [];
  if (apps.length < 2) return null;
  return <Choice of={of} label="公众号" set={labelled(Object.fromEntries(apps.map(({ id, name }) => [id, name])))} />;
}
/** A member by their number, with the way to them for whoever may see it. */
export function MemberLink({ id, no }: { id: string | null; no: string | null }): ReactNode {
  const may = useAct(["/member/member"]);
  if (id === null) return null;
  return may ? <Link to={`/member/details?id=${id}`}>{no}</Link> : no;
}
