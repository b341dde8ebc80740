import "./notes.css";
import { type ReactNode, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import type { Endpoint } from "@zhangfang/contract/endpoint.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { confirm, error, success } from "@zhangfang/web/notify.ts";
import { useScreenTitle } from "@zhangfang/web/screen-title.tsx";
import { Button, type ButtonTone } from "@zhangfang/web/show/Button.tsx";
import { Copy } from "@zhangfang/web/show/Copy.tsx";
import { DetailScreen, Group, HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import {
  batchState,
  cancelNote,
  copyNote,
  decideNote,
  deleteNote,
  getNote,
  noteKind,
  noteState,
  previewNote,
  steerNote,
  updateNote,
  withdrawNote,
} from "../../contract/index.ts";
import { EditNote, NewNote, NOTE_READS, Preview } from "./NoteForm.tsx";
import { NotePhone } from "./NotePhone.tsx";
import { counted, DETAIL, leadsTo, minute, type Note, standing, whom } from "./note-words.ts";

/** 群发详情: a new one, a draft in its form, or what became of one. */
export function NoteScreen(): ReactNode {
  const [query] = useSearchParams();
  const id = query.get("id");
  return id === null ? <NewNote /> : <OneNote id={id} />;
}
const AT_WORK = ["ready", "sending", "confirming"];
function OneNote({ id }: { id: string }): ReactNode {
  const note = useDetail(getNote, { id }, { until: ({ state }) => !AT_WORK.includes(state), live_ms: 30_000 });
  const preview = usePanel("preview");
  const [turning, setTurning] = useState(false);
  const mayEdit = useAct(updateNote);
  useScreenTitle(note.data && `群发 · ${note.data.name}`);
  const { data } = note;
  if (data?.state === "draft" && mayEdit)
    return (
      <EditNote
        key={`${id}:${data.revision}`}
        of={data}
        previewing={preview.id !== undefined}
        onPreview={() => preview.open(id)}
        onPreviewed={preview.close}
      />
    );
  return (
    <DetailScreen
      title="群发详情"
      list={["/wxCRM/groupNote", "群发消息"]}
      of={note}
      actions={data && <Acts of={data} onPreview={() => preview.open(id)} onTurnDown={() => setTurning(true)} />}
    >
      {(row) => (
        <>
          <Facts of={row} />
          {preview.id && <Preview id={id} onClose={preview.close} />}
          {turning && <TurnDown of={row} onClose={() => setTurning(false)} />}
        </>
      )}
    </DetailScreen>
  );
}

function Facts({ of }: { of: Note }): ReactNode {
  const { name, kind, state, content, audience, batches, shortUrl } = of;
  const words = standing(of);
  return (
    <>
      <HeroLine label={`${of.appName} · ${noteKind.label(kind)}`} value={name} status={<StatusTag of={noteState} code={state} />} />
      {of.verdict && <p className="notice mass-words">{`${of.verdictBy} 登记为${VERDICT[of.verdict]}，还要另一人登记同样的结果才算数`}</p>}
      {words !== "" && <p className={`${state === "failed" || of.paused ? "notice" : "note"} mass-words`}>{words}</p>}
      <div className="mass-facts">
        <div>
          <Group
            title="结果"
            pairs={[
              ["名单", of.people === null ? null : `${counted(of.people)} 人`],
              ["额度用完没发", `${counted(of.atLimit)} 人`],
              ["微信已收下", `${counted(of.taken)} 人`],
              ["已发送", of.sent === null ? (of.taken > 0 ? "微信还没告诉人数" : null) : `${counted(of.sent)} 人`],
              ["微信过滤", of.filtered === null ? null : `${counted(of.filtered)} 人`],
              ["失败", `${counted(of.failed)} 人`],
              ["链接点击", shortUrl && `${counted(of.clicks)} 次（同一个人点几次算几次）`],
              ["花费", "0.00 元"],
            ]}
          />
          <Group
            title="发给谁"
            pairs={[
              ["粉丝", whom(audience, of)],
              ["什么时候", of.startsAt ? minute(of.startsAt) : "审核通过后"],
              ["链接去处", leadsTo(content)],
              ["短链接", shortUrl && <Copy text={shortUrl} />],
              ["创建人", `${of.madeBy} ${minute(of.createdAt)}`],
              ["审核人", of.decidedAt && `${of.decidedBy} ${minute(of.decidedAt)}`],
            ]}
          />
        </div>
        <Group title="顾客看到的">
          <NotePhone kind={kind} content={content} at={minute(of.frozenAt ?? of.startsAt ?? of.createdAt)} />
        </Group>
      </div>
      {kind === "article" && (
        <Group title="正文">
          <p className="mass-body">{content.body || "还没有正文"}</p>
        </Group>
      )}
      {batches.length > 0 && <Batches of={of} />}
    </>
  );
}
function Batches({ of: { batches } }: { of: Note }): ReactNode {
  const c = columns<Note["batches"][number]>();
  return (
    <Group title="批次">
      <DataTable
        label="批次"
        rows={batches as never}
        columns={[
          c.number("place", "批", { width: 56 }),
          c.number("people", "人数", { width: 88 }),
          c.code("state", "状态", batchState, { width: 144 }),
          c.number("sent", "已发送", { width: 88 }),
          c.number("filtered", "过滤", { width: 72 }),
          c.number("failed", "失败", { width: 72 }),
          c.time("askedAt", "交给微信", { width: 168 }),
          c.text("reason", "说明", (row) => (row.replaced ? `${row.reason}；已另发一批` : row.deletedAt ? "图文已删除" : row.reason), {
            width: 240,
          }),
        ]}
        blank={<p className="note">还没有批次</p>}
      />
      <p className="note">一批一个编号，24 小时内微信对同一个编号只发一次；过了 23 小时还不知道的不再问，由两个人登记结果。</p>
    </Group>
  );
}

type Ask = { readonly text: string; readonly ok: string; readonly danger?: boolean } | undefined;
/** A button that does one thing to a note, asked first where it can't be undone. */
function Do({
  of,
  word,
  ask,
  tone = "plain",
  said,
  what,
}: {
  of: Endpoint;
  word: string;
  ask?: Ask;
  tone?: ButtonTone;
  said: string;
  what: () => Promise<unknown>;
}): ReactNode {
  const [busy, run] = useRun(NOTE_READS);
  const press = async (): Promise<void> => {
    if (ask && !(await confirm(ask.text, { ok: ask.ok, cancel: "先不", danger: ask.danger ?? false }))) return;
    await run(async () => {
      await what();
      success(said);
    });
  };
  return (
    <Act of={of}>
      <Button tone={tone} busy={busy} onClick={() => void press()}>
        {word}
      </Button>
    </Act>
  );
}
function Acts({ of, onPreview, onTurnDown }: { of: Note; onPreview: () => void; onTurnDown: () => void }): ReactNode {
  const { id, name, state, paused, kind, batches } = of;
  const bad = batches.filter((one) => !one.replaced && (one.state === "failed" || one.state === "void"));
  const people = bad.reduce((sum, one) => sum + one.people, 0);
  const untouched = batches.every((one) => one.state === "waiting");
  const open = { sending: paused ? "asked" : undefined, confirming: "accepted" }[state as string];
  const unknown = batches.some((one) => one.doubtful && one.state === open);
  const stop = { text: `取消「${name}」？还没发给任何人，取消后不能恢复。`, ok: "取消群发", danger: true };
  const again = { text: `把「${name}」没发出的 ${bad.length} 批共 ${counted(people)} 人再发一次？`, ok: "再发失败的" };
  return (
    <>
      {state !== "draft" && <CopyIt id={id} />}
      {(state === "review" || state === "ready" || (state === "sending" && untouched)) && (
        <Do of={cancelNote} word="取消群发" ask={stop} said="已取消" what={() => call(cancelNote, { id })} />
      )}
      {state === "review" && <Waiting of={of} onPreview={onPreview} onTurnDown={onTurnDown} />}
      {state === "sending" && (
        <Do
          of={steerNote}
          word={paused ? "继续" : "暂停"}
          said={paused ? "继续发送" : "已暂停"}
          what={() => call(steerNote, { id, act: paused ? "resume" : "pause" })}
        />
      )}
      {unknown && <Verdict of={of} act="was-sent" />}
      {unknown && <Verdict of={of} act="was-not-sent" />}
      {(state === "partly" || state === "failed") && bad.length > 0 && (
        <Do
          of={steerNote}
          word="再发失败的"
          tone="primary"
          ask={again}
          said="失败的正在重发"
          what={() => call(steerNote, { id, act: "retry" })}
        />
      )}
      {kind === "article" && batches.some((one) => one.state === "sent" && one.deletedAt === null) && <Remove of={of} />}
    </>
  );
}
const VERDICT = { "was-sent": "已发出", "was-not-sent": "没有发出" } as const;
/** What two persons saw at mp.weixin.qq.com of batches that nobody knows of. */
function Verdict({ of: { id, name, batches }, act }: { of: Note; act: keyof typeof VERDICT }): ReactNode {
  const open = batches.filter((one) => one.doubtful);
  const people = counted(open.reduce((sum, one) => sum + one.people, 0));
  const then = act === "was-sent" ? "这些人不会再发，额度照扣" : "额度退回，可以再发；其实已发出的话，他们会收到两次";
  const text = `在微信公众平台的群发记录里看过「${name}」了？把还不知道的 ${open.length} 批 ${people} 人登记为${VERDICT[act]}：${then}。要两个人登记同样的结果才算数。`;
  return (
    <Do
      of={steerNote}
      word={`登记${VERDICT[act]}`}
      ask={{ text, ok: `登记${VERDICT[act]}`, danger: act === "was-not-sent" }}
      said="已登记"
      what={() => call(steerNote, { id, act })}
    />
  );
}
function CopyIt({ id }: { id: string }): ReactNode {
  const navigate = useNavigate();
  const copy = async (): Promise<void> => {
    const made = await call(copyNote, { requestId: crypto.randomUUID(), id });
    void navigate(`${DETAIL}?id=${made.id}`);
  };
  return <Do of={copyNote} word="复制" said="已复制成草稿" what={copy} />;
}
/** While it waits: whoever made it takes it back, another says yes or no. */
function Waiting({ of, onPreview, onTurnDown }: { of: Note; onPreview: () => void; onTurnDown: () => void }): ReactNode {
  const { id, name, revision, mine, startsAt, people, audience } = of;
  const sends = people === null ? whom(audience, of) : `${counted(people)} 人`;
  const yes = {
    text: `通过「${name}」？${startsAt ? `${minute(startsAt)} ` : "马上"}发给${sends}，每人占 1 条额度，发出后不能撤回。`,
    ok: "审核通过",
  };
  return (
    <>
      <Do of={withdrawNote} word="撤回修改" said="已撤回成草稿" what={() => call(withdrawNote, { id })} />
      <Act of={previewNote}>
        <Button onClick={onPreview}>预览</Button>
      </Act>
      {mine ? (
        <span className="note">要由另一人审核</span>
      ) : (
        <>
          <Act of={decideNote}>
            <Button onClick={onTurnDown}>驳回</Button>
          </Act>
          <Do
            of={decideNote}
            word="审核通过"
            tone="primary"
            ask={yes}
            said="已通过"
            what={() => call(decideNote, { id, revision, approve: true })}
          />
        </>
      )}
    </>
  );
}
function Remove({ of: { id, name } }: { of: Note }): ReactNode {
  const text = `删除「${name}」已发出的图文？还没点开的人再点会看到已删除；标题仍留在聊天里，收到的通知收不回。不能恢复。`;
  const remove = async (): Promise<void> => {
    const { left } = await call(deleteNote, { id });
    if (left > 0) error(`还有 ${left} 批没删掉，请稍后再试`);
  };
  return (
    <Do of={deleteNote} word="删除图文" tone="danger" ask={{ text, ok: "删除图文", danger: true }} said="已请微信删除图文" what={remove} />
  );
}
function TurnDown({ of: { id, name, revision }, onClose }: { of: Note; onClose: () => void }): ReactNode {
  const form = useForm(decideNote, {
    initial: { id, revision, approve: false, why: "" },
    draft: false,
    done: "已驳回，退回草稿",
    refreshes: NOTE_READS,
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title={`驳回 ${name}`} submit="驳回" onClose={onClose}>
      <Field of={form.field("why")} label="驳回原因" help="创建人会看到">
        {(f) => <TextInput {...f} maxLength={100} />}
      </Field>
    </FormDrawer>
  );
}
