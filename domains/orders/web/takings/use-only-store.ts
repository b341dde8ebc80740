import { useQuery } from "@tanstack/react-query";
import { slots } from "@zhangfang/web/slots.ts";

/** The store of somebody who has only one, so that nobody picks from a list of one; `asking` until that is known. */
export function useOnlyStore(): { readonly id: string | undefined; readonly asking: boolean } {
  const stores = useQuery({
    queryKey: ["org", "storeId", {}, ""],
    enabled: slots.org.storeId !== undefined,
    queryFn: ({ signal }) => slots.org.storeId?.({ search: "", within: {} }, signal) ?? [],
  });
  return { id: stores.data?.length === 1 ? stores.data[0]?.id : undefined, asking: stores.isLoading };
}
