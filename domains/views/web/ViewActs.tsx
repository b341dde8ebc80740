import { type FormEvent, type ReactNode, useId, useState } from "react";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { today } from "@zhangfang/web/filter/day-shortcuts.ts";
import { TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useDefaultView } from "@zhangfang/web/list/views/use-view.ts";
import { rangesOf } from "@zhangfang/web/list/views/view.ts";
import type { Viewed } from "@zhangfang/web/list/views/viewed.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import {
  addView,
  changeView,
  listViews,
  removeView,
  type SavedView,
  shareView,
  subscribeView,
  type Subscription,
  subscription,
} from "../contract/index.ts";
import { daysSent, nextRound } from "../contract/rounds.ts";
import { saidNow } from "./SaveView.tsx";

interface Props {
  readonly of: Viewed;
  readonly view: SavedView;
}
/** Whether the platform has a mail server. */
interface MailOn {
  readonly mailOn: boolean;
}

/** 甲 副本, and where that is taken 甲 副本 2 and so on; at most twenty letters. */
function copyName(name: string, taken: readonly string[]): string {
  for (let nth = 1; ; nth++) {
    const end = nth === 1 ? " 副本" : ` 副本 ${nth}`;
    const made = name.slice(0, 20 - end.length).trimEnd() + end;
    if (!taken.includes(made)) return made;
  }
}

/** What is done with one view. `taken` are the names of the caller's own views of the list. */
export function ViewActs({
  of,
  view,
  mailOn,
  taken,
  onDone,
}: Props & MailOn & { taken: readonly string[]; onDone: () => void }): ReactNode {
  const [busy, run] = useRun([listViews]);
  const mayShare = useAct(shareView);
  const [chosen, choose] = useDefaultView(of.list);
  const isDefault = chosen?.id === view.id;
  const share = (): Promise<void> =>
    run(async () => {
      await call(shareView, { id: view.id, shared: !view.shared });
      success(view.shared ? "已取消共享" : "已共享给本机构的同事");
    });
  const copy = (): Promise<void> =>
    run(async () => {
      const { path, list, filters, days, sort, columns } = view;
      const name = copyName(view.name, taken);
      await call(addView, { requestId: crypto.randomUUID(), path, list, name, filters, days, sort, columns });
      success(`已复制为「${name}」`);
    });
  const remove = async (): Promise<void> => {
    const others = view.shared ? "同事也将看不到它，" : "";
    if (!(await confirm(`删除视图「${view.name}」？${others}列表中的数据不受影响。`, { ok: "删除", danger: true }))) return;
    await run(async () => {
      await call(removeView, { id: view.id });
      if (isDefault) choose(undefined);
      if (of.view?.id === view.id) of.list.showView(undefined);
      success("已删除");
      onDone();
    });
  };
  return (
    <div className="saved-acts" role="group" aria-label={`视图 ${view.name}`}>
      {!view.mine && <p className="note">由{view.ownerName || "同事"}共享</p>}
      {view.changeable && <Rename view={view} />}
      <div className="saved-buttons">
        <Button small aria-pressed={isDefault} onClick={() => choose(isDefault ? undefined : defaultOf(view))}>
          {isDefault ? "取消默认" : "设为默认"}
        </Button>
        <Button small busy={busy} onClick={() => void copy()}>
          复制
        </Button>
        {mayShare && view.mine && (
          <Button small busy={busy} onClick={() => void share()}>
            {view.shared ? "取消共享" : "共享"}
          </Button>
        )}
        {view.changeable && (
          <Button small tone="danger" onClick={() => void remove()}>
            删除
          </Button>
        )}
      </div>
      <Subscribing of={of} view={view} mailOn={mailOn} />
    </div>
  );
}
const defaultOf = ({ id, filters, days, sort }: SavedView) => ({ id, filters, days, sort });

/** Writes what the list shows now over the view. Days that were moving stay so, where they are still those. */
export function OverwriteView({ of, view }: Props): ReactNode {
  const [busy, run] = useRun([listViews]);
  const [chosen, choose] = useDefaultView(of.list);
  const save = (): Promise<void> =>
    run(async () => {
      const ranges = rangesOf(of.list.filters, today());
      const said = saidNow(of, view.days !== null && ranges.includes(view.days) ? view.days : (ranges[0] ?? null));
      await call(changeView, { id: view.id, version: view.version, said } as never);
      if (chosen?.id === view.id) choose({ id: view.id, ...said });
      success(`已保存到「${view.name}」`);
    });
  return (
    <Button small tone="primary" busy={busy} onClick={() => void save()}>
      保存
    </Button>
  );
}

