import type { ReactNode } from "react";
import { useNavigate } from "react-router";
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
  addCouponStock,
  askBetter,
  decideCampaign,
  getCampaign,
  listCampaigns,
  steerCampaign,
  updateCampaign,
  withdrawCampaign,
} from "../../contract/index.ts";
import { borneWords, counted, sayLimits, worthMost } from "./campaign-words.ts";
import type { Side } from "./use-side.ts";

type Campaign = OutputOf<typeof getCampaign>;
type Row = Pick<RowOf<typeof listCampaigns>, "id" | "name" | "state" | "total" | "issued" | "valueCents">;
const READS = [listCampaigns, getCampaign];

/** What an act is called, what is said after it, and what takes it back. */
const STEER = {
  pause: ["暂停", "已暂停发放", "resume"],
  resume: ["恢复", "已恢复发放", "pause"],
  stop: ["停止", "已停止发放", undefined],
} as const;
const steerWords = ({ name, total, issued, valueCents }: Row): Readonly<Record<keyof typeof STEER, string>> => ({
  pause: `暂停发放「${name}」？还剩 ${counted(total - issued)} 张先不发；已领的照常能用，最高负债 ¥${yuan(valueCents)}。`,
  resume: `恢复发放「${name}」？还有 ${counted(total - issued)} 张，最高负债 ¥${yuan(valueCents)}。`,
  stop: `停止发放「${name}」？剩下的 ${counted(total - issued)} 张不再发，停了不能恢复；已领的 ${counted(issued)} 张照常能用。`,
});

/** 暂停, 恢复 or 停止: asked first, with what it is about. */
function Steer({ of, act, tone }: { of: Row; act: keyof typeof STEER; tone: ButtonTone }): ReactNode {
  const [busy, run] = useRun(READS);
  const [word, done, back] = STEER[act];
  const to = (next: keyof typeof STEER): Promise<unknown> => call(steerCampaign, { id: of.id, act: next });
  const steer = async (): Promise<void> => {
    if (!(await confirm(steerWords(of)[act], { ok: `${word}发放`, danger: act === "stop" }))) return;
    await run(async () => {
      await to(act);
      undoable(`「${of.name}」${done}`, back && (() => void run(() => to(back))));
    });
  };
  return (
    <Act of={steerCampaign}>
      <Button tone={tone} busy={busy} onClick={() => void steer()}>
        {word}
      </Button>
    </Act>
  );
}
/** 撤回: while it waits, by who made it. */
function Withdraw({ of, tone }: { of: Row; tone: ButtonTone }): ReactNode {
  const [busy, run] = useRun(READS);
  const withdraw = async (): Promise<void> => {
    if (!(await confirm(`撤回「${of.name}」？撤回后不能再审核，要发就复制一张新的。`, { ok: "撤回", danger: true }))) return;
    await run(async () => {
      await call(withdrawCampaign, { id: of.id });
      success(`已撤回「${of.name}」`);
    });
  };
  return (
    <Act of={withdrawCampaign}>
      <Button tone={tone} busy={busy} onClick={() => void withdraw()}>
        撤回
      </Button>
    </Act>
  );
}

/** What may be done with a campaign now, the nearest first. */
export function mainActs(of: Row, open: (panel: "decide" | "stock") => void, tone: ButtonTone): ReactNode {
  if (of.state === "UNAUDIT")
    return (
      <Act of={decideCampaign}>
        <Button tone={tone === "link" ? "link" : "primary"} onClick={() => open("decide")}>
          审核
        </Button>
      </Act>
    );
  if (of.state === "RUNNING") return <Steer of={of} act="pause" tone={tone} />;
  return of.state === "PAUSED" && <Steer of={of} act="resume" tone={tone} />;
}
export function moreActs(of: Row, open: (panel: "decide" | "stock") => void, tone: ButtonTone, base: Side["base"]): ReactNode {
  const copy = <Copy id={of.id} tone={tone} base={base} />;
  if (of.state === "STOPED") return copy;
  if (of.state === "UNAUDIT")
    return (
      <>
        <Change id={of.id} tone={tone} base={base} />
        <Withdraw of={of} tone={tone} />
        {copy}
      </>
    );
  return (
    <>
      <Act of={addCouponStock}>
        <Button tone={tone} onClick={() => open("stock")}>
          加库存
        </Button>
      </Act>
      {base === "/merchantTicket" && <Improve id={of.id} tone={tone} base={base} />}
      {copy}
      <Steer of={of} act="stop" tone={tone} />
    </>
  );
}
interface Leads {
  readonly id: string;
  readonly tone: ButtonTone;
  readonly base: Side["base"];
}
function Change({ id, tone, base }: Leads): ReactNode {
  const navigate = useNavigate();
  return (
    <Act of={updateCampaign}>
      <Button tone={tone} onClick={() => void navigate(`${base}/new?id=${id}`)}>
        修改
      </Button>
    </Act>
  );
}
/** 改善条款 of one that gives out. */
function Improve({ id, tone, base }: Leads): ReactNode {
  const navigate = useNavigate();
  return (
    <Act of={askBetter}>
      <Button tone={tone} onClick={() => void navigate(`${base}/new?id=${id}`)}>
        改善条款
      </Button>
    </Act>
  );
}
function Copy({ id, tone, base }: Leads): ReactNode {
  const navigate = useNavigate();
  return (
    <Act of={updateCampaign}>
      <Button tone={tone} onClick={() => void navigate(`${base}/new?copy=${id}`)}>
        复制
      </Button>
    </Act>
  );
}

