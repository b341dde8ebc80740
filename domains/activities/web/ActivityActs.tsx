import type { ReactNode } from "react";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { NumberInput, Radios, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { confirm, success, undoable } from "@zhangfang/web/notify.ts";
import { Button, type ButtonTone } from "@zhangfang/web/show/Button.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { Group, useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import {
  addActivityPlaces,
  decideActivity,
  getActivity,
  listActivities,
  steerActivity,
  updateActivity,
  withdrawActivity,
} from "../contract/index.ts";
import { ACTIVITY_READS } from "./ActivityForm.tsx";

type Activity = OutputOf<typeof getActivity>;
type Row = Pick<RowOf<typeof listActivities>, "id" | "kind" | "name" | "state" | "places" | "taken" | "spentCents" | "budgetCents">;
export type ActPanel = "decide" | "places" | "edit";
export const counted = (n: number): string => n.toLocaleString("en-US");

/** What an act is called, what is said after it, and what takes it back. */
const STEER = { pause: ["暂停", "已暂停", "resume"], resume: ["恢复", "已恢复", "pause"], stop: ["结束", "已结束", undefined] } as const;
const steerWords = ({ kind, name, places, taken, spentCents }: Row): Readonly<Record<keyof typeof STEER, string>> => ({
  pause: `暂停「${name}」？剩下的 ${counted(places - taken)} 份先不送，暂停时来的人不补；已占的照常到账。${
    kind === "paid" ? "到结束日还没恢复就是结束，暂停前付了款、还没送的也不再送。" : ""
  }`,
  resume: `恢复「${name}」？还有 ${counted(places - taken)} 份。`,
  stop: `结束「${name}」？剩下的 ${counted(places - taken)} 份不再送，留着的券退回可发，结束后不能恢复；已送的 ¥${yuan(spentCents)} 不变。`,
});
/** 暂停, 恢复 or 结束: asked first, with what it is about. */
function Steer({ of, act, tone }: { of: Row; act: keyof typeof STEER; tone: ButtonTone }): ReactNode {
  const [busy, run] = useRun(ACTIVITY_READS);
  const [word, done, back] = STEER[act];
  const to = (next: keyof typeof STEER): Promise<unknown> => call(steerActivity, { id: of.id, act: next });
  const steer = async (): Promise<void> => {
    if (!(await confirm(steerWords(of)[act], { ok: `${word}活动`, danger: act === "stop" }))) return;
    await run(async () => {
      await to(act);
      undoable(`「${of.name}」${done}`, back && (() => void run(() => to(back))));
    });
  };
  return (
    <Act of={steerActivity}>
      <Button tone={tone} busy={busy} onClick={() => void steer()}>
        {word}
      </Button>
    </Act>
  );
}
/** 撤回: while it waits, by who made it. */
function Withdraw({ of, tone }: { of: Row; tone: ButtonTone }): ReactNode {
  const [busy, run] = useRun(ACTIVITY_READS);
  const withdraw = async (): Promise<void> => {
    if (!(await confirm(`撤回「${of.name}」？撤回后不能再审核，要做就新建一个。`, { ok: "撤回", danger: true }))) return;
    await run(async () => {
      await call(withdrawActivity, { id: of.id });
      success(`已撤回「${of.name}」`);
    });
  };
  return (
    <Act of={withdrawActivity}>
      <Button tone={tone} busy={busy} onClick={() => void withdraw()}>
        撤回
      </Button>
    </Act>
  );
}

/** What may be done with an activity now, the nearest first. */
export function mainActs(of: Row, open: (panel: ActPanel) => void, tone: ButtonTone): ReactNode {
  if (of.state === "UNAUDIT")
    return (
      <Act of={decideActivity}>
        <Button tone={tone === "link" ? "link" : "primary"} onClick={() => open("decide")}>
          审核
        </Button>
      </Act>
    );
  if (of.state === "RUNNING") return <Steer of={of} act="pause" tone={tone} />;
  return of.state === "PAUSED" && <Steer of={of} act="resume" tone={tone} />;
}
export function moreActs(of: Row, open: (panel: ActPanel) => void, tone: ButtonTone): ReactNode {
  if (of.state === "STOPED") return null;
  if (of.state === "UNAUDIT")
    return (
      <>
        <Act of={updateActivity}>
          <Button tone={tone} onClick={() => open("edit")}>
            修改
          </Button>
        </Act>
        <Withdraw of={of} tone={tone} />
      </>
    );
  return (
    <>
      <Act of={addActivityPlaces}>
        <Button tone={tone} onClick={() => open("places")}>
          加名额
        </Button>
      </Act>
      <Steer of={of} act="stop" tone={tone} />
    </>
  );
}

