import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";
import { call } from "@zhangfang/web/api/api.ts";
import { OrgPicker } from "@zhangfang/web/filter/OrgFilter.tsx";
import { SoughtSelect } from "@zhangfang/web/filter/Sought.tsx";
import { Field, type InputProps } from "@zhangfang/web/form/Field.tsx";
import { DayInput } from "@zhangfang/web/form/days/DayInput.tsx";
import { MoneyInput, PickOne, Switch, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { seekNoteChannels } from "../../contract/index.ts";
import { audienceOf, type NoteFields, who } from "./note-fields.ts";
import { counted, phrasesOf } from "./note-words.ts";

export type Apps = readonly {
  readonly id: string;
  readonly name: string;
  readonly kind: 1 | 2;
  readonly fans: number;
  readonly active: boolean;
}[];
/** Whom it goes to, as a sentence that leads to its fields. */
export function Whom({ form, apps }: { form: NoteFields; apps: Apps }): ReactNode {
  const fields = useRef<HTMLElement>(null);
  const audience = audienceOf(form);
  const phrases = phrasesOf(audience);
  const [open, setOpen] = useState(phrases.length > 0);
  const app = apps.find(({ id }) => id === form.values.appId);
  const goTo = (field: string): void => {
    setOpen(true);
    setTimeout(() => fields.current?.querySelector<HTMLElement>(`[data-field="${field}"] :is(input, button, [role=combobox])`)?.focus());
  };
  const wrong = form.errorAt("audience");
  return (
    <section className="sheet mass-fields" ref={fields}>
      <h2>发给谁</h2>
      <p className="mass-said">
        关注了{" "}
        <button type="button" className="mass-phrase" onClick={() => goTo("appId")}>
          {app?.name ?? "公众号"}
        </button>
        {phrases.map(({ field, text }) => (
          <span key={field}>
            、
            <button type="button" className="mass-phrase" onClick={() => goTo(field)}>
              {text}
            </button>
          </span>
        ))}{" "}
        的粉丝。
      </p>
      <p>
        <Button tone="link" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "收起条件" : "加条件"}
        </Button>
        <span className="note"> 发送那一刻冻结名单</span>
      </p>
      {wrong && (
        <p className="field-error" role="alert">
          {wrong}
        </p>
      )}
      <div className="mass-pair">
        <Field of={form.field("name")} label="群发名称" help="只有自己人看得到">
          {(f) => <TextInput {...f} maxLength={40} />}
        </Field>
        {(apps.length > 1 || open) && (
          <div data-field="appId">
            <Field of={form.field("appId")} label="公众号">
              {(f) => (
                <PickOne
                  {...f}
                  value={f.value as string}
                  options={apps
                    .filter(({ active }) => active)
                    .map(({ id, name, fans }) => ({ value: id, label: `${name} · ${counted(fans)} 人` }))}
                />
              )}
            </Field>
          </div>
        )}
      </div>
      {open && <Conditions form={form} appId={app?.id} />}
    </section>
  );
}
type ChannelField = Pick<InputProps<string>, "id" | "value" | "onChange" | "aria-invalid" | "aria-describedby">;
/** A code of the account, searched as one types. */
function ChannelPick({ appId, value, onChange, ...field }: ChannelField & { appId: string | undefined }): ReactNode {
  const seek = async (given: { search?: string; id?: string }, signal?: AbortSignal) =>
    appId === undefined ? [] : (await call(seekNoteChannels, { appId, ...given }, signal ? { signal } : {})).items;
  const chosen = useQuery({
    queryKey: [seekNoteChannels.path, appId, value],
    enabled: value !== undefined && appId !== undefined,
    queryFn: ({ signal }) => seek({ id: value! }, signal),
  });
  return (
    <SoughtSelect
      {...field}
      label="渠道码"
      className="pick"
      placeholder="请选择"
      queryKey={[seekNoteChannels.path, appId]}
      seek={(search, signal) => seek({ search }, signal)}
      name={chosen.data?.[0]?.name}
      value={value ?? undefined}
      onChange={(id) => onChange?.(id as string)}
    />
  );
}
function Conditions({ form, appId }: { form: NoteFields; appId: string | undefined }): ReactNode {
  const { everybody } = audienceOf(form);
  return (
    <>
      <div data-field="everybody">
        <Field of={who(form, "everybody")} label="范围" help="一天只能一次；不分批，条件不起作用">
          {(f) => <Switch {...f} value={f.value ?? false} label="全部粉丝，一次发出" />}
        </Field>
      </div>
      {!everybody && (
        <div className="mass-pair">
          <div data-field="followedFrom">
            <Field of={who(form, "followedFrom")} label="最近关注从" optional>
              {(f) => <DayInput {...f} onChange={(day) => f.onChange(day ?? undefined)} />}
            </Field>
          </div>
          <div data-field="followedTo">
            <Field of={who(form, "followedTo")} label="最近关注到" optional>
              {(f) => <DayInput {...f} onChange={(day) => f.onChange(day ?? undefined)} />}
            </Field>
          </div>
          <div data-field="channelId">
            <Field of={who(form, "channelId")} label="最后扫的渠道码" optional>
              {(f) => <ChannelPick {...(f as ChannelField)} appId={appId} />}
            </Field>
          </div>
          <div data-field="sourceStoreId">
            <Field of={who(form, "sourceStoreId")} label="来自哪家门店的码" optional>
              {(f) => <OrgPicker {...f} level="storeId" value={f.value as string} />}
            </Field>
          </div>
          <div data-field="tag">
            <Field of={who(form, "tag")} label="会员标签" optional help="填了下面任何一项，就只发给认得是会员的粉丝">
              {(f) => <TextInput {...f} maxLength={20} />}
            </Field>
          </div>
          <div data-field="spentFromCents">
            <Field of={who(form, "spentFromCents")} label="累计消费满" optional>
              {(f) => <MoneyInput {...f} value={f.value as never} onChange={(cents) => f.onChange(cents as never)} />}
            </Field>
          </div>
          <div data-field="lastVisitBefore">
            <Field of={who(form, "lastVisitBefore")} label="这天之后没来过" optional>
              {(f) => <DayInput {...f} onChange={(day) => f.onChange(day ?? undefined)} />}
            </Field>
          </div>
          <div data-field="storeId">
            <Field of={who(form, "storeId")} label="去过哪家门店" optional>
              {(f) => <OrgPicker {...f} level="storeId" value={f.value as string} />}
            </Field>
          </div>
        </div>
      )}
    </>
  );
}
