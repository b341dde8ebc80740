import type { ReactNode } from "react";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { ApiError, call } from "@zhangfang/web/api/api.ts";
import { deviceName } from "@zhangfang/web/window/device-name.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Failure } from "@zhangfang/web/show/Empty.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { endOtherSessions, listSessions } from "../contract/index.ts";

/** 登录设备: where this account is signed in, who acts for it, and an end to all but this one. */
export function Devices(): ReactNode {
  const sessions = useDetail(listSessions, {});
  const [busy, run] = useRun([listSessions]);
  const items = sessions.data?.items ?? [];
  const others = items.filter((item) => !item.current).length;
  const end = async (): Promise<void> => {
    if (!(await confirm(`除本设备外的 ${others} 个登录将立即退出，需要重新登录。`, { ok: "退出其他设备" }))) return;
    await run(async () => {
      const { ended } = await call(endOtherSessions, {});
      success(`已退出 ${ended} 个登录`);
    });
  };
  return (
    <section className="group security-part" aria-labelledby="security-devices">
      <h3 id="security-devices">登录设备</h3>
      {sessions.error ? (
        <Failure error={sessions.error as ApiError} retry={() => void sessions.refetch()} />
      ) : sessions.isPending ? (
        <Skeleton rows={2} />
      ) : (
        <ul className="security-devices">
          {items.map((item) => (
            <li key={item.id}>
              <div>
                <strong>{deviceName(item.device)}</strong>
                {item.current && <span className="tag tag-good security-tag">本设备</span>}
                {item.actorLogin !== null && <span className="tag tag-warn security-tag">{item.actorLogin} 代管</span>}
              </div>
              <span className="note">
                {item.ip ?? "未知地址"} · 登录于 <Time at={item.createdAt} /> · 最近使用 <Time at={item.seenAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {others > 0 && (
        <div>
          <Button busy={busy} onClick={() => void end()}>
            退出其他设备
          </Button>
        </div>
      )}
    </section>
  );
}
