import { Component, type ReactNode } from "react";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Copy } from "@zhangfang/web/show/Copy.tsx";
import { Empty } from "@zhangfang/web/show/Empty.tsx";

/** Keeps a page that broke from taking the others with it. A part of an older release that is gone asks for a reload instead. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failure?: unknown; trace?: string }> {
  override state: { failure?: unknown; trace?: string } = {};
  static getDerivedStateFromError(failure: unknown): { failure: unknown; trace: string } {
    return { failure, trace: crypto.randomUUID().slice(0, 8) };
  }
  override componentDidCatch(failure: unknown): void {
    console.error(`[${this.state.trace}]`, failure);
  }
  override render(): ReactNode {
    const { failure, trace } = this.state;
    if (failure === undefined) return this.props.children;
    const outdated = /dynamically imported module|Importing a module script|error loading|preload CSS/i.test(
      failure instanceof Error ? failure.message : "",
    );
    return (
      <section className="sheet" role="alert">
        <Empty
          drawing="broken"
          text={
            <>
              {outdated
                ? navigator.onLine
                  ? "页面已更新，请重新加载后继续。"
                  : "网络已断开，恢复后请重新加载。"
                : "页面出错了，其他页面不受影响。"}
              <small className="trace">
                错误编号 <Copy text={trace ?? ""} />
              </small>
            </>
          }
          action={
            <Button onClick={() => (outdated ? location.reload() : this.setState({ failure: undefined }))}>
              {outdated ? "重新加载" : "重试"}
            </Button>
          }
        />
      </section>
    );
  }
}
