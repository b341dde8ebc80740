import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { percent, yuan } from "@zhangfang/contract/money.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { Neighbours } from "@zhangfang/web/list/Neighbours.tsx";
import type { List } from "@zhangfang/web/list/use-list.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { DetailDrawer, Group, HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import {
  cancelAgentContract,
  contractStatus,
  getAgent,
  listAgents,
  nodeState,
  renewAgentContract,
  reviewAgentContract,
  setAgentRatio,
  setAgentState,
  summariseAgents,
  updateAgent,
} from "../../contract/index.ts";
import { LogInAs } from "../merchants/LogInAs.tsx";
import { Rates } from "../ratios/Rates.tsx";
import { levelWords } from "@zhangfang/web/level-names.ts";
import { SetState } from "../SetState.tsx";
import { nextAct } from "./AgentContractDrawer.tsx";

type Details = OutputOf<typeof getAgent>;
interface Opens {
  readonly list: List<typeof listAgents>;
  readonly onEdit: (id: string) => void;
  readonly onRatio: (id: string) => void;
  readonly onContract: (id: string) => void;
  readonly onCancel: (id: string) => void;
}

/** One agent over the list. */
export function AgentDetail({ list, onEdit, onRatio, onContract, onCancel }: Opens): ReactNode {
  const agent = useDetail(getAgent, list.openId && { id: list.openId });
  if (list.openId === undefined) return null;
  const { data } = agent;
  return (
    <DetailDrawer
      title={data ? data.name : "代理商详情"}
      of={agent}
      onClose={list.close}
      extra={<Neighbours of={list} />}
      footer={
        data && (
          <>
            <SetState
              of={setAgentState}
              node={data}
              closing={levelWords`停用代理商「${data.name}」后：它和 ${data.salesmanCount} 名业务员的 ${data.accountCount} 个账号不能登录，${data.sessionCount} 处登录立即退出；${data.merchantCount} 家商户照常收款。可随时重新启用。`}
              opening={levelWords`启用代理商「${data.name}」？${data.accountCount} 个账号可以重新登录。`}
              refreshes={[getAgent, listAgents, summariseAgents]}
            />
            <LogInAs merchant={{ shortName: data.name, loginUserId: data.loginUserId }} of="/agent/agent/loginAs" what="代理商" />
            <Rates level="agent" id={data.id} />
            <Act of={setAgentRatio}>
              <Button onClick={() => onRatio(data.id)}>调整比例</Button>
            </Act>
            <Act of={updateAgent}>
              <Button tone="primary" onClick={() => onEdit(data.id)}>
                修改
              </Button>
            </Act>
          </>
        )
      }
    >
      {(details) => <Facts agent={details} contractActs={<ContractActs agent={details} onContract={onContract} onCancel={onCancel} />} />}
    </DetailDrawer>
  );
}

/** What comes next for its contract, and its end for good. */
function ContractActs({ agent, onContract, onCancel }: { agent: Details } & Pick<Opens, "onContract" | "onCancel">): ReactNode {
  const next = nextAct(agent.contractStatus);
  if (next === undefined) return null;
  return (
    <p className="screen-acts">
      <Act of={agent.contractStatus === 1 ? reviewAgentContract : renewAgentContract}>
        <Button small onClick={() => onContract(agent.id)}>
          {next}
        </Button>
      </Act>
      <Act of={cancelAgentContract}>
        <Button small tone="danger" onClick={() => onCancel(agent.id)}>
          注销
        </Button>
      </Act>
    </p>
  );
}

function Facts({ agent: a, contractActs }: { agent: Details; contractActs: ReactNode }): ReactNode {
  return (
    <>
      <HeroLine label="代理商" value={a.name} status={<StatusTag of={nodeState} code={a.state} />} />
      <Group
        title="基本资料"
        pairs={[
          ["服务商", a.serviceProviderName],
          ["区域", a.region],
          ["联系人", a.contactName],
          ["联系电话", a.contactPhone],
          ["加入时间", <Time at={a.createdAt} />],
        ]}
      />
      <Group
        title="合同"
        pairs={[
          ["状态", <StatusTag of={contractStatus} code={a.contractStatus} />],
          ["合同期", a.contractFrom || a.contractUntil ? `${a.contractFrom ?? "—"} 至 ${a.contractUntil ?? "无到期日"}` : "无期限"],
          ["说明", a.contractWhy],
        ]}
      >
        {contractActs}
      </Group>
      <Group
        title="本月经营"
        pairs={[
          ["商户", `${a.merchantCount} 家`],
          ["业务员", `${a.salesmanCount} 人`],
          ["交易", `${yuan(a.monthPaidCents)} 元`],
          ["佣金", `${yuan(a.monthCommissionCents)} 元`],
        ]}
      />
      <Group
        title="分润比例"
        pairs={a.ratios.map((one) => [
          one.setBy === null ? "建立时" : `${one.effectiveFrom} 起`,
          <>
            <span className="num">{percent(one.profitRatio)}</span> {one.setBy} <Time at={one.setAt} />
          </>,
        ])}
      />
    </>
  );
}
