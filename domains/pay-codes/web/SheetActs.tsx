import { type ReactNode, useState } from "react";
import { error } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { posterFormat, type PosterFormat } from "./sheets.ts";

/** 打印 and 下载 of posters. */
export function SheetActs({ save, print }: { save: (format: PosterFormat) => Promise<void>; print: () => Promise<void> }): ReactNode {
  const [busy, setBusy] = useState<PosterFormat | "print">();
  const run = (what: PosterFormat | "print", done: () => Promise<void>, otherwise: string): void => {
    setBusy(what);
    void done()
      .catch(() => error(otherwise))
      .finally(() => setBusy(undefined));
  };
  return (
    <>
      <Button busy={busy === "print"} onClick={() => run("print", print, "海报没有生成，请下载后打印")}>
        打印
      </Button>
      {posterFormat.options.map(({ value, label }, index) => (
        <Button
          key={value}
          tone={index === 0 ? "primary" : "plain"}
          busy={busy === value}
          onClick={() => run(value, () => save(value), "海报没有生成，请换一种格式再试")}
        >
          下载 {label}
        </Button>
      ))}
    </>
  );
}
