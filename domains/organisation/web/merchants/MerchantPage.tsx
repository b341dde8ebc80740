import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Loaded } from "@zhangfang/web/show/over/Detail.tsx";
import { Empty } from "@zhangfang/web/show/Empty.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";

/** A page about one merchant: its title, whom it is about, and what is there or why not. */
export function MerchantPage<T>({
  title,
  picker,
  of,
  chosen,
  asking = false,
  actions,
  tabs,
  children,
}: {
  title: string;
  picker?: ReactNode;
  of: Pick<UseQueryResult<T>, "data" | "error" | "refetch" | "fetchStatus">;
  chosen: boolean;
  /** Which merchant it begins with is not known yet. */
  asking?: boolean;
  actions?: ReactNode;
  /** Ways of looking at the merchant, between the head and what is there. */
  tabs?: ReactNode;
  children: (data: T) => ReactNode;
}): ReactNode {
  return (
    <section className="detail-screen">
      <header className="screen-head">
        <h1>{title}</h1>
        <div className="screen-acts">
          {picker}
          {actions}
        </div>
      </header>
      {tabs}
      <div className="sheet">
        {asking ? (
          <Skeleton rows={6} />
        ) : !chosen ? (
          <Empty drawing="search" text="还没有商户，先新建一家" />
        ) : (
          <Loaded of={of}>{children}</Loaded>
        )}
      </div>
    </section>
  );
}
