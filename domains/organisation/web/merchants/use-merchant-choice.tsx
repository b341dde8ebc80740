import type { ReactNode } from "react";
import { useLocation, useNavigate } from "react-router";
import { OrgPicker } from "@zhangfang/web/filter/OrgFilter.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import { findOrg, useOpeningAt } from "@zhangfang/web/window/use-opening.ts";

/**
 * Which merchant a page about one merchant shows: a merchant's people see their own; a provider picks one, kept in the address, and begins with
 * the one last looked at. `asking` until that is known.
 */
export function useMerchantChoice(): {
  readonly input: { merchantId?: string } | undefined;
  readonly picker: ReactNode;
  readonly asking: boolean;
} {
  const { level } = useUser();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const { asking } = useOpeningAt("merchantId", findOrg("merchantId"), level === "MCH");
  if (level === "MCH") return { input: {}, picker: null, asking: false };
  const query = new URLSearchParams(search);
  const merchantId = query.get("merchantId") ?? undefined;
  const choose = (id: string | undefined): void => {
    if (id === undefined) return;
    query.set("merchantId", id);
    void navigate({ pathname, search: `?${query.toString()}` });
  };
  return {
    input: merchantId === undefined ? undefined : { merchantId },
    picker: <OrgPicker level="merchantId" value={merchantId} className="filter-control" onChange={choose} />,
    asking,
  };
}
