import type { ReactNode } from "react";
import { useLocation, useNavigate } from "react-router";
import { OrgPicker } from "@zhangfang/web/filter/OrgFilter.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";

/** Which merchant a page about one merchant shows: a provider picks one, kept in the address; a merchant's people see their own. */
export function useMerchantChoice(): { readonly input: { merchantId?: string } | undefined; readonly picker: ReactNode } {
  const { level } = useUser();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  if (level === "MCH") return { input: {}, picker: null };
  const merchantId = new URLSearchParams(search).get("merchantId") ?? undefined;
  const choose = (id: string | undefined): void => void navigate({ pathname, search: id ? `?merchantId=${id}` : "" });
  return {
    input: merchantId === undefined ? undefined : { merchantId },
    picker: <OrgPicker level="merchantId" value={merchantId} className="filter-control" onChange={choose} />,
  };
}
