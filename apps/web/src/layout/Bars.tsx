import { type ReactNode, useEffect, useState, useSyncExternalStore } from "react";
import { isDirty } from "@zhangfang/web/form/dirty.ts";
import { warning } from "@zhangfang/web/notify.ts";

/** Says that the network is gone, and goes with it. */
export function OfflineBar(): ReactNode {
  const online = useSyncExternalStore(
    (listener) => {
      addEventListener("online", listener);
      addEventListener("offline", listener);
      return () => {
        removeEventListener("online", listener);
        removeEventListener("offline", listener);
      };
    },
    () => navigator.onLine,
  );
  return online ? null : (
    <div className="bar bar-warn" role="status">
      网络已断开，恢复后可继续操作；已填写的内容不会丢失。
    </div>
  );
}

/** Tells a provider's own people that its contract ends soon, and what ends with it. */
export function ContractBanner({ until, daysLeft }: { until: string; daysLeft: number }): ReactNode {
  return (
    <div className="bar bar-warn" role="status">
      合同将于 {until} 到期（{daysLeft === 0 ? "今天" : `剩 ${daysLeft} 天`}
      ），到期后本账号和下级账号不能登录，收银不受影响。请联系平台续约。
    </div>
  );
}

const POLL_MS = 60_000;

/** Says that a new release is there. It never reloads by itself, and not over unsaved changes. */
export function UpdatePrompt(): ReactNode {
  const [newer, setNewer] = useState(false);
  useEffect(() => {
    if (import.meta.env.DEV) return;
    const look = async (): Promise<void> => {
      if (document.hidden) return;
      const answer = (await fetch("/version.json", { cache: "no-store" })
        .then((response) => response.json())
        .catch(() => undefined)) as { version?: string } | undefined;
      if (answer?.version !== undefined && answer.version !== RELEASE) setNewer(true);
    };
    const timer = setInterval(() => void look(), POLL_MS);
    // A part of the program that is gone is most often one of an older release.
    const missed = (): void => void look();
    addEventListener("vite:preloadError", missed);
    return () => {
      clearInterval(timer);
      removeEventListener("vite:preloadError", missed);
    };
  }, []);
  return newer ? (
    <div className="bar" role="status">
      新版本已发布。
      <button type="button" className="link" onClick={() => (isDirty() ? warning("有未保存的修改，请先保存") : location.reload())}>
        刷新使用新版本
      </button>
    </div>
  ) : null;
}
