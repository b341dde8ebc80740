import { Component, type ReactNode } from "react";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Copy } from "@zhangfang/web/show/Copy.tsx";
import { Empty } from "@zhangfang/web/show/Empty.tsx";

interface Broken {
  readonly failure?: unknown;
  readonly trace?: string;
  /** Whether the service can't be reached: a part is then not gone, only not to be had. */
  readonly away?: boolean;
}
/** Keeps a page that broke from taking the others with it. A part of an older release that is gone asks for a reload instead. */
export class ErrorBoundary extends Component<{ children: ReactNode }, Broken> {
  override state: Broken = {};
  static getDerivedStateFromError(failure: unknown): Broken {
    return { failure, trace: crypto.randomUUID().slice(0, 8) };
  }
  override componentDidCatch(failure: unknown): void {
    console.error(`[${this.state.trace}]`, failure);
    if (isPartMissing(failure)) void isAway().then((away) => this.setState({ away }));
  }
  /** Not while the service is away: the tab would be left with nothing. */
  private readonly reload = async (): Promise<void> => {
    const away = await isAway();
    this.setState({ away });
    if (!away) location.reload();
  };
  override render(): ReactNode {
    const { failure, trace, away } = this.state;
    if (failure === undefined) return this.props.children;
    const outdated = isPartMissing(failure);
    return (
      <section className="sheet" role="alert">
        <Empty
          drawing="broken"
          text={
            <>
              {outdated ? (away ? "网络连接失败，恢复后请重新加载。" : "页面已更新，请重新加载后继续。") : "页面出错了，其他页面不受影响。"}
              <small className="error-trace">
                错误编号 <Copy text={trace ?? ""} />
              </small>
            </>
          }
          action={
            <Button onClick={() => (outdated ? void this.reload() : this.setState({ failure: undefined }))}>
              {outdated ? "重新加载" : "重试"}
            </Button>
          }
        />
      </section>
    );
  }
}

const isPartMissing = (failure: unknown): boolean =>
  /dynamically imported module|Importing a module script|error loading|preload CSS/i.test(failure instanceof Error ? failure.message : "");
/** Asks for the page itself: any answer is one. */
const isAway = (): Promise<boolean> =>
  fetch(location.pathname, { method: "HEAD", cache: "no-store" }).then(
    () => false,
    () => true,
  );
