import { type ReactNode, useEffect, useRef } from "react";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Copy } from "@zhangfang/web/show/Copy.tsx";

/** The codes that open when the phone is lost, shown this once. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }): ReactNode {
  const list = useRef<HTMLUListElement>(null);
  // The field that had the focus is gone.
  useEffect(() => list.current?.focus(), []);
  const text = codes.join("\n");
  const save = (): void => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([`账房 恢复码，每个只能使用一次\n\n${text}\n`], { type: "text/plain" }));
    link.download = "恢复码.txt";
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <>
      <p role="alert">请保存以下恢复码。手机丢失时，每个恢复码可代替动态验证码登录一次；关闭后不再显示。</p>
      <ul ref={list} tabIndex={-1} className="security-codes num" aria-label="恢复码">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="security-acts">
        <Button tone="primary" onClick={onKept}>
          我已保存
        </Button>
        <Button onClick={save}>下载</Button>
        <Copy text={text}>复制全部</Copy>
      </div>
    </>
  );
}