function Rename({ view }: { view: SavedView }): ReactNode {
  const id = useId();
  const [name, setName] = useState(view.name);
  const [busy, run] = useRun([listViews]);
  const rename = (event: FormEvent): void => {
    event.preventDefault();
    void run(async () => {
      await call(changeView, { id: view.id, version: view.version, name });
      success("已改名");
    });
  };
  return (
    <form className="saved-rename" onSubmit={rename}>
      <label className="sr-only" htmlFor={id}>
        视图名称
      </label>
      <TextInput id={id} value={name} onChange={(text) => setName(text ?? "")} maxLength={20} />
      <Button small type="submit" busy={busy} disabled={name.trim() === "" || name.trim() === view.name}>
        改名
      </Button>
    </form>
  );
}

/** The rows of the view as a file each day or week, where the list can be exported at all. */
function Subscribing({ of, view, mailOn }: Props & MailOn): ReactNode {
  const id = useId();
  const [busy, run] = useRun([listViews]);
  const maySubscribe = useAct(subscribeView);
  const { exportSource: source } = of;
  if (source === undefined || !maySubscribe) return null;
  const subscribe = (every: SavedView["subscription"], mail = mailOn ? view.mail : null): Promise<void> =>
    run(async () => {
      await call(subscribeView, { id: view.id, every, source, columns: [...of.columns], mail });
      const told = mail === null ? "并发消息告诉你" : `并发消息和邮件（${mail}）告诉你`;
      success(every === null ? "已取消订阅" : `${subscription.label(every)}生成文件，在「导出记录」下载，${told}`);
    });
  return (
    <>
      <fieldset disabled={busy} aria-busy={busy}>
        <legend>订阅：定时导出这个视图的数据</legend>
        {([null, ...subscription.values] as const).map((every) => (
          <label key={every ?? "none"}>
            <input type="radio" name={id} checked={view.subscription === every} onChange={() => void subscribe(every)} />{" "}
            {every === null ? "不订阅" : subscription.label(every)}
            {every !== null && <small className="note">{fileOf(view, every)}</small>}
          </label>
        ))}
      </fieldset>
      {!mailOn ? (
        <p className="note">邮件通知未开通：平台没有配置邮件服务器。文件和站内消息照常。</p>
      ) : (
        view.subscription !== null && (
          <MailTo key={view.mail} view={view} busy={busy} save={(mail) => void subscribe(view.subscription, mail)} />
        )
      )}
    </>
  );
}
/** Who subscribed may be told by mail too; the file stays behind the login. */
function MailTo({ view, busy, save }: { view: SavedView; busy: boolean; save: (mail: string | null) => void }): ReactNode {
  const id = useId();
  const [typed, setTyped] = useState(view.mail ?? "");
  const mail = typed.trim();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save(mail === "" ? null : mail);
  };
  return (
    <form className="saved-rename" onSubmit={submit}>
      <label htmlFor={id}>邮件通知到</label>
      <TextInput id={id} value={typed} onChange={(text) => setTyped(text ?? "")} maxLength={100} placeholder="name@example.com" />
      <Button small type="submit" busy={busy} disabled={mail === (view.mail ?? "")}>
        保存邮箱
      </Button>
      <small className="note">邮件只通知文件已生成，数据要登录后下载。留空则不发。</small>
    </form>
  );
}
/** Which days the next file has. @example " · 下一份 11-23，含 2026-11-16 至 2026-11-22" */
function fileOf({ days, filters }: SavedView, every: Subscription): string {
  const next = shanghaiDay(nextRound(every, Date.now()));
  const [from, to] = days === null ? [filters["from"], filters["to"]] : daysSent(days, every, next);
  const span = from === to ? from : `${from ?? "最早"} 至 ${to ?? "最晚"}`;
  return ` · 下一份 ${next.slice(5)}${from === undefined && to === undefined ? "" : `，含 ${span}`}`;
}
