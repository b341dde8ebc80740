import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { ApiError } from "@zhangfang/web/api-errors.ts";
import { call } from "@zhangfang/web/api.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { getProvider, listProviders, setProviderState, summariseProviders } from "../../contract/index.ts";
import type { ProviderFacts } from "./ProviderForm.tsx";

/** Opens and closes; what a closing does to whom is said in numbers before it is done. */
export function SetProviderState({ provider: p }: { provider: ProviderFacts }): ReactNode {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const closing = p.state === "active";
  const go = async (): Promise<void> => {
    const text = closing
      ? `停用服务商「${p.shortName}」后：它和下级的 ${p.accountCount} 个账号不能登录，${p.sessionCount} 处登录立即退出；${p.merchantCount} 家商户、${p.storeCount} 家门店、${p.deviceCount} 台设备停止收款。可随时重新启用。`
      : `启用服务商「${p.shortName}」？${p.accountCount} 个账号可以重新登录，${p.storeCount} 家门店恢复收款。`;
    if (!(await confirm(text, { ok: closing ? "停用" : "启用", danger: closing }))) return;
    setBusy(true);
    try {
      const { endedSessions } = await call(setProviderState, { id: p.id, state: closing ? "disabled" : "active" });
      success(closing ? `已停用，${endedSessions} 处登录已退出` : "已启用");
      for (const { path } of [getProvider, listProviders, summariseProviders]) void client.invalidateQueries({ queryKey: [path] });
    } catch (failure) {
      // A refused call has already said why.
      if (!(failure instanceof ApiError)) throw failure;
    } finally {
      setBusy(false);
    }
  };
  return (
    <Act of={setProviderState}>
      <Button tone={closing ? "danger" : "plain"} busy={busy} onClick={() => void go()}>
        {closing ? "停用" : "启用"}
      </Button>
    </Act>
  );
}
