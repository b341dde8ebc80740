import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { getStore, listStoreRows, setStoreOpen, summariseStores } from "../../contract/index.ts";

/** Opens and closes a store; what a closing does to whom is said in numbers before it is done. */
export function SetStoreState({ store }: { store: OutputOf<typeof getStore> }): ReactNode {
  const [busy, run] = useRun([getStore, listStoreRows, summariseStores]);
  const closing = store.state === "active";
  const go = async (): Promise<void> => {
    const text = closing
      ? `停用门店「${store.shortName}」后：${store.accountCount} 个账号的 ${store.sessionCount} 处登录立即退出，${store.openDeviceCount} 台设备停止收款。已收的款仍可退款，可随时重新启用。`
      : `启用门店「${store.shortName}」？${store.openDeviceCount} 台设备恢复收款。`;
    if (!(await confirm(text, { ok: closing ? "停用" : "启用", danger: closing }))) return;
    await run(async () => {
      const { endedSessions } = await call(setStoreOpen, { id: store.id, state: closing ? "disabled" : "active" });
      success(closing ? `已停用，${endedSessions} 处登录已退出` : "已启用");
    });
  };
  return (
    <Act of={setStoreOpen}>
      <Button tone={closing ? "danger" : "plain"} busy={busy} onClick={() => void go()}>
        {closing ? "停用" : "启用"}
      </Button>
    </Act>
  );
}
