import type { ReactNode } from "react";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { NumberInput, PickOne, Radios, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { confirm, success, undoable } from "@zhangfang/web/notify.ts";
import { Button, type ButtonTone } from "@zhangfang/web/show/Button.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { Group, useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import {
  decideLottery,
  getLottery,
  listLotteries,
  raiseLotteryStock,
  steerLottery,
  updateLottery,
  withdrawLottery,
} from "../contract/index.ts";
import { counted, LOTTERY_READS } from "./lottery-words.ts";

type Lottery = OutputOf<typeof getLottery>;
type Row = Pick<RowOf<typeof listLotteries>, "id" | "name" | "state" | "draws" | "spentCents" | "heldCents">;
export type Panel = "decide" | "raise" | "edit";

/** What an act is called, what is said after it, and what takes it back. */
const STEER = { pause: ["暂停", "已暂停", "resume"], resume: ["恢复", "已恢复", "pause"], stop: ["结束", "已结束", undefined] } as const;
const steerWords = ({ name, spentCents, heldCents }: Row): Readonly<Record<keyof typeof STEER, string>> => ({
  pause: `暂停「${name}」？顾客先不能摇，已摇中的照常到账、兑奖。`,
  resume: `恢复「${name}」？顾客又可以摇。`,
  stop: `结束「${name}」？没摇出去的奖不再发，留着的券退回可发，结束后不能恢复；已发的 ¥${yuan(spentCents)} 和待兑的 ¥${yuan(heldCents)} 不变。`,
});
/** 暂停, 恢复 or 结束: asked first, with what it is about. */
function Steer({ of, act, tone }: { of: Row; act: keyof typeof STEER; tone: ButtonTone }): ReactNode {
  const [busy, run] = useRun(LOTTERY_READS);
  const [word, done, back] = STEER[act];
  const to = (next: keyof typeof STEER): Promise<unknown> => call(steerLottery, { id: of.id, act: next });
  const steer = async (): Promise<void> => {
    if (!(await confirm(steerWords(of)[act], { ok: `${word}活动`, danger: act === "stop" }))) return;
    await run(async () => {
      await to(act);
      undoable(`「${of.name}」${done}`, back && (() => void run(() => to(back))));
    });
  };
  return (
    <Act of={steerLottery}>
      <Button tone={tone} busy={busy} onClick={() => void steer()}>
        {word}
      </Button>
    </Act>
  );
}
/** 撤回: while it waits, by who made it. */
function Withdraw({ of, tone }: { of: Row; tone: ButtonTone }): ReactNode {
  const [busy, run] = useRun(LOTTERY_READS);
  const withdraw = async (): Promise<void> => {
    if (!(await confirm(`撤回「${of.name}」？撤回后不能再审核，要做就新建一个。`, { ok: "撤回", danger: true }))) return;
    await run(async () => {
      await call(withdrawLottery, { id: of.id });
      success(`已撤回「${of.name}」`);
    });
  };
  return (
    <Act of={withdrawLottery}>
      <Button tone={tone} busy={busy} onClick={() => void withdraw()}>
        撤回
      </Button>
    </Act>
  );
}

/** What may be done with a lottery now, the nearest first. */
export function mainActs(of: Row, open: (panel: Panel) => void, tone: ButtonTone): ReactNode {
  if (of.state === "UNAUDIT")
    return (
      <Act of={decideLottery}>
        <Button tone={tone === "link" ? "link" : "primary"} onClick={() => open("decide")}>
          审核
        </Button>
      </Act>
    );
  if (of.state === "RUNNING") return <Steer of={of} act="pause" tone={tone} />;
  return of.state === "PAUSED" && <Steer of={of} act="resume" tone={tone} />;
}
export function moreActs(of: Row, open: (panel: Panel) => void, tone: ButtonTone): ReactNode {
  if (of.state === "STOPED") return null;
  if (of.state === "UNAUDIT")
    return (
      <>
        <Act of={updateLottery}>
          <Button tone={tone} onClick={() => open("edit")}>
            修改
          </Button>
        </Act>
        <Withdraw of={of} tone={tone} />
      </>
    );
  return (
    <>
      <Act of={raiseLotteryStock}>
        <Button tone={tone} onClick={() => open("raise")}>
          加奖
        </Button>
      </Act>
      <Steer of={of} act="stop" tone={tone} />
    </>
  );
}

