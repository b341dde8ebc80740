import type { ReactNode } from "react";
import type { z } from "zod";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { ApiError } from "@zhangfang/web/api-errors.ts";
import { useDetail } from "@zhangfang/web/show/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/Drawer.tsx";
import { Failure } from "@zhangfang/web/show/Empty.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";

/** A form over what is read first: until it is there the drawer stands with its title, and says why where it can't be read. */
export function ReadFirst<E extends Endpoint<z.ZodType<unknown, { id: string }>>>({
  of,
  id,
  title,
  onClose,
  children,
}: {
  of: E;
  id: string;
  title: string;
  onClose: () => void;
  children: (found: OutputOf<E>) => ReactNode;
}): ReactNode {
  const read = useDetail(of, { id } as InputOf<E>);
  if (read.data) return children(read.data);
  return (
    <Drawer title={title} onClose={onClose}>
      {read.error ? <Failure error={read.error as ApiError} retry={() => void read.refetch()} /> : <Skeleton rows={6} />}
    </Drawer>
  );
}
