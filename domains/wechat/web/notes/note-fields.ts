import type { Form, FormField } from "@zhangfang/web/form/use-form.ts";
import type { addNote, NoteAudience, NoteContent } from "../../contract/index.ts";
import { BLANK } from "./note-words.ts";

export type NoteFields = Form<typeof addNote>;
export const contentOf = (form: NoteFields): NoteContent => ({ ...BLANK, ...(form.values.content as unknown as NoteContent) });
export const audienceOf = (form: NoteFields): NoteAudience => (form.values.audience ?? {}) as unknown as NoteAudience;
/** A part of the content as a field of the form. */
export function part<K extends keyof NoteContent>(form: NoteFields, name: K): FormField<NonNullable<NoteContent[K]>> {
  const content = contentOf(form);
  return {
    name: `content.${name}`,
    value: (content[name] ?? undefined) as NonNullable<NoteContent[K]> | undefined,
    error: form.errorAt(`content.${name}`),
    set: (value) => form.set({ ...form.values, content: { ...content, [name]: value ?? BLANK[name] } as never }),
  };
}
/** A condition of the audience. */
export function who<K extends keyof NoteAudience>(form: NoteFields, name: K): FormField<NonNullable<NoteAudience[K]>> {
  const audience = audienceOf(form);
  return {
    name: `audience.${name}`,
    value: audience[name] as NonNullable<NoteAudience[K]> | undefined,
    error: form.errorAt(`audience.${name}`),
    set: (value) => form.set({ ...form.values, audience: { ...audience, [name]: value || undefined } as never }),
  };
}
