import type { ReactNode } from "react";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
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
  const [busy, run] = useRun(refreshes);
  const closes = node.state === "active";
  const go = async (): Promise<void> => {
    if (!(await confirm(closes ? closing : opening, { ok: closes ? "停用" : "启用", danger: closes }))) return;
    await run(async () => {
      const given = { id: node.id, state: closes ? "disabled" : "active" } as InputOf<E>;
      const { endedSessions } = (await call(of, given)) as OutputOf<StateCall>;
      success(closes ? `已停用，${endedSessions} 处登录已退出` : "已启用");
    });
  };
  return (
    <Act of={of}>
      <Button tone={closes ? "danger" : "plain"} busy={busy} onClick={() => void go()}>
        {closes ? "停用" : "启用"}
      </Button>
    </Act>
  );
}
