import { Component, type ReactNode } from "react";
import { Button } from "@zhangfang/web/show/Button.tsx";

/** Stands around everything: a part of the program that doesn't come leaves a way on instead of a white page. */
export class LoadBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };
  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }
  override render(): ReactNode {
    if (!this.state.broken) return this.props.children;
    return (
      <main className="frozen">
        <div role="alert">
          <h1>页面没有加载成功</h1>
          <p>请检查网络后重新加载，已填写的内容不会丢失。</p>
        </div>
        <Button tone="primary" autoFocus onClick={() => location.reload()}>
          重新加载
        </Button>
      </main>
    );
  }
}