/** 审核: by another than who made it. */
export function DecideDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const activity = useDetail(getActivity, { id });
  const title = "审核活动";
  if (!activity.data) return <WaitingDrawer title={title} of={activity} onClose={onClose} />;
  const { mayDecide, mayDecideAlone, state, madeBy } = activity.data;
  if (state === "UNAUDIT" && (mayDecide || mayDecideAlone))
    return <DecideForm key={activity.data.version} of={activity.data} onClose={onClose} />;
  return (
    <Drawer title={title} onClose={onClose}>
      <p className="notice notice-warn">
        {state === "UNAUDIT" ? `${madeBy} 创建的活动，创建人自己不能审核，请另一位有审核权限的人来` : "这个活动已经审核过了"}
      </p>
      <Terms of={activity.data} />
    </Drawer>
  );
}
const verdict = labelled({ yes: "通过，到开始日就送", no: "不通过，作废" });
function DecideForm({ of: activity, onClose }: { of: Activity; onClose: () => void }): ReactNode {
  const { id, version, name, mayDecide, budgetCents, places } = activity;
  const form = useForm(decideActivity, {
    // Whoever made it may only let it run; not to is to take it back.
    initial: mayDecide ? { id, version } : { id, version, approve: true },
    draft: false,
    refreshes: ACTIVITY_READS,
    onDone: () => {
      success(form.values.approve ? `已通过「${name}」` : `没有通过「${name}」`);
      onClose();
    },
    ask: ({ approve }) =>
      approve
        ? { text: `通过「${name}」？最多 ${counted(places)} 份，最高成本 ¥${yuan(budgetCents)}；要送的券现在就留好。`, ok: "通过" }
        : { text: `不通过「${name}」？它就作废了，要做得重新建。`, ok: "不通过", danger: true },
  });
  const { approve } = form.values;
  const chosen = approve === undefined ? undefined : approve ? ("yes" as const) : ("no" as const);
  const field = form.field("approve");
  return (
    <FormDrawer
      form={form}
      title={`审核活动 ${name}`}
      submit={approve === undefined ? "选择审核结果" : approve ? `通过 · 最高 ${yuan(budgetCents)} 元` : "不通过"}
      danger={approve === false}
      onClose={onClose}
    >
      <Terms of={activity} />
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
        <Field of={form.field("refundPassword")} label="退款密码" help="你是创建人；小额的活动，商户主账号可以凭退款密码自己通过">
          {(f) => <TextInput {...f} type="password" autoComplete="off" maxLength={64} />}
        </Field>
      )}
    </FormDrawer>
  );
}
/** The rules of an activity, sentence by sentence. */
export function Rules({ said }: { said: readonly string[] }): ReactNode {
  return (
    <ol className="activity-rules">
      {said.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ol>
  );
}
/** What is decided about: the rules, and what they may cost. */
function Terms({ of: { said, budgetCents, placeCents, places, madeBy } }: { of: Activity }): ReactNode {
  return (
    <>
      <Rules said={said} />
      <Group
        title="最多会花多少"
        pairs={[
          ["最高成本", <b key="most" className="num">{`¥${yuan(budgetCents)}`}</b>],
          ["怎么算的", `${counted(places)} 份 × ${yuan(placeCents)} 元，券按最多能减的算`],
          ["创建人", madeBy],
        ]}
      />
    </>
  );
}

/** 加名额, where there are still as many as were seen. */
export function PlacesDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const activity = useDetail(getActivity, { id });
  if (activity.data) return <PlacesForm key={activity.data.places} of={activity.data} onClose={onClose} />;
  return <WaitingDrawer title="加名额" of={activity} onClose={onClose} />;
}
function PlacesForm({ of: { id, name, places, taken, placeCents }, onClose }: { of: Activity; onClose: () => void }): ReactNode {
  const form = useForm(addActivityPlaces, {
    initial: { id, seen: places },
    draft: false,
    done: "已加名额",
    refreshes: ACTIVITY_READS,
    onDone: onClose,
    check: ({ places: next }) => (next !== undefined && next <= places ? { places: `要比现在的 ${counted(places)} 份多` } : undefined),
    ask: ({ places: next = places }) => ({
      text: `「${name}」从 ${counted(places)} 份加到 ${counted(next)} 份？最高成本增加 ¥${yuan((next - places) * placeCents)}。`,
      ok: `加 ${counted(next - places)} 份`,
    }),
  });
  const next = form.values.places;
  const more = next === undefined || Number.isNaN(next) ? 0 : Math.max(0, next - places);
  return (
    <FormDrawer
      form={form}
      title={`加名额 ${name}`}
      submit={more > 0 ? `加 ${counted(more)} 份 · 成本加 ${yuan(more * placeCents)} 元` : "加名额"}
      onClose={onClose}
    >
      <Group
        title="现在"
        pairs={[
          ["名额", `${counted(places)} 份`],
          ["已占", `${counted(taken)} 份`],
        ]}
      />
      <Field of={form.field("places")} label="加到" help={`每份最高 ${yuan(placeCents)} 元`}>
        {(f) => <NumberInput {...f} unit="份" />}
      </Field>
      <Field of={form.field("refundPassword")} label="退款密码" optional help="创建人自己加小额名额时要填，别人加不用">
        {(f) => <TextInput {...f} type="password" autoComplete="off" maxLength={64} />}
      </Field>
    </FormDrawer>
  );
}
