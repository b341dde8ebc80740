import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import type { CodeReader } from "./code-reader.ts";

const LOOK_MS = 150;
const BROKEN = "相机打不开，可能正被别的应用占用。关掉它再试，或手工输入券码。";
const WHY: Readonly<Record<string, string>> = {
  NotAllowedError: "没有相机权限。请点浏览器地址栏左边的图标，允许使用相机，再点「扫一扫」；也可以手工输入券码。",
  NotFoundError: "这台设备没有相机，请用扫码枪，或手工输入券码。",
};

/** The rear camera's picture until a code is read in it. It is off again whichever way this goes. */
export function Camera(given: { reader: CodeReader; onCode: (code: string) => void; onClose: () => void }): ReactNode {
  const { reader, onClose } = given;
  const picture = useRef<HTMLVideoElement>(null);
  const [fault, setFault] = useState<string>();
  const read = useEffectEvent((code: string) => given.onCode(code));
  const close = useEffectEvent(() => onClose());
  useEffect(() => {
    let over = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stream: MediaStream | undefined;
    const stop = (): void => {
      over = true;
      clearTimeout(timer);
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
    const fail = (words: string): void => {
      if (!over) setFault(words);
      stop();
    };
    const look = async (): Promise<void> => {
      // Before the first picture there is nothing to look at, and a picture that can't be read says nothing of the next.
      const codes = await reader.detect(picture.current!).catch(() => []);
      if (over) return;
      const code = codes.find(({ rawValue }) => rawValue !== "");
      if (code) read(code.rawValue);
      else timer = setTimeout(() => void look(), LOOK_MS);
    };
    const open = async (): Promise<void> => {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
      // Closed while the browser asked for leave.
      if (over) return stop();
      for (const track of stream.getTracks()) track.addEventListener("ended", () => fail(BROKEN));
      picture.current!.srcObject = stream;
      await look();
    };
    const hide = (): void => {
      if (document.hidden && stream) close();
    };
    document.addEventListener("visibilitychange", hide);
    open().catch((error: Error) => fail(WHY[error.name] ?? BROKEN));
    return () => {
      document.removeEventListener("visibilitychange", hide);
      stop();
    };
  }, [reader]);
  return (
    <Drawer title="扫一扫" onClose={onClose} footer={<Button onClick={onClose}>不扫了，手工输入</Button>}>
      {fault === undefined ? (
        <div className="desk-camera">
          <video ref={picture} autoPlay muted playsInline aria-label="相机画面" />
          <p role="status">把券码放进画面，认出来就自动查券。</p>
        </div>
      ) : (
        <p className="notice notice-bad" role="alert">
          {fault}
        </p>
      )}
    </Drawer>
  );
}
