import type { ReactNode } from "react";
import { percent } from "@zhangfang/contract/money.ts";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { PickOne, Radios, RateInput, Switch } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import {
  askMaxRatio,
  getSharingSetup,
  setSharingRule,
  sharingMode,
  sharingTiming,
  type SharingWallet,
  sharingWallet,
} from "../../contract/index.ts";
import type { Receiver, Setup } from "../shared.ts";
import { Missing, missingOf } from "./Missing.tsx";

type Ratios = Setup["rule"]["ratios"];
/** Who shares by a group, and by how much where the rule says something of its own. */
const sharersOf = ({ receivers }: Setup, groupId: string | null | undefined): Receiver[] =>
  receivers.filter((one) => one.groupId === groupId && one.state === "active");
const ratioOf = (own: Ratios, { id, ratio }: Receiver): number => own.find((one) => one.receiverId === id)?.ratio ?? ratio;
const sumOf = (setup: Setup, groupId: string | null | undefined, own: Ratios): number =>
  sharersOf(setup, groupId).reduce((all, one) => all + ratioOf(own, one), 0);

/** 分账规则: when, with whom, and how much each gets; what the ratios come to is said while they are typed. */
export function RuleForm({ setup, onClose }: { setup: Setup; onClose: () => void }): ReactNode {
  const { mode, timing, groupId, unfreeze, ratios, version } = setup.rule;
  const form = useForm(setSharingRule, {
    initial: { merchantId: setup.merchantId, version, mode, timing, groupId: groupId ?? setup.groups[0]?.id ?? null, unfreeze, ratios },
    draft: `${setup.merchantId}:${version}`,
    done: "规则已保存",
    refreshes: [getSharingSetup],
    onDone: onClose,
    ask: (given) =>
      given.mode === "none"
        ? `「${setup.merchantName}」从下一笔支付起不再分账。`
        : `「${setup.merchantName}」从下一笔支付起${sharingMode.label(given.mode)}，比例合计 ${percent(sumOf(setup, given.groupId, given.ratios ?? []))}。`,
  });
  const own = form.values.ratios ?? [];
  const receivers = sharersOf(setup, form.values.groupId);
  const sum = sumOf(setup, form.values.groupId, own);
  const most = setup.wallets.map(({ wallet, maxRatio }) => `${sharingWallet.label(wallet)} ${percent(maxRatio)}`).join("、");
  const missing = missingOf(setup, form.values.groupId);
  const set = (id: string, ratio: number | undefined): void =>
    form.set({ ratios: [...own.filter((one) => one.receiverId !== id), ...(ratio ? [{ receiverId: id, ratio }] : [])] });
  return (
    <FormDrawer form={form} title={`分账规则 · ${setup.merchantName}`} submit="保存规则" onClose={onClose}>
      <Field of={form.field("mode")} label="方式">
        {(f) => <Radios {...f} set={sharingMode} />}
      </Field>
      {form.values.mode === "auto" && (
        <Field of={form.field("timing")} label="时间" help="微信支付要求支付满 1 分钟、支付宝满 30 秒后才能分账">
          {(f) => <Radios {...f} set={sharingTiming} />}
        </Field>
      )}
      {form.values.mode !== "none" && (
        <>
          <Field of={form.field("groupId")} label="接收方分组">
            {(f) => (
              <PickOne
                {...f}
                value={f.value ?? undefined}
                onChange={(id) => form.set({ groupId: (id ?? null) as never, ratios: [] })}
                options={setup.groups.map(({ id, name }) => ({ value: id, label: name }))}
              />
            )}
          </Field>
          <Field
            of={form.field("ratios")}
            label="各方比例"
            optional
            help={`合计 ${percent(sum)}，${most ? `通道最多${most}，` : ""}留空用默认比例`}
          >
            {() => <RatioInputs receivers={receivers} own={own} onChange={set} />}
          </Field>
          <Field of={form.field("unfreeze")} label="其余资金随分账解冻给商户" help="关闭后可多次分账，最后由人完结；超过 30 天通道自动解冻">
            {(f) => <Switch {...f} />}
          </Field>
          <Missing of={missing} />
          <p className="sharing-acts">
            {setup.wallets.map(({ wallet }) => (
              <AskMaxRatio key={wallet} merchantId={setup.merchantId} wallet={wallet} />
            ))}
          </p>
        </>
      )}
    </FormDrawer>
  );
}

interface RatioProps {
  readonly receivers: readonly Receiver[];
  readonly own: Ratios;
  readonly onChange: (id: string, ratio: number | undefined) => void;
}
function RatioInputs({ receivers, own, onChange }: RatioProps): ReactNode {
  if (receivers.length === 0) return <p className="note">这个分组还没有启用的接收方。</p>;
  return receivers.map((one) => (
    <label key={one.id} className="sharing-ratio">
      <span>{one.alias}</span>
      <RateInput id={`ratio-${one.id}`} value={ratioOf(own, one)} onChange={(ratio) => onChange(one.id, ratio)} />
    </label>
  ));
}

function AskMaxRatio({ merchantId, wallet }: { merchantId: string; wallet: SharingWallet }): ReactNode {
  const [busy, run] = useRun([getSharingSetup]);
  const ask = async (): Promise<void> => {
    await run(async () => {
      const { maxRatio } = await call(askMaxRatio, { merchantId, wallet });
      success(`${sharingWallet.label(wallet)}允许最多分 ${percent(maxRatio)}`);
    });
  };
  return (
    <Button small busy={busy} onClick={() => void ask()}>
      向{sharingWallet.label(wallet)}查询最大比例
    </Button>
  );
}
