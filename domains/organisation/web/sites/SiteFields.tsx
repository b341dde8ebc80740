import type { ReactNode } from "react";
import { Field, FormSection } from "@zhangfang/web/form/Field.tsx";
import { TextArea, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { PictureInput } from "@zhangfang/web/form/files/PictureInput.tsx";
import type { FormField } from "@zhangfang/web/form/use-form.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import type { SiteContent } from "../../contract/index.ts";
import { uploadFor } from "../upload-picture.ts";

interface Given {
  readonly of: FormField<SiteContent>;
  readonly errorAt: (path: string) => string | undefined;
  readonly serviceProviderId: string;
}
const BANNER = { width: 1600, height: 640, bytes: 170_000 };
const MOST_SECTIONS = 12;

/** What the page says. */
export function SiteFields({ of, errorAt, serviceProviderId }: Given): ReactNode {
  const content = of.value!;
  const set = (change: Partial<SiteContent>): void => of.set({ ...content, ...change });
  const text = (name: "title" | "tagline" | "phone" | "email" | "address" | "icpNumber"): FormField<string> => ({
    name: `content.${name}`,
    value: content[name],
    error: errorAt(`content.${name}`),
    set: (given) => set({ [name]: given ?? "" }),
  });
  return (
    <>
      <FormSection title="首屏">
        <Field of={text("title")} label="标题">
          {(f) => <TextInput {...f} maxLength={40} />}
        </Field>
        <Field of={text("tagline")} label="副标题" optional>
          {(f) => <TextInput {...f} maxLength={80} />}
        </Field>
        <Field
          of={{
            name: "content.bannerUrl",
            value: content.bannerUrl,
            error: errorAt("content.bannerUrl"),
            set: (url: string | null | undefined) => set({ bannerUrl: url ?? null }),
          }}
          label="横幅"
          optional
        >
          {(f) => <PictureInput {...f} name="横幅" most={BANNER} upload={uploadFor(serviceProviderId)} />}
        </Field>
      </FormSection>
      <Sections content={content} set={set} errorAt={errorAt} />
      <FormSection title="联系与备案">
        <Field of={text("phone")} label="电话" optional>
          {(f) => <TextInput {...f} inputMode="tel" maxLength={20} />}
        </Field>
        <Field of={text("email")} label="邮箱" optional>
          {(f) => <TextInput {...f} inputMode="email" maxLength={100} />}
        </Field>
        <Field of={text("address")} label="地址" optional>
          {(f) => <TextInput {...f} maxLength={120} />}
        </Field>
        <Field of={text("icpNumber")} label="ICP 备案号" optional>
          {(f) => <TextInput {...f} maxLength={40} />}
        </Field>
      </FormSection>
    </>
  );
}

/** The parts of the page, each with a heading; they can be moved and taken away. */
function Sections({
  content,
  set,
  errorAt,
}: {
  content: SiteContent;
  set: (change: Partial<SiteContent>) => void;
  errorAt: Given["errorAt"];
}): ReactNode {
  const { sections } = content;
  const put = (at: number, change: Partial<SiteContent["sections"][number]>): void =>
    set({ sections: sections.map((one, index) => (index === at ? { ...one, ...change } : one)) });
  const up = (at: number): void => set({ sections: sections.toSpliced(at, 1).toSpliced(at - 1, 0, sections[at]!) });
  const part = (at: number, name: "title" | "text"): FormField<string> => ({
    name: `content.sections.${at}.${name}`,
    value: sections[at]?.[name],
    error: errorAt(`content.sections.${at}.${name}`),
    set: (given) => put(at, { [name]: given ?? "" }),
  });
  return (
    <FormSection title="正文">
      {sections.map((_one, at) => (
        <div key={at} className="site-part" role="group" aria-label={`第 ${at + 1} 段`}>
          <Field of={part(at, "title")} label={`小标题 ${at + 1}`}>
            {(f) => <TextInput {...f} maxLength={40} />}
          </Field>
          <Field of={part(at, "text")} label={`内容 ${at + 1}`}>
            {(f) => <TextArea {...f} maxLength={2000} rows={4} />}
          </Field>
          <div className="site-part-acts">
            {at > 0 && (
              <Button small tone="quiet" aria-label={`上移第 ${at + 1} 段`} onClick={() => up(at)}>
                上移
              </Button>
            )}
            <Button small tone="quiet" aria-label={`删除第 ${at + 1} 段`} onClick={() => set({ sections: sections.toSpliced(at, 1) })}>
              删除
            </Button>
          </div>
        </div>
      ))}
      {sections.length < MOST_SECTIONS && (
        <Button small onClick={() => set({ sections: [...sections, { title: "", text: "" }] })}>
          添加一段
        </Button>
      )}
    </FormSection>
  );
}
