import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { type CodeReader, findCodeReader } from "./code-reader.ts";

const Camera = lazy(async () => ({ default: (await import("./Camera.tsx")).Camera }));

/** 扫一扫: reads a code by the camera, where the browser can. @param onCode what it read, once; the camera is off by then. @param busy something is being looked up or used */
export function ScanButton({ busy, onCode }: { busy: boolean; onCode: (code: string) => void }): ReactNode {
  const [reader, setReader] = useState<CodeReader>();
  const [open, setOpen] = useState(false);
  useEffect(() => {
    findCodeReader().then(setReader, () => {});
  }, []);
  if (!reader) return null;
  const close = (): void => setOpen(false);
  return (
    <>
      <Button className="desk-scan" disabled={busy} onClick={() => setOpen(true)}>
        扫一扫
      </Button>
      {open && (
        <Suspense fallback={null}>
          <Camera
            reader={reader}
            onClose={close}
            onCode={(code) => {
              close();
              onCode(code);
            }}
          />
        </Suspense>
      )}
    </>
  );
}
