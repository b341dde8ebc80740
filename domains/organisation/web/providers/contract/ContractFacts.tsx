import type { ReactNode } from "react";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Group } from "@zhangfang/web/show/over/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { Timeline } from "@zhangfang/web/show/figures/Timeline.tsx";
import {
  CONTRACT_MOVES,
  type ContractMove,
  contractMove,
  contractState,
  getProvider,
  listProviders,
  moveContract,
  RENEWABLE,
  summariseProviders,
} from "../../../contract/index.ts";
import { daysLeftText } from "./contract-words.ts";
import type { ProviderFacts } from "../provider-facts.ts";

/** Where the contract stands, what may be done to it, and what was. */
export function ContractFacts({ provider: p, onContract }: { provider: ProviderFacts; onContract: (what: string) => void }): ReactNode {
  const moves = contractMove.values.filter((move) => CONTRACT_MOVES[move].from.includes(p.contractState));
  return (
    <Group
      title="合同"
      pairs={[
        ["状态", <StatusTag of={contractState} code={p.contractState} />],
        ["期限", term(p.contractFrom, p.contractUntil)],
        ...(p.daysLeft !== null && p.daysLeft >= 0 ? [["剩余", daysLeftText(p) ?? `${p.daysLeft} 天`] as const] : []),
      ]}
    >
      <Act of={moveContract}>
        <div className="provider-acts">
          {moves.map((move) =>
            move === "reject" || move === "cancel" ? (
              <Button key={move} small tone={move === "cancel" ? "danger" : "plain"} onClick={() => onContract(`${move}:${p.id}`)}>
                {contractMove.label(move)}
              </Button>
            ) : (
              <Move key={move} provider={p} move={move} />
            ),
          )}
          {RENEWABLE.includes(p.contractState) && (
            <Button small onClick={() => onContract(`renew:${p.id}`)}>
              {p.contractState === "expired" ? "续约" : "修改期限"}
            </Button>
          )}
        </div>
      </Act>
      {p.steps.length > 0 && (
        <Timeline
          items={p.steps.toReversed().map((step) => ({
            title: `${contractState.label(step.contractState)} · ${term(step.contractFrom, step.contractUntil)}`,
            at: step.at,
            note: [step.byName ?? "系统", step.note].filter(Boolean).join("：") || undefined,
            tone: contractState.tone(step.contractState),
          }))}
        />
      )}
    </Group>
  );
}

function term(from: string | null, until: string | null): string {
  if (from === null && until === null) return "长期";
  return `${from ?? "即日"} 至 ${until ?? "长期"}`;
}

/** A move that needs no reason. */
function Move({ provider, move }: { provider: ProviderFacts; move: ContractMove }): ReactNode {
  const [busy, run] = useRun([getProvider, listProviders, summariseProviders]);
  const label = contractMove.label(move);
  const go = async (): Promise<void> => {
    const after = move === "approve" ? `通过后「${provider.shortName}」的 ${provider.accountCount} 个账号即可登录。` : "";
    if (!(await confirm(`${label}「${provider.shortName}」的合同？${after}`, { ok: label }))) return;
    await run(async () => {
      await call(moveContract, { id: provider.id, version: provider.version, move });
      success(`已${label}`);
    });
  };
  return (
    <Button small tone={move === "approve" ? "primary" : "plain"} busy={busy} onClick={() => void go()}>
      {label}
    </Button>
  );
}
