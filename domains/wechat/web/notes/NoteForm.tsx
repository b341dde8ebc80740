import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import { useNavigate } from "react-router";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormBody, FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { success } from "@zhangfang/web/notify.ts";
import { useScreenTitle } from "@zhangfang/web/screen-title.tsx";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Empty } from "@zhangfang/web/show/Empty.tsx";
import {
  addNote,
  getNote,
  getNoteSpread,
  handNote,
  listNoteApps,
  listNotes,
  previewNote,
  updateNote,
  wxAppKind,
} from "../../contract/index.ts";
import { Before } from "./Before.tsx";
import { Content, When } from "./Content.tsx";
import { audienceOf, contentOf, type NoteFields } from "./note-fields.ts";
import { BLANK, counted, DETAIL, minute, missing, type Note } from "./note-words.ts";
import { NotePhone } from "./NotePhone.tsx";
import { Whom } from "./Whom.tsx";
import { reachable, Spread, useSpread } from "./Spread.tsx";

export const NOTE_READS = [listNotes, getNote, getNoteSpread];
const useApps = () => useQuery({ queryKey: [listNoteApps.path], queryFn: ({ signal }) => call(listNoteApps, {}, { signal }) });

/** 新建群发: the draft is made by its first save. */
export function NewNote(): ReactNode {
  const apps = useApps();
  const navigate = useNavigate();
  if (apps.data && !apps.data.items.some(({ active }) => active))
    return (
      <Empty
        text="还没有启用的公众号，先添加一个"
        action={
          <Button tone="primary" onClick={() => void navigate("/wxCRM/app")}>
            去微信应用
          </Button>
        }
      />
    );
  return apps.data ? <Create appId={apps.data.items.find(({ active }) => active)!.id} /> : null;
}
function Create({ appId }: { appId: string }): ReactNode {
  const navigate = useNavigate();
  const then = useRef<"stay" | "hand" | "preview">("stay");
  const form = useForm(addNote, {
    initial: { appId, name: "", kind: "article", content: BLANK as never, audience: {}, startsAt: null },
    draft: "new",
    done: "草稿已保存",
    refreshes: NOTE_READS,
    onDone: ({ id }) => {
      const hands = then.current === "hand" ? call(handNote, { id, revision: 1 }).catch(() => undefined) : Promise.resolve();
      void hands.then(() => navigate(`${DETAIL}?id=${id}${then.current === "preview" ? `&panel=preview:${id}` : ""}`, { replace: true }));
    },
  });
  const send = (what: typeof then.current) => async (): Promise<void> => {
    then.current = what;
    await form.submit();
    then.current = "stay";
  };
  return <Screen form={form} title="新建群发" onHand={send("hand")} onPreview={send("preview")} />;
}
/** A draft, changed by whoever may. */
export function EditNote({
  of,
  previewing,
  onPreview,
  onPreviewed,
}: {
  of: Note;
  previewing: boolean;
  onPreview: () => void;
  onPreviewed: () => void;
}): ReactNode {
  const { id, revision, appId, name, kind, content, audience, startsAt, why } = of;
  const [, run] = useRun(NOTE_READS);
  const form = useForm(updateNote, {
    initial: { id, revision, appId, name, kind, content: content as never, audience: audience as never, startsAt: startsAt as never },
    draft: `${id}:${revision}`,
    done: "草稿已保存",
    refreshes: NOTE_READS,
  });
  const saved = async (): Promise<number | undefined> => (!form.dirty ? revision : (await form.submit()) ? revision + 1 : undefined);
  const hand = async (): Promise<void> => {
    const now = await saved();
    if (now === undefined) return;
    await run(async () => {
      await call(handNote, { id, revision: now });
      success("已提交，等另一人审核");
    });
  };
  const preview = async (): Promise<void> => {
    if ((await saved()) !== undefined) onPreview();
  };
  return (
    <>
      <Screen form={form as never} title={name || "群发草稿"} why={why} noteId={id} onHand={hand} onPreview={preview} />
      {previewing && <Preview id={id} onClose={onPreviewed} />}
    </>
  );
}

