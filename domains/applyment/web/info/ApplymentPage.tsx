import { type ReactNode, useEffect, useRef } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { success } from "@zhangfang/web/notify.ts";
import { useScreenTitle } from "@zhangfang/web/screen-title.tsx";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Copy } from "@zhangfang/web/show/Copy.tsx";
import { DetailScreen, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import {
  applymentState,
  askApplyment,
  eventKind,
  getApplyment,
  listApplyments,
  summariseApplyments,
  voidApplyment,
} from "../../contract/index.ts";
import { NO_REASON } from "../../contract/codes.ts";
import { AccountDrawer } from "./AccountDrawer.tsx";
import { After } from "./After.tsx";
import { type Applyment, lineOf, minute, SCANNED, silenceWords } from "./info-words.ts";
import { ToDo } from "./ToDo.tsx";
import "./info.css";

const READS = [listApplyments, summariseApplyments, getApplyment];
const [ASK_MS, TICK_MS] = [61_000, 3_000];
const isOver = ({ state }: Applyment): boolean => state === "FINISHED" || state === "CANCELED";

/** One application: how it stands, the one thing to do now, its rounds, and what follows the end. */
export function ApplymentPage({ id, onBack }: { id: string; onBack: () => void }): ReactNode {
  const found = useDetail(getApplyment, { id }, { live_ms: 5_000 });
  const [voiding, account] = [usePanel("void"), usePanel("account")];
  const one = found.data;
  useScreenTitle(one && `进件 · ${one.merchantName}`);
  useAsking(one);
  return (
    <DetailScreen
      title={one ? `进件 ${one.merchantName}` : "进件详情"}
      of={found}
      actions={
        <>
          <Button onClick={onBack}>返回列表</Button>
          {one && <Acts of={one} onVoid={() => voiding.open()} />}
        </>
      }
    >
      {(row) => (
        <div className="applyment">
          <Head of={row} />
          <Line of={row} />
          <div className="applyment-halves">
            <ToDo of={row} onAccount={() => account.open()} />
            <Rounds of={row} />
          </div>
          {row.state !== "CANCELED" && <After of={row} />}
          {voiding.id && <VoidDrawer of={row} onClose={voiding.close} />}
          {account.id && <AccountDrawer onClose={account.close} />}
        </div>
      )}
    </DetailScreen>
  );
}
/** While somebody looks at a code it is asked about once a minute, so that it is never an old one and goes by itself once it was scanned. */
function useAsking(one: Applyment | undefined): void {
  const client = useQueryClient();
  const id = one && SCANNED[one.state] !== undefined ? one.id : undefined;
  const askedAt = useRef(0);
  useEffect(() => {
    // A refused question counts too: somebody else has just asked, or the clocks differ.
    askedAt.current = Math.max(askedAt.current, one?.askedAt ? Date.parse(one.askedAt) : 0);
  }, [one?.askedAt]);
  useEffect(() => {
    if (id === undefined) return undefined;
    const look = (): void => {
      if (document.hidden || Date.now() - askedAt.current < ASK_MS) return;
      askedAt.current = Date.now();
      void call(askApplyment, { id }, { quiet: true })
        .catch(() => undefined)
        .then(() => client.invalidateQueries({ queryKey: [getApplyment.path] }));
    };
    const timer = setInterval(look, TICK_MS);
    return () => clearInterval(timer);
  }, [id, client]);
}

function Acts({ of: one, onVoid }: { of: Applyment; onVoid: () => void }): ReactNode {
  const [busy, run] = useRun(READS);
  const unsaid = one.state === "REJECTED" && !one.sending && one.rejected.every(({ reason }) => reason === NO_REASON);
  const ask = (): Promise<void> =>
    run(async () => {
      await call(askApplyment, { id: one.id });
      success("正在问微信支付，有变化会自己显示");
    });
  return (
    <>
      {!one.sending && (one.state === "EDITTING" || one.state === "REJECTED") && (
        <Act of={voidApplyment}>
          <Button onClick={onVoid}>作废</Button>
        </Act>
      )}
      {(one.nextAt !== null || one.alarm || unsaid) && (
        <Act of={askApplyment}>
          <Button busy={busy} onClick={() => void ask()}>
            {unsaid ? "再查" : "现在查"}
          </Button>
        </Act>
      )}
    </>
  );
}
function Head({ of: one }: { of: Applyment }): ReactNode {
  const silence = silenceWords(one);
  const alarm = one.alarm ? one.events.find(({ kind }) => kind === "alarm")?.said : undefined;
  return (
    <>
      <p className="applyment-head">
        <StatusTag of={applymentState} code={one.state} />
        {one.code && (
          <span>
            申请单{" "}
            <Copy text={one.code}>
              <span className="applyment-code">{one.code}</span>
            </Copy>
          </span>
        )}
        {one.askedAt && !isOver(one) && <span className="note">{minute(one.askedAt)} 查过</span>}
      </p>
      {alarm && (
        <p className="notice notice-bad" role="alert">
          {alarm}
        </p>
      )}
      {silence && <p className="notice notice-warn">{silence}</p>}
    </>
  );
}
const HOW = { done: "已完成", now: "现在", bad: "没有通过", ahead: "还没到", skipped: "没有经过" } as const;
function Line({ of }: { of: Applyment }): ReactNode {
  return (
    <ol className="applyment-line" aria-label="进度">
      {lineOf(of).map(({ label, how, note }) => (
        <li key={label} className={`applyment-${how}`} aria-current={how === "now" ? "step" : undefined}>
          <b>{label}</b>
          <span className="sr-only">{HOW[how]}</span>
          <small>{note}</small>
        </li>
      ))}
    </ol>
  );
}
const TONES: Readonly<Record<string, string>> = {
  FINISHED: "good",
  REJECTED: "bad",
  CANCELED: "ended",
  TO_BE_CONFIRMED: "warn",
  TO_BE_SIGNED: "warn",
};
/** What happened, the newest first, with what each round changed. */
function Rounds({ of: { events, rounds } }: { of: Applyment }): ReactNode {
  return (
    <section className="applyment-card" aria-label="经过">
      <h2>{rounds > 1 ? `来回 ${rounds} 轮` : "经过"}</h2>
      <ol className="timeline">
        {events.map(({ id, at, kind, state, round, said, rejected, byName, changes }) => (
          <li
            key={id}
            className={`timeline-${kind === "state" ? (TONES[state] ?? "active") : kind === "submitted" || kind === "chosen" ? "active" : "bad"}`}
          >
            <span className="timeline-title">
              {kind === "submitted" ? `第 ${round} 次提交` : kind === "state" ? stateTitle(state, rejected.length) : eventKind.label(kind)}
            </span>
            <span className="num note">{` ${minute(at)}${byName ? ` · ${byName}` : ""}`}</span>
            {said && kind !== "state" && <div className="note">{said}</div>}
            {rejected.map(({ name, reason }, index) => (
              <div key={index} className="note">{`${name || "未指明哪一栏"}：${reason}`}</div>
            ))}
            {changes.map(({ label, before, after }) => (
              <div key={label} className="note applyment-change">
                {label} {before && <del>{before}</del>} {before && "→ "}
                <b>{after || "（清空）"}</b>
              </div>
            ))}
          </li>
        ))}
      </ol>
    </section>
  );
}
const stateTitle = (state: Applyment["state"], count: number): string =>
  state === "REJECTED" ? (count > 0 ? `驳回 ${count} 处` : "已驳回") : applymentState.label(state);

/** 作废: what can't be brought back, with its reason. */
function VoidDrawer({ of: { id, merchantName, code }, onClose }: { of: Applyment; onClose: () => void }): ReactNode {
  const form = useForm(voidApplyment, {
    initial: { id, reason: "" },
    draft: false,
    done: "已作废",
    refreshes: READS,
    onDone: onClose,
    ask: () => ({
      text: `作废「${merchantName}」的进件${code ? ` ${code}` : ""}？作废后不能恢复，要办就重新提交一份；填好的资料还在。`,
      ok: "作废",
      danger: true,
    }),
  });
  return (
    <FormDrawer form={form} title={`作废进件 ${merchantName}`} submit="作废" danger onClose={onClose}>
      <p className="notice">微信支付没有作废的接口：只在这里作废。提交过的还会接着查，那边若继续往前走，这里会报警。</p>
      <Field of={form.field("reason")} label="原因">
        {(f) => <TextInput {...f} maxLength={100} />}
      </Field>
    </FormDrawer>
  );
}