/** 审核: by another than who made it. */
export function DecideDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const lottery = useDetail(getLottery, { id });
  const title = "审核摇一摇";
  if (!lottery.data) return <WaitingDrawer title={title} of={lottery} onClose={onClose} />;
  const { mayDecide, mayDecideAlone, state, madeBy } = lottery.data;
  if (state === "UNAUDIT" && (mayDecide || mayDecideAlone))
    return <DecideForm key={lottery.data.version} of={lottery.data} onClose={onClose} />;
  return (
    <Drawer title={title} onClose={onClose}>
      <p className="notice notice-warn">
        {state === "UNAUDIT" ? `${madeBy} 创建的活动，创建人自己不能审核，请另一位有审核权限的人来` : "这个活动已经审核过了"}
      </p>
      <Terms of={lottery.data} />
    </Drawer>
  );
}
const verdict = labelled({ yes: "通过，规则现在就公示", no: "不通过，作废" });
function DecideForm({ of: lottery, onClose }: { of: Lottery; onClose: () => void }): ReactNode {
  const { id, version, name, mayDecide, budgetCents } = lottery;
  const form = useForm(decideLottery, {
    // Whoever made it may only let it run; not to is to take it back.
    initial: mayDecide ? { id, version } : { id, version, approve: true },
    draft: false,
    refreshes: LOTTERY_READS,
    onDone: () => {
      success(form.values.approve ? `已通过「${name}」` : `没有通过「${name}」`);
      onClose();
    },
    ask: ({ approve }) =>
      approve
        ? { text: `通过「${name}」？最多花 ¥${yuan(budgetCents)}；公布后只能加奖，不能改规则。`, ok: "通过" }
        : { text: `不通过「${name}」？它就作废了，要做得重新建。`, ok: "不通过", danger: true },
  });
  const { approve } = form.values;
  const chosen = approve === undefined ? undefined : approve ? ("yes" as const) : ("no" as const);
  const field = form.field("approve");
  return (
    <FormDrawer
      form={form}
      title={`审核摇一摇 ${name}`}
      submit={approve === undefined ? "选择审核结果" : approve ? `通过 · 最多 ${yuan(budgetCents)} 元` : "不通过"}
      danger={approve === false}
      onClose={onClose}
    >
      <Terms of={lottery} />
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
/** The rules of a lottery, sentence by sentence. */
export function Rules({ said }: { said: readonly string[] }): ReactNode {
  return (
    <ol className="lottery-rules">
      {said.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ol>
  );
}
/** What is decided about: the rules, and what they may cost. */
function Terms({ of: { said, budgetCents, madeBy } }: { of: Lottery }): ReactNode {
  return (
    <>
      <Rules said={said} />
      <Group
        title="最多会花多少"
        pairs={[
          ["最多花", <b key="most" className="num">{`¥${yuan(budgetCents)}`}</b>],
          ["怎么算的", "所有奖品都发完时；券按最多能减的算，实物按市场价"],
          ["创建人", madeBy],
        ]}
      />
    </>
  );
}

/** 加奖: more of one prize, where there are still as many as were seen. */
export function RaiseDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const lottery = useDetail(getLottery, { id });
  if (lottery.data) return <RaiseForm of={lottery.data} onClose={onClose} />;
  return <WaitingDrawer title="加奖" of={lottery} onClose={onClose} />;
}
function RaiseForm({ of: { id, name, prizes }, onClose }: { of: Lottery; onClose: () => void }): ReactNode {
  const form = useForm(raiseLotteryStock, {
    initial: { id, place: 1, seen: prizes[0]!.stock },
    draft: false,
    done: "已加奖",
    refreshes: LOTTERY_READS,
    onDone: onClose,
    check: ({ stock, seen = 0 }) => (stock !== undefined && stock <= seen ? { stock: `要比现在的 ${counted(seen)} 份多` } : undefined),
    ask: ({ stock = 0, seen = 0, place }) => {
      const prize = prizes.find((one) => one.place === place)!;
      return {
        text: `「${name}」的 ${prize.name} 从 ${counted(seen)} 份加到 ${counted(stock)} 份？最多花增加 ¥${yuan((stock - seen) * prize.valueCents)}，会在公示页写明。`,
        ok: `加 ${counted(stock - seen)} 份`,
      };
    },
  });
  const { place, stock, seen = 0 } = form.values;
  const prize = prizes.find((one) => one.place === place);
  const more = stock === undefined || Number.isNaN(stock) ? 0 : Math.max(0, stock - seen);
  return (
    <FormDrawer
      form={form}
      title={`加奖 ${name}`}
      submit={more > 0 && prize ? `加 ${counted(more)} 份 · 最多花加 ${yuan(more * prize.valueCents)} 元` : "加奖"}
      onClose={onClose}
    >
      <Field
        of={{
          name: "place",
          value: place === undefined ? undefined : String(place),
          error: undefined,
          set: (one) => {
            const next = prizes.find((x) => String(x.place) === one);
            if (next) form.set({ ...form.values, place: next.place, seen: next.stock });
          },
        }}
        label="奖品"
        help="公布后只能加，不能减，机会也不能改"
      >
        {(f) => <PickOne {...f} options={prizes.map((one) => ({ value: String(one.place), label: one.name }))} />}
      </Field>
      {prize && (
        <Group
          title="现在"
          pairs={[
            ["数量", `${counted(prize.stock)} 份`],
            ["已摇出", `${counted(prize.drawn)} 份`],
          ]}
        />
      )}
      <Field of={form.field("stock")} label="加到" {...(prize && { help: `每份最高 ${yuan(prize.valueCents)} 元` })}>
        {(f) => <NumberInput {...f} unit="份" />}
      </Field>
      <Field of={form.field("refundPassword")} label="退款密码" optional help="创建人自己小额加奖时要填，别人加不用">
        {(f) => <TextInput {...f} type="password" autoComplete="off" maxLength={64} />}
      </Field>
    </FormDrawer>
  );
}
