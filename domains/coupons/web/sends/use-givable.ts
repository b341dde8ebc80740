import { useQuery } from "@tanstack/react-query";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { call } from "@zhangfang/web/api/api.ts";
import { listSendable } from "../../contract/index.ts";

/** The merchant's coupons that something can give, to pick from: those that give out now, for whoever may see them. */
export function useGivable(): readonly { readonly value: string; readonly label: string }[] {
  const may = useAct(listSendable);
  const found = useQuery({ queryKey: [listSendable.path], enabled: may, queryFn: ({ signal }) => call(listSendable, {}, { signal }) });
  return (found.data?.items ?? []).map(({ id, name, worth }) => ({ value: id, label: `${name} · ${worth}` }));
}
