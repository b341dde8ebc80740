import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { DayInput } from "@zhangfang/web/form/days/DayInput.tsx";
import { Radios, TextArea } from "@zhangfang/web/form/inputs.tsx";
import { type FormField, useForm } from "@zhangfang/web/form/use-form.ts";
import { WaitingDrawer, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import {
  cancelAgentContract,
  getAgent,
  listAgents,
  renewAgentContract,
  reviewAgentContract,
  submitAgentContract,
  verdict,
} from "../../contract/index.ts";

type Details = OutputOf<typeof getAgent>;
type Form = (props: { agent: Details; onClose: () => void }) => ReactNode;
const REFRESHES = [listAgents, getAgent];
const YEAR_DAYS = 365;
const today = (): string => shanghaiDay(Date.now());

/** What is to be done with an agent's contract in the state that it is in; `cancel` ends it for good. */
export function AgentContractDrawer({ id, act, onClose }: { id: string; act: "next" | "cancel"; onClose: () => void }): ReactNode {
  const agent = useDetail(getAgent, { id });
  if (agent.data) return formFor(act, agent.data, onClose);
  return <WaitingDrawer of={agent} title={act === "cancel" ? "注销代理商" : "代理商合同"} onClose={onClose} />;
}
function formFor(act: "next" | "cancel", agent: Details, onClose: () => void): ReactNode {
  const Chosen = act === "cancel" ? CancelForm : formOf(agent.contractStatus);
  return Chosen && <Chosen key={agent.version} agent={agent} onClose={onClose} />;
}
/** The act that comes next, as its button says it; a cancelled contract has none. */
export const nextAct = (status: Details["contractStatus"]): string | undefined =>
  status === 0 || status === 5 ? "提交审核" : status === 1 ? "审核" : status === 4 ? undefined : "续约";
const formOf = (status: Details["contractStatus"]): Form | undefined =>
  status === 0 || status === 5 ? SubmitForm : status === 1 ? ReviewForm : status === 4 ? undefined : RenewForm;

function DayField({ of, label, help }: { of: FormField<string | undefined>; label: string; help?: string }): ReactNode {
  return (
    <Field of={of} label={label} {...(help && { help })}>
      {(f) => <DayInput {...f} onChange={(day) => f.onChange(day ?? undefined)} />}
    </Field>
  );
}

function SubmitForm({ agent, onClose }: { agent: Details; onClose: () => void }): ReactNode {
  const { id, version, name } = agent;
  const form = useForm(submitAgentContract, {
    initial: {
      id,
      version,
      contractFrom: agent.contractFrom ?? today(),
      contractUntil: agent.contractUntil ?? addDays(today(), YEAR_DAYS),
    },
    draft: `${id}:${version}`,
    done: "已提交审核",
    refreshes: REFRESHES,
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title={`提交合同审核 ${name}`} submit="提交审核" onClose={onClose}>
      {agent.contractWhy && <p className="note">上次驳回：{agent.contractWhy}</p>}
      <DayField of={form.field("contractFrom")} label="合同开始日" />
      <DayField of={form.field("contractUntil")} label="合同到期日" help="当天仍有效；到期前 30、7、1 天提醒" />
    </FormDrawer>
  );
}

function ReviewForm({ agent, onClose }: { agent: Details; onClose: () => void }): ReactNode {
  const { id, version, name } = agent;
  const form = useForm(reviewAgentContract, {
    initial: { id, version },
    draft: `${id}:${version}`,
    done: "已审核",
    refreshes: REFRESHES,
    onDone: onClose,
    ask: (given) => ({
      text:
        given.verdict === "reject"
          ? `驳回代理商「${name}」的合同？修改后可再次提交。`
          : `通过代理商「${name}」的合同？${agent.accountCount} 个账号从现在起可以登录，合同期 ${agent.contractFrom} 至 ${agent.contractUntil}。`,
      ok: given.verdict === "reject" ? "驳回" : "通过",
    }),
  });
  return (
    <FormDrawer form={form} title={`审核合同 ${name}`} submit="提交结果" onClose={onClose}>
      <p className="note">
        合同期 {agent.contractFrom} 至 {agent.contractUntil}
      </p>
      <Field of={form.field("verdict")} label="审核结果">
        {(f) => <Radios {...f} set={verdict} />}
      </Field>
      {form.values.verdict === "reject" && (
        <Field of={form.field("why")} label="驳回原因">
          {(f) => <TextArea {...f} maxLength={200} />}
        </Field>
      )}
    </FormDrawer>
  );
}

function RenewForm({ agent, onClose }: { agent: Details; onClose: () => void }): ReactNode {
  const { id, version, name, contractUntil } = agent;
  const from = contractUntil === null || contractUntil < today() ? today() : contractUntil;
  const form = useForm(renewAgentContract, {
    initial: { id, version, contractUntil: addDays(from, YEAR_DAYS) },
    draft: `${id}:${version}`,
    done: "已续约",
    refreshes: REFRESHES,
    onDone: onClose,
    ask: (given) => ({
      text: `代理商「${name}」的合同续至 ${given.contractUntil}。${agent.contractStatus === 3 ? `${agent.accountCount} 个账号恢复登录。` : ""}`,
      ok: "续约",
    }),
  });
  return (
    <FormDrawer form={form} title={`续约 ${name}`} submit="续约" onClose={onClose}>
      <DayField of={form.field("contractUntil")} label="新的到期日" help={contractUntil ? `现到期日 ${contractUntil}` : "现无到期日"} />
    </FormDrawer>
  );
}

function CancelForm({ agent, onClose }: { agent: Details; onClose: () => void }): ReactNode {
  const { id, version, name } = agent;
  const form = useForm(cancelAgentContract, {
    initial: { id, version },
    done: "已注销",
    refreshes: REFRESHES,
    onDone: onClose,
    ask: () => ({
      text: `注销代理商「${name}」后：它和 ${agent.salesmanCount} 名业务员的 ${agent.accountCount} 个账号永久不能登录，${agent.sessionCount} 处登录立即退出；${agent.merchantCount} 家商户照常收款、归属不变，以后不能再归给它。注销不可恢复。`,
      ok: "注销",
      danger: true,
    }),
  });
  return (
    <FormDrawer form={form} title={`注销代理商 ${name}`} submit="注销" danger onClose={onClose}>
      <Field of={form.field("why")} label="注销原因">
        {(f) => <TextArea {...f} maxLength={200} />}
      </Field>
    </FormDrawer>
  );
}