/** 审核: by another than who made it. */
export function DecideDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const campaign = useDetail(getCampaign, { id });
  const title = "审核优惠券";
  if (!campaign.data) return <WaitingDrawer title={title} of={campaign} onClose={onClose} />;
  const { mayDecide, mayDecideAlone, state } = campaign.data;
  if (state === "UNAUDIT" && (mayDecide || mayDecideAlone))
    return <DecideForm key={campaign.data.version} of={campaign.data} onClose={onClose} />;
  return (
    <Drawer title={title} onClose={onClose}>
      <p className="notice notice-warn">
        {state === "UNAUDIT" ? `${campaign.data.madeBy} 创建的券，创建人自己不能审核，请另一位有审核权限的人来` : "这张券已经审核过了"}
      </p>
      <Terms of={campaign.data} />
    </Drawer>
  );
}
const verdict = labelled({ yes: "通过，按时开始发", no: "不通过，作废" });
function DecideForm({ of: campaign, onClose }: { of: Campaign; onClose: () => void }): ReactNode {
  const { id, version, name, mayDecide, valueCents, total } = campaign;
  const form = useForm(decideCampaign, {
    // Whoever made it may only let it run; not to is to take it back.
    initial: mayDecide ? { id, version } : { id, version, approve: true },
    draft: false,
    refreshes: READS,
    onDone: () => {
      success(form.values.approve ? `已通过「${name}」` : `没有通过「${name}」`);
      onClose();
    },
    ask: ({ approve }) =>
      approve
        ? { text: `通过「${name}」？最多 ${counted(total)} 张，最高负债 ¥${yuan(valueCents)}。`, ok: "通过" }
        : { text: `不通过「${name}」？它就作废了，要发得重新建。`, ok: "不通过", danger: true },
  });
  const { approve } = form.values;
  const chosen = approve === undefined ? undefined : approve ? ("yes" as const) : ("no" as const);
  const field = form.field("approve");
  return (
    <FormDrawer
      form={form}
      title={`审核优惠券 ${name}`}
      submit={approve === undefined ? "选择审核结果" : approve ? `通过 · 最高 ${yuan(valueCents)} 元` : "不通过"}
      danger={approve === false}
      onClose={onClose}
    >
      <Terms of={campaign} />
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
        <Field of={form.field("refundPassword")} label="退款密码" help="你是创建人；小额的券，商户主账号可以凭退款密码自己通过">
          {(f) => <TextInput {...f} type="password" autoComplete="off" maxLength={64} />}
        </Field>
      )}
    </FormDrawer>
  );
}
/** What is decided about: the sentence, the limits, and what it may cost. */
function Terms({ of: { said, terms, valueCents, madeBy, total, covers, providerPercent, ...limits } }: { of: Campaign }): ReactNode {
  const each = worthMost(terms);
  const names = covers.slice(0, 20).map(({ name }) => name);
  return (
    <>
      <p className="coupon-sentence">
        {said}
        {sayLimits({ total, ...limits }, terms.validity.mode)}
      </p>
      <Group
        title="最多会花多少"
        pairs={[
          ["最高负债", <b key="most" className="num">{`¥${yuan(valueCents)}`}</b>],
          ["怎么算的", each === undefined ? null : `${counted(total)} 张 × ${yuan(each)} 元，全部用掉时`],
          ...(covers.length > 0
            ? ([
                ["谁承担", borneWords(providerPercent)],
                ["服务商最多承担", `¥${yuan(Math.round((valueCents * providerPercent) / 100))}`],
                [`适用商户（${covers.length}）`, `${names.join("、")}${covers.length > names.length ? " 等" : ""}`],
              ] as const)
            : []),
          ["创建人", madeBy],
        ]}
      />
    </>
  );
}

/** 加库存, where the total is still the one that was seen. */
export function StockDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const campaign = useDetail(getCampaign, { id });
  if (campaign.data) return <StockForm key={campaign.data.total} of={campaign.data} onClose={onClose} />;
  return <WaitingDrawer title="加库存" of={campaign} onClose={onClose} />;
}
function StockForm({ of: { id, name, total, issued, held, terms }, onClose }: { of: Campaign; onClose: () => void }): ReactNode {
  const each = worthMost(terms) ?? 0;
  const form = useForm(addCouponStock, {
    initial: { id, seen: total },
    draft: false,
    done: "已加库存",
    refreshes: READS,
    onDone: onClose,
    check: ({ total: next }) => (next !== undefined && next <= total ? { total: `要比现在的 ${counted(total)} 张多` } : undefined),
    ask: ({ total: next = total }) => ({
      text: `「${name}」从 ${counted(total)} 张加到 ${counted(next)} 张？最高负债增加 ¥${yuan((next - total) * each)}。`,
      ok: `加 ${counted(next - total)} 张`,
    }),
  });
  const next = form.values.total;
  const more = next === undefined || Number.isNaN(next) ? 0 : Math.max(0, next - total);
  return (
    <FormDrawer
      form={form}
      title={`加库存 ${name}`}
      submit={more > 0 ? `加 ${counted(more)} 张 · 负债加 ${yuan(more * each)} 元` : "加库存"}
      onClose={onClose}
    >
      <Group
        title="现在"
        pairs={[
          ["总量", `${counted(total)} 张`],
          ["已领", `${counted(issued)} 张`],
          ["占着", held > 0 ? `${counted(held)} 张` : null],
        ]}
      />
      <Field of={form.field("total")} label="加到" help={`每张最多减 ${yuan(each)} 元`}>
        {(f) => <NumberInput {...f} unit="张" />}
      </Field>
      <Field of={form.field("refundPassword")} label="退款密码" optional help="创建人自己加小额库存时要填，别人加不用">
        {(f) => <TextInput {...f} type="password" autoComplete="off" maxLength={64} />}
      </Field>
    </FormDrawer>
  );
}
