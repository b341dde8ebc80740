import type { ReactNode } from "react";
import { call } from "@zhangfang/web/api/api.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { PictureInput } from "@zhangfang/web/form/files/PictureInput.tsx";
import { MomentInput } from "@zhangfang/web/form/days/DayInput.tsx";
import { Pick, Radios, TextArea, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { addNotePicture, type NoteContent, noteKind, noteLink, NOTE_PICTURE_MOST } from "../../contract/index.ts";
import { contentOf, type NoteFields, part } from "./note-fields.ts";

const uploadPicture = (base64: string): Promise<string | undefined> =>
  call(addNotePicture, { base64 }).then(
    ({ url }) => url,
    () => undefined,
  );
/** What is sent. */
export function Content({ form }: { form: NoteFields }): ReactNode {
  const { kind } = form.values;
  return (
    <section className="sheet mass-fields">
      <h2>发什么</h2>
      <Field of={form.field("kind")} label="类型">
        {(f) => <Radios {...f} set={noteKind} />}
      </Field>
      {kind !== "text" && (
        <Field
          of={part(form, "picture")}
          label={kind === "picture" ? "图片" : "封面"}
          help={kind === "picture" ? "PNG 或 JPEG" : "900 × 383 最合适"}
        >
          {(f) => (
            <PictureInput
              {...f}
              name={kind === "picture" ? "图片" : "封面"}
              most={NOTE_PICTURE_MOST}
              upload={uploadPicture}
              onChange={(url) => f.onChange(url ?? undefined)}
            />
          )}
        </Field>
      )}
      {kind === "article" && (
        <>
          <Field of={part(form, "title")} label="标题">
            {(f) => <TextInput {...f} maxLength={32} />}
          </Field>
          <Field of={part(form, "digest")} label="摘要" optional help="不填就取正文开头">
            {(f) => <TextInput {...f} maxLength={120} />}
          </Field>
          <Field of={part(form, "body")} label="正文" help="一行一段">
            {(f) => <TextArea {...f} maxLength={5_000} rows={6} />}
          </Field>
        </>
      )}
      {kind === "text" && (
        <Field of={part(form, "text")} label="文字">
          {(f) => <TextArea {...f} maxLength={600} rows={5} />}
        </Field>
      )}
      {kind !== "picture" && <LinkFields form={form} />}
    </section>
  );
}
/** Where it leads. */
function LinkFields({ form }: { form: NoteFields }): ReactNode {
  const { link } = contentOf(form);
  const to = (next: Partial<NoteContent["link"]>): void => part(form, "link").set({ ...link, ...next });
  const toField = {
    name: "content.link.to",
    value: link.to,
    error: form.errorAt("content.link.to"),
    set: (value?: typeof link.to) => to({ to: value ?? "none" }),
  };
  const urlField = {
    name: "content.link.url",
    value: link.url,
    error: form.errorAt("content.link.url"),
    set: (value?: string) => to({ url: value ?? "" }),
  };
  return (
    <div className="mass-pair">
      <Field of={toField} label="链接" help="发出去的是短链接，每次点击都计数">
        {(f) => <Pick {...f} set={noteLink} />}
      </Field>
      {link.to === "url" && (
        <Field of={urlField} label="网址" help="只能是 mp.weixin.qq.com 的 https 网址">
          {(f) => <TextInput {...f} maxLength={500} placeholder="https://mp.weixin.qq.com/s/…" />}
        </Field>
      )}
    </div>
  );
}
/** When it goes out. */
export function When({ form }: { form: NoteFields }): ReactNode {
  return (
    <section className="sheet mass-fields">
      <Field of={form.field("startsAt")} label="什么时候发" optional help="不填就是审核通过后马上发；最多提前 90 天">
        {(f) => <MomentInput {...f} value={f.value as string} onChange={(at) => f.onChange((at ?? null) as never)} />}
      </Field>
      <p className="note">公众号开了「API 群发保护」时，管理员要在 30 分钟内到微信里点确认，否则这次作废，额度不扣。</p>
    </section>
  );
}
