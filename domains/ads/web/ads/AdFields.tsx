import { Select } from "@zhangfang/web/select/Select.tsx";
import { type ReactNode, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { Field, FormSection } from "@zhangfang/web/form/Field.tsx";
import { DayInput } from "@zhangfang/web/form/days/DayInput.tsx";
import { NumberInput, Pick, Radios, TextInput } from "@zhangfang/web/form/inputs.tsx";
import type { Form } from "@zhangfang/web/form/use-form.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { useUser } from "@zhangfang/web/api/user.ts";
import { deviceModel } from "../../../devices/contract/index.ts";
import { listRegions } from "../../../reference/contract.ts";
import { adPriority, adStatus, type createAd } from "../../contract/index.ts";
import { Legend, notesOf, type Preview } from "./targets/Coverage.tsx";
import { Materials } from "./Materials.tsx";
import { PeriodTimes } from "./times/PeriodTimes.tsx";
import { Targets } from "./targets/Targets.tsx";
import { WeekGrid } from "./times/WeekGrid.tsx";

/** The form of a new ad; that of a change has the same fields. */
export type AdForm = Form<typeof createAd>;

const { 9: _platform, ...belowPlatform } = adPriority.entries;
const ownPriority = labelled(belowPlatform);

/** What an ad is: what it shows, when, where, and how it stands against others. */
export function AdFields({ form, preview, isNew }: { form: AdForm; preview: Preview | undefined; isNew: boolean }): ReactNode {
  const { level } = useUser();
  return (
    <>
      <FormSection title="内容">
        <Field of={form.field("name")} label="名称">
          {(f) => <TextInput {...f} maxLength={40} placeholder="如：周末新品海报" />}
        </Field>
        <Field of={form.field("materials")} label="素材" help="按这里的顺序播放；没有通过审核的素材不会播放">
          {(f) => <Materials {...f} value={f.value ?? []} />}
        </Field>
      </FormSection>
      <FormSection title="时间">
        <div className="ad-two">
          <Field of={form.field("starts_on")} label="开始日期">
            {(f) => <DayInput {...f} onChange={(day) => f.onChange(day ?? undefined)} />}
          </Field>
          <Field of={form.field("ends_on")} label="结束日期" help="当天仍播放">
            {(f) => <DayInput {...f} onChange={(day) => f.onChange(day ?? undefined)} />}
          </Field>
        </div>
        <When form={form} preview={preview} />
      </FormSection>
      <FormSection title="范围">
        <Field of={form.field("targets")} label="投放范围" help="勾选的节点及其下所有设备，最多 200 个节点">
          {(f) => <Targets {...f} value={f.value ?? []} />}
        </Field>
        <Field of={form.field("models")} label="设备型号" optional help="不选为全部型号">
          {(f) => <Models {...f} value={f.value ?? []} />}
        </Field>
        <Field of={form.field("regions")} label="门店地区" optional help="不选为全部地区">
          {(f) => <Regions {...f} value={f.value ?? []} />}
        </Field>
      </FormSection>
      <FormSection title="优先级和占比">
        <div className="ad-two">
          <Field of={form.field("priority")} label="优先级" help="同一时间只播放优先级最高的广告">
            {(f) => (
              <Pick
                {...f}
                value={f.value as never}
                onChange={(one) => f.onChange(one as never)}
                set={(level === "ADMIN" ? adPriority : ownPriority) as typeof adPriority}
              />
            )}
          </Field>
          <Field of={form.field("weight")} label="占比" help="同优先级轮播时的份数，1 到 10">
            {(f) => <NumberInput {...f} unit="份" />}
          </Field>
        </div>
        {isNew && (
          <Field of={form.field("status")} label="保存后" help="启用需要全部素材审核通过">
            {(f) => <Radios {...f} value={f.value as 0} set={adStatus} />}
          </Field>
        )}
      </FormSection>
    </>
  );
}

/** 播放时段: the week painted by hours, and the same as times to the minute. */
function When({ form, preview }: { form: AdForm; preview: Preview | undefined }): ReactNode {
  const [weekdays, periods] = [form.field("weekdays"), form.field("periods")];
  const plan = { weekdays: weekdays.value ?? [], periods: periods.value ?? [] };
  return (
    <div className={weekdays.error || periods.error ? "field field-wrong" : "field"}>
      <span className="field-label">播放时段</span>
      <WeekGrid
        label="播放时段"
        plan={plan}
        notes={notesOf(preview)}
        onChange={(next) => form.set({ weekdays: [...next.weekdays], periods: next.periods.map(([from, to]) => [from, to]) })}
      />
      {preview && <Legend />}
      <PeriodTimes value={plan.periods} onChange={(next) => periods.set(next)} />
      {(weekdays.error ?? periods.error) && (
        <p className="field-error" role="alert">
          {weekdays.error ?? periods.error}
        </p>
      )}
      <p className="field-help">在表格上拖动画出时段，从已有的格子开始拖动则清除；各天时段相同，点星期选择日期。北京时间。</p>
    </div>
  );
}

type Given<T> = { id: string; value: readonly T[]; onChange: (value: T[] | undefined) => void };
function Models({ id, value, onChange }: Given<(typeof deviceModel.values)[number]>): ReactNode {
  return (
    <div className="checks" role="group" id={id} aria-label="设备型号">
      {deviceModel.values.map((model) => (
        <label key={model}>
          <input
            type="checkbox"
            checked={value.includes(model)}
            onChange={() => onChange(value.includes(model) ? value.filter((one) => one !== model) : [...value, model])}
          />
          {model}
        </label>
      ))}
    </div>
  );
}
/** Provinces and cities by name; a municipality is one. */
function Regions({ id, value, onChange, ...aria }: Given<string>): ReactNode {
  const [opened, setOpened] = useState(false);
  const { data = [] } = useQuery({
    queryKey: [listRegions.path, "codes"],
    enabled: opened || value.length > 0,
    queryFn: () => call(listRegions, {}),
    staleTime: Infinity,
  });
  const options = data.flatMap((province) => [
    { value: province.code, label: province.name },
    ...province.cities.flatMap((city) =>
      city.code === province.code ? [] : [{ value: city.code, label: `${province.name} ${city.name}` }],
    ),
  ]);
  return (
    <Select
      {...aria}
      id={id}
      className="pick"
      mode="multiple"
      allowClear
      showSearch={{ optionFilterProp: "label" }}
      placeholder="全部地区"
      options={options}
      value={[...value]}
      onOpenChange={setOpened}
      onChange={(codes: string[]) => onChange(codes)}
    />
  );
}
