import type { ReactNode } from "react";
import { Link } from "react-router";
import { useAct } from "@zhangfang/web/act/Act.tsx";

const OF = { merchant: "/merchants/merchants", store: "/store/store" } as const;
/** The name of whose it is; it opens for whoever may see the thing behind it. */
export function WhoseName({ kind, id, name }: { kind: keyof typeof OF; id: string; name: string }): ReactNode {
  const may = useAct([OF[kind]]);
  return may ? <Link to={`${OF[kind]}?id=${id}`}>{name}</Link> : name;
}
