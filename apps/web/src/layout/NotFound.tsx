import type { ReactNode } from "react";
import { Link } from "react-router";
import { Empty } from "@zhangfang/web/show/Empty.tsx";

/** A page that is not there, or not for this account: one answer, so that it tells nothing. */
export function NotFound(): ReactNode {
  return (
    <div className="view">
      <section className="sheet">
        <h1 className="sr-only">页面不存在或无权访问</h1>
        <Empty
          drawing="seal"
          text="页面不存在或无权访问。如果需要使用此功能，请联系管理员开通。"
          action={
            <Link className="btn" to="/">
              返回首页
            </Link>
          }
        />
      </section>
    </div>
  );
}
