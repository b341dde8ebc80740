import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { percent } from "@zhangfang/contract/money.ts";
import { Field, FormSection } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { Radios, RateInput, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { getAgent, listAgents, ratioStart, setAgentRatio, updateAgent } from "../../contract/index.ts";

type Details = OutputOf<typeof getAgent>;
const TITLES = { facts: "修改代理商", ratio: "调整分润比例" } as const;

/** 修改代理商 and 调整分润比例, each over the version that is read here. */
export function ChangeAgent({ id, change, onClose }: { id: string; change: keyof typeof TITLES; onClose: () => void }): ReactNode {
  const agent = useDetail(getAgent, { id });
  const Form = change === "ratio" ? RatioForm : FactsForm;
  if (agent.data) return <Form key={agent.data.version} agent={agent.data} onClose={onClose} />;
  return <WaitingDrawer of={agent} title={TITLES[change]} onClose={onClose} />;
}

function FactsForm({ agent, onClose }: { agent: Details; onClose: () => void }): ReactNode {
  const { id, version, name, region } = agent;
  const form = useForm(updateAgent, {
    initial: { id, version, name, region: region ?? undefined },
    draft: `${id}:${version}`,
    done: "已保存",
    refreshes: [listAgents, getAgent],
    onDone: onClose,
  });
  const kept = (given: string | undefined) => (given === "" ? undefined : given);
  return (
    <FormDrawer form={form} title={`修改代理商 ${name}`} submit="保存" onClose={onClose}>
      <FormSection title="基本资料">
        <Field of={form.field("name")} label="代理商名称">
          {(f) => <TextInput {...f} maxLength={64} />}
        </Field>
        <Field of={form.field("region")} label="区域" optional>
          {(f) => <TextInput {...f} maxLength={64} />}
        </Field>
        <Field of={form.field("contactName")} label="联系人" optional help="不修改请留空">
          {(f) => <TextInput {...f} onChange={(given) => f.onChange(kept(given))} placeholder={agent.contactName ?? ""} maxLength={32} />}
        </Field>
        <Field of={form.field("contactPhone")} label="联系电话" optional help="不修改请留空">
          {(f) => (
            <TextInput
              {...f}
              onChange={(given) => f.onChange(kept(given))}
              placeholder={agent.contactPhone ?? ""}
              inputMode="tel"
              maxLength={13}
            />
          )}
        </Field>
      </FormSection>
    </FormDrawer>
  );
}

function RatioForm({ agent, onClose }: { agent: Details; onClose: () => void }): ReactNode {
  const { id, version, name, profitRatio } = agent;
  const form = useForm(setAgentRatio, {
    initial: { id, version, profitRatio, start: "tomorrow" },
    draft: `${id}:${version}`,
    done: "已保存",
    refreshes: [listAgents, getAgent],
    onDone: onClose,
    ask: (given) => ({
      text: `「${name}」的分润比例由 ${percent(profitRatio)} 改为 ${percent(given.profitRatio ?? 0)}，${given.start === "today" ? "今天全天" : "明天 0 点"}起计算；此前各天的佣金不变。`,
      ok: "保存",
    }),
  });
  return (
    <FormDrawer form={form} title={`调整分润比例 ${name}`} submit="保存" onClose={onClose}>
      <Field of={form.field("profitRatio")} label="分润比例" help={`现为 ${percent(profitRatio)}`}>
        {(f) => <RateInput {...f} />}
      </Field>
      <Field of={form.field("start")} label="生效时间" help="当日生效按今天全天计算；尚未生效的旧设置由这次代替">
        {(f) => <Radios {...f} set={ratioStart} />}
      </Field>
    </FormDrawer>
  );
}
