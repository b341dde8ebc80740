import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { ApiError, call } from "@zhangfang/web/api.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import type { setSalesmanState } from "../contract/index.ts";

type StateCall = Endpoint<(typeof setSalesmanState)["input"], (typeof setSalesmanState)["output"]>;

/** Opens and closes a node; what a closing does to whom is said in numbers before it is done. */
export function SetState<E extends StateCall>({
  of,
  node,
  closing,
  opening,
  refreshes,
}: {
  of: E;
  node: { readonly id: string; readonly state: "active" | "disabled" };
  closing: string;
  opening: string;
  refreshes: readonly Pick<Endpoint, "path">[];
}): ReactNode {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const closes = node.state === "active";
  const go = async (): Promise<void> => {
    if (!(await confirm(closes ? closing : opening, { ok: closes ? "停用" : "启用", danger: closes }))) return;
    setBusy(true);
    try {
      const given = { id: node.id, state: closes ? "disabled" : "active" } as InputOf<E>;
      const { endedSessions } = (await call(of, given)) as OutputOf<StateCall>;
      success(closes ? `已停用，${endedSessions} 处登录已退出` : "已启用");
      for (const { path } of refreshes) void client.invalidateQueries({ queryKey: [path] });
    } catch (failure) {
      // A refused call has already said why.
      if (!(failure instanceof ApiError)) throw failure;
    } finally {
      setBusy(false);
    }
  };
  return (
    <Act of={of}>
      <Button tone={closes ? "danger" : "plain"} busy={busy} onClick={() => void go()}>
        {closes ? "停用" : "启用"}
      </Button>
    </Act>
  );
}
