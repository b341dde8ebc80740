import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { ApiError } from "@zhangfang/web/api-errors.ts";
import { useDetail } from "@zhangfang/web/show/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/Drawer.tsx";
import { Failure } from "@zhangfang/web/show/Empty.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import { getProvider } from "../../contract/index.ts";

export type ProviderFacts = OutputOf<typeof getProvider>;

/** A form over one provider, drawn once it was read; another version draws it anew. */
export function OverProvider({
  id,
  title,
  onClose,
  children,
}: {
  id: string;
  title: string;
  onClose: () => void;
  children: (provider: ProviderFacts) => ReactNode;
}): ReactNode {
  const provider = useDetail(getProvider, { id });
  if (provider.data) return children(provider.data);
  return (
    <Drawer title={title} onClose={onClose}>
      {provider.error ? <Failure error={provider.error as ApiError} retry={() => void provider.refetch()} /> : <Skeleton rows={6} />}
    </Drawer>
  );
}
