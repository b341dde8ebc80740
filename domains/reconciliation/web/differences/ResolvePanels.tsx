import type { ReactNode } from "react";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { PickOne, Radios, TextArea, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import type { Panel } from "@zhangfang/web/list/address/use-panel.ts";
import { useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import {
  decideWriteOff,
  getDifference,
  getReconDay,
  linkDifferences,
  listDifferences,
  listReconDays,
  proposeWriteOff,
  recordUnknown,
  summariseDifferences,
} from "../../contract/index.ts";
import type { Panels } from "./BatchActs.tsx";
import type { Difference } from "./difference.ts";

const REFRESHES = [listDifferences, summariseDifferences, getDifference, getReconDay, listReconDays];
type Seen = ReadonlyMap<string, Difference>;
interface Props {
  readonly ids: readonly string[];
  readonly seen: Seen;
  readonly onClose: () => void;
}
const idsOf = (panel: Panel): string[] => (panel.id ?? "").split(",").filter((id) => id !== "" && id !== "new");

/** The forms over differences, one or many; each is open while the address says so. */
export function ResolvePanels({ panels, seen }: { panels: Panels & { readonly link: Panel }; seen: Seen }): ReactNode {
  const { writeOff, decide, unknown, link } = panels;
  return (
    <>
      {writeOff.id && <WriteOffDrawer key={writeOff.id} ids={idsOf(writeOff)} seen={seen} onClose={writeOff.close} />}
      {decide.id && <DecideDrawer key={decide.id} ids={idsOf(decide)} seen={seen} onClose={decide.close} />}
      {unknown.id && <UnknownDrawer key={unknown.id} ids={idsOf(unknown)} seen={seen} onClose={unknown.close} />}
      {link.id && <LinkDrawer key={link.id} id={link.id} onClose={link.close} />}
    </>
  );
}

/** What is named in the questions: the one by its number and amount, many by their count and what they come to. */
function useNamed({ ids, seen }: Props): string {
  const gaps = ids.flatMap((id) => seen.get(id)?.gapCents ?? []);
  const sum = gaps.reduce((all, gap) => all + Math.abs(gap), 0);
  const one = useDetail(getDifference, ids.length === 1 && ids[0] ? { id: ids[0] } : undefined).data?.difference;
  return one
    ? `${one.number}（相差 ¥${yuan(Math.abs(one.gapCents))}）`
    : `${ids.length} 条差异${gaps.length === ids.length ? `（相差共 ¥${yuan(sum)}）` : ""}`;
}

function WriteOffDrawer(props: Props): ReactNode {
  const { ids, onClose } = props;
  const named = useNamed(props);
  const form = useForm(proposeWriteOff, {
    initial: { ids: [...ids] },
    draft: ids.join(),
    done: "已提交，等待另一个人复核",
    refreshes: REFRESHES,
    onDone: onClose,
    ask: () => ({ text: `申请核销 ${named}？须由另一个人复核后才算处理，账面金额不变。`, ok: "申请核销" }),
  });
  return (
    <FormDrawer form={form} title={`申请核销 ${ids.length} 条`} submit="申请核销" onClose={onClose}>
      <Field of={form.field("reason")} label="核销原因" help="复核人和以后查账的人会看到。核销只说明差异的原因，不改变账面金额。">
        {(f) => <TextArea {...f} maxLength={200} rows={3} />}
      </Field>
    </FormDrawer>
  );
}

const verdict = labelled({ yes: "同意核销", no: "退回" });
function DecideDrawer(props: Props): ReactNode {
  const { ids, onClose } = props;
  const named = useNamed(props);
  const form = useForm(decideWriteOff, {
    initial: { ids: [...ids] },
    draft: ids.join(),
    done: "已复核",
    refreshes: REFRESHES,
    onDone: onClose,
    ask: ({ approve }) => (approve ? { text: `同意核销 ${named}？`, ok: "同意核销" } : undefined),
  });
  const { approve } = form.values;
  return (
    <FormDrawer
      form={form}
      title={`复核核销 ${ids.length} 条`}
      submit={approve === undefined ? "提交复核结果" : approve ? "同意核销" : "退回"}
      onClose={onClose}
    >
      <Field of={form.field("approve")} label="复核结果" help="申请人不能复核自己的核销">
        {(f) => (
          <Radios
            {...f}
            value={f.value === undefined ? undefined : f.value ? "yes" : "no"}
            set={verdict}
            onChange={(given) => f.onChange(given === "yes")}
          />
        )}
      </Field>
      <Field of={form.field("note")} label="意见" optional={approve !== false}>
        {(f) => <TextArea {...f} maxLength={200} rows={2} />}
      </Field>
    </FormDrawer>
  );
}

function UnknownDrawer(props: Props): ReactNode {
  const { ids, onClose } = props;
  const named = useNamed(props);
  const form = useForm(recordUnknown, {
    initial: { ids: [...ids] },
    draft: ids.join(),
    done: "已登记为未知收款",
    refreshes: REFRESHES,
    onDone: onClose,
    ask: ({ looker }) => ({ text: `把 ${named} 登记为未知收款，由${looker ?? ""}追查？`, ok: "登记" }),
  });
  return (
    <FormDrawer form={form} title={`登记未知收款 ${ids.length} 条`} submit="登记" onClose={onClose}>
      <Field of={form.field("looker")} label="追查人" help="谁去查这笔钱是谁付的">
        {(f) => <TextInput {...f} maxLength={32} />}
      </Field>
      <Field of={form.field("reason")} label="说明" optional>
        {(f) => <TextArea {...f} maxLength={200} rows={2} />}
      </Field>
    </FormDrawer>
  );
}

function LinkDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const found = useDetail(getDifference, { id });
  if (!found.data) return <WaitingDrawer title="关联另一笔" of={found} onClose={onClose} />;
  return <LinkForm difference={found.data.difference} candidates={found.data.candidates} onClose={onClose} />;
}
function LinkForm({
  difference,
  candidates,
  onClose,
}: {
  difference: Difference;
  candidates: readonly Difference[];
  onClose: () => void;
}): ReactNode {
  const form = useForm(linkDifferences, {
    initial: { id: difference.id },
    draft: difference.id,
    done: "已关联，两条都已处理",
    refreshes: REFRESHES,
    onDone: onClose,
    ask: ({ otherId }) => ({
      text: `把 ${difference.number} 与 ${candidates.find((one) => one.id === otherId)?.number ?? ""} 作为同一笔？两条差异都会标为已处理。`,
      ok: "关联",
    }),
  });
  const cents = (difference.bill ?? difference.ours)?.cents;
  return (
    <FormDrawer form={form} title={`关联 ${difference.number}`} submit="关联" onClose={onClose}>
      <Field of={form.field("otherId")} label="另一笔" help={`同一商户、前后一个月内金额同为 ¥${yuan(cents ?? 0)} 的未处理差异`}>
        {(f) => <PickOne {...f} options={candidates.map((one) => ({ value: one.id, label: `${one.day} ${one.number}` }))} />}
      </Field>
      <Field of={form.field("reason")} label="说明" help="如：收银员重复下单，顾客付的是另一个单号">
        {(f) => <TextArea {...f} maxLength={200} rows={2} />}
      </Field>
    </FormDrawer>
  );
}
