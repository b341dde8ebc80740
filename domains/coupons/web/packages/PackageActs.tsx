import type { ReactNode } from "react";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { Radios, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { confirm, success, undoable } from "@zhangfang/web/notify.ts";
import { Button, type ButtonTone } from "@zhangfang/web/show/Button.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { Group, useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { decidePackage, getPackage, listPackages, steerPackage, withdrawPackage } from "../../contract/index.ts";
import { counted } from "../campaigns/campaign-words.ts";
import { sayPackage } from "./package-words.ts";

type Package = OutputOf<typeof getPackage>;
type Row = Pick<RowOf<typeof listPackages>, "id" | "name" | "state" | "total" | "issued" | "held" | "valueCents">;
export const READS = [listPackages, getPackage];

/** What an act is called, what is said after it, and what takes it back. */
const STEER = {
  pause: ["暂停", "已暂停", "resume"],
  resume: ["恢复", "已恢复", "pause"],
  stop: ["停止", "已停止", undefined],
} as const;
const steerWords = ({ name, total, issued, held, valueCents }: Row): Readonly<Record<keyof typeof STEER, string>> => {
  const paying = held > 0 ? `正在付款的 ${counted(held)} 份照常发；` : "";
  return {
    pause: `暂停「${name}」？还剩 ${counted(total - issued - held)} 份先不发；${paying}已领的照常能用。`,
    resume: `恢复「${name}」？还有 ${counted(total - issued - held)} 份，最高负债 ¥${yuan(valueCents)}。`,
    stop: `停止「${name}」？剩下的 ${counted(total - issued - held)} 份不再发，停了不能恢复；${paying}已领的 ${counted(issued)} 份照常能用。`,
  };
};
function Steer({ of, act, tone }: { of: Row; act: keyof typeof STEER; tone: ButtonTone }): ReactNode {
  const [busy, run] = useRun(READS);
  const [word, done, back] = STEER[act];
  const to = (next: keyof typeof STEER): Promise<unknown> => call(steerPackage, { id: of.id, act: next });
  const steer = async (): Promise<void> => {
    if (!(await confirm(steerWords(of)[act], { ok: `${word}券包`, danger: act === "stop" }))) return;
    await run(async () => {
      await to(act);
      undoable(`「${of.name}」${done}`, back && (() => void run(() => to(back))));
    });
  };
  return (
    <Act of={steerPackage}>
      <Button tone={tone} busy={busy} onClick={() => void steer()}>
        {word}
      </Button>
    </Act>
  );
}
function Withdraw({ of, tone }: { of: Row; tone: ButtonTone }): ReactNode {
  const [busy, run] = useRun(READS);
  const withdraw = async (): Promise<void> => {
    if (!(await confirm(`撤回「${of.name}」？撤回后不能再审核，要发就重新建。`, { ok: "撤回", danger: true }))) return;
    await run(async () => {
      await call(withdrawPackage, { id: of.id });
      success(`已撤回「${of.name}」`);
    });
  };
  return (
    <Act of={withdrawPackage}>
      <Button tone={tone} busy={busy} onClick={() => void withdraw()}>
        撤回
      </Button>
    </Act>
  );
}
/** What may be done with a package now. */
export function packageActs(of: Row, decide: (id: string) => void, tone: ButtonTone): ReactNode {
  if (of.state === "UNAUDIT")
    return (
      <>
        <Act of={decidePackage}>
          <Button tone={tone === "link" ? "link" : "primary"} onClick={() => decide(of.id)}>
            审核
          </Button>
        </Act>
        <Withdraw of={of} tone={tone} />
      </>
    );
  if (of.state === "STOPED") return null;
  return (
    <>
      <Steer of={of} act={of.state === "RUNNING" ? "pause" : "resume"} tone={tone} />
      <Steer of={of} act="stop" tone={tone} />
    </>
  );
}

/** 审核: by another than who made it. */
export function DecideDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const pack = useDetail(getPackage, { id });
  const title = "审核券包";
  if (!pack.data) return <WaitingDrawer title={title} of={pack} onClose={onClose} />;
  const { mayDecide, mayDecideAlone, state, madeBy } = pack.data;
  if (state === "UNAUDIT" && (mayDecide || mayDecideAlone)) return <DecideForm of={pack.data} onClose={onClose} />;
  return (
    <Drawer title={title} onClose={onClose}>
      <p className="notice notice-warn">
        {state === "UNAUDIT" ? `${madeBy} 创建的券包，创建人自己不能审核，请另一位有审核权限的人来` : "这个券包已经审核过了"}
      </p>
      <Terms of={pack.data} />
    </Drawer>
  );
}
const verdict = labelled({ yes: "通过，按时开始发", no: "不通过，作废" });
function DecideForm({ of: pack, onClose }: { of: Package; onClose: () => void }): ReactNode {
  const { id, name, mayDecide, valueCents, total } = pack;
  const form = useForm(decidePackage, {
    // Whoever made it may only let it run; not to is to take it back.
    initial: mayDecide ? { id } : { id, approve: true },
    draft: false,
    refreshes: READS,
    onDone: () => {
      success(form.values.approve ? `已通过「${name}」` : `没有通过「${name}」`);
      onClose();
    },
    ask: ({ approve }) =>
      approve
        ? { text: `通过「${name}」？最多 ${counted(total)} 份，最高负债 ¥${yuan(valueCents)}。`, ok: "通过" }
        : { text: `不通过「${name}」？它就作废了，要发得重新建。`, ok: "不通过", danger: true },
  });
  const { approve } = form.values;
  const field = form.field("approve");
  const chosen = approve === undefined ? undefined : approve ? ("yes" as const) : ("no" as const);
  return (
    <FormDrawer
      form={form}
      title={`审核券包 ${name}`}
      submit={approve === undefined ? "选择审核结果" : approve ? `通过 · 最高 ${yuan(valueCents)} 元` : "不通过"}
      danger={approve === false}
      onClose={onClose}
    >
      <Terms of={pack} />
      {mayDecide ? (
        <Field
          of={{
            name: "approve",
            value: chosen,
            error: field.error,
            set: (one) => field.set(one === undefined ? undefined : one === "yes"),
          }}
          label="审核结果"
        >
          {(f) => <Radios {...f} set={verdict} />}
        </Field>
      ) : (
        <Field of={form.field("refundPassword")} label="退款密码" help="你是创建人；小额的券包，商户主账号可以凭退款密码自己通过">
          {(f) => <TextInput {...f} type="password" autoComplete="off" maxLength={64} />}
        </Field>
      )}
    </FormDrawer>
  );
}
/** What is decided about: the sentence, and what it may cost. */
function Terms({ of: pack }: { of: Package }): ReactNode {
  const { valueCents, eachCents, total, madeBy } = pack;
  return (
    <>
      <p className="coupon-sentence">{sayPackage(pack)}</p>
      <Group
        title="最多会花多少"
        pairs={[
          ["最高负债", <b key="most" className="num">{`¥${yuan(valueCents)}`}</b>],
          ["怎么算的", `${counted(total)} 份 × ${yuan(eachCents)} 元，全部用掉时；不减售价`],
          ["创建人", madeBy],
        ]}
      />
    </>
  );
}
