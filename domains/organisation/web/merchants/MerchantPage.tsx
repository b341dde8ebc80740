import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Loaded } from "@zhangfang/web/show/over/Detail.tsx";
import { Empty } from "@zhangfang/web/show/Empty.tsx";

/** A page about one merchant: its title, whom it is about, and what is there or why not. */
export function MerchantPage<T>({
  title,
  picker,
  of,
  chosen,
  actions,
  tabs,
  children,
}: {
  title: string;
  picker?: ReactNode;
  of: Pick<UseQueryResult<T>, "data" | "error" | "refetch">;
  chosen: boolean;
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
      <div className="sheet">{!chosen ? <Empty drawing="search" text="选择一家商户" /> : <Loaded of={of}>{children}</Loaded>}</div>
    </section>
  );
}