function Screen({
  form,
  title,
  why = "",
  noteId,
  onHand,
  onPreview,
}: {
  form: NoteFields;
  title: string;
  why?: string;
  noteId?: string;
  onHand: () => Promise<void>;
  onPreview: () => Promise<void>;
}): ReactNode {
  useScreenTitle(title);
  const apps = useApps().data?.items ?? [];
  const [content, audience] = [contentOf(form), audienceOf(form)];
  const { appId, kind } = form.values;
  const startsAt = form.values.startsAt ?? null;
  const spread = useSpread(
    appId ? { appId, audience: audience as never, startsAt: startsAt as never, ...(noteId && { noteId }) } : undefined,
  );
  const people = spread.data && reachable(spread.data);
  const gap = missing(kind, content);
  const app = apps.find(({ id }) => id === appId);
  usePreviewKey(onPreview);
  return (
    <section className="form-screen form-screen-wide mass-new">
      <header className="screen-head">
        <h1>{title}</h1>
        <div className="screen-acts">
          <span className="note">{app && `${wxAppKind.label(app.kind)} ${app.name}`}</span>
        </div>
      </header>
      {why !== "" && <p className="notice">上次被驳回：{why}</p>}
      <FormBody form={form}>
        <div className="mass-grid">
          <div className="mass-main">
            <Whom form={form} apps={apps} />
            <section className="sheet">
              <Spread of={spread} everybody={audience.everybody} />
            </section>
            <Content form={form} />
            <When form={form} />
          </div>
          <Aside form={form} spread={spread.data} />
        </div>
      </FormBody>
      <div className="save-bar mass-save">
        <span className="mass-bar">{gap ?? "提交后，另一人审核通过才发"}</span>
        <Button onClick={() => void onPreview()} aria-keyshortcuts="Control+P" title="Ctrl + P">
          预览到我的微信
        </Button>
        <Button type="submit" form={form.formId} busy={form.busy}>
          存草稿
        </Button>
        <Button tone="primary" disabled={gap !== undefined || people === 0} busy={form.busy} onClick={() => void onHand()}>
          {people === undefined ? "提交审核" : `提交审核 · ${counted(people)} 人`}
        </Button>
      </div>
    </section>
  );
}
/** What a follower sees, and what is known before it goes out. */
function Aside({ form, spread }: { form: NoteFields; spread: ReturnType<typeof useSpread>["data"] }): ReactNode {
  const { kind, startsAt } = form.values;
  return (
    <aside className="mass-aside" aria-label="这次群发">
      <section className="sheet">
        <h2>顾客看到的</h2>
        <NotePhone kind={kind ?? "article"} content={contentOf(form)} at={startsAt ? minute(startsAt) : "审核通过后"} />
        <p className="note">链接按这次群发计点击，不知道是谁点的；微信不告诉谁看了。</p>
      </section>
      <section className="sheet">
        <h2>发之前</h2>
        <Before form={form} spread={spread} />
      </section>
    </aside>
  );
}
/** Ctrl P shows it on one's own phone instead of printing the page. */
function usePreviewKey(preview: () => Promise<void>): void {
  const latest = useRef(preview);
  useEffect(() => void (latest.current = preview));
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "p") return;
      event.preventDefault();
      void latest.current();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}

/** 预览到我的微信: the WeChat name stays on this device. */
export function Preview({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const may = useAct(previewNote);
  const form = useForm(previewNote, {
    initial: { id, wxName: "" },
    draft: "wx-name",
    done: "已发到微信，请看手机",
    onDone: onClose,
  });
  if (!may) return null;
  return (
    <FormDrawer form={form} title="预览到我的微信" submit="发给我" onClose={onClose}>
      <Field of={form.field("wxName")} label="微信号" help="不是昵称；这个微信要关注了公众号。不占额度，微信每天最多 100 次">
        {(f) => <TextInput {...f} maxLength={20} autoComplete="off" />}
      </Field>
    </FormDrawer>
  );
}
