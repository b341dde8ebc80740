import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useNavigate, useSearchParams } from "react-router";
import type { InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { useSettled } from "@zhangfang/web/filter/use-settled.ts";
import { FormScreen } from "@zhangfang/web/form/FormDrawer.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { useScreenTitle } from "@zhangfang/web/screen-title.tsx";
import { DetailScreen, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { createAd, getAdById, getAds, previewAd, summariseAds, updateAdInfo } from "../../contract/index.ts";
import { AdFields, type AdForm } from "./AdFields.tsx";
import { Reach } from "./targets/Coverage.tsx";

type Ad = OutputOf<typeof getAdById>;
const refreshes = [getAds, getAdById, summariseAds];

/** 新建广告, also a change of one (`?id=`) and a copy (`?copy=`). */
export function AdNew(): ReactNode {
  const [query] = useSearchParams();
  const [id, copy] = [query.get("id"), query.get("copy")];
  const source = id ?? copy;
  const ad = useDetail(getAdById, source ? { ad_id: source } : undefined);
  useScreenTitle(id !== null && ad.data && `修改广告 · ${ad.data.name}`);
  if (!source) return <Create key="new" />;
  if (!ad.data)
    return (
      <DetailScreen title={id ? "修改广告" : "新建广告"} list={["/ad/list", "广告列表"]} of={ad}>
        {() => null}
      </DetailScreen>
    );
  return id ? <Change key={`${id}:${ad.data.revision}`} ad={ad.data} /> : <Create key={`copy ${source}`} copy={ad.data} />;
}

/** The fields of an ad as the form holds them, with the names that are shown. */
function fieldsOf({ name, materials, starts_on, ends_on, weekdays, periods, targets, models, regions, priority, weight }: Ad) {
  return {
    name,
    materials: materials.map(({ material_id, seconds, ...shown }) => ({ material_id, seconds, shown })),
    starts_on,
    ends_on,
    weekdays,
    periods,
    targets: targets.map((one) => ({ ...one, item_type: one.item_type as number })),
    models: models as never[],
    regions,
    priority,
    weight,
  };
}
const today = (): string => shanghaiDay(Date.now());
const blank = () => ({
  materials: [],
  starts_on: today(),
  ends_on: addDays(today(), 29),
  weekdays: [1, 2, 3, 4, 5, 6, 7],
  periods: [[0, 1_440]] as [number, number][],
  targets: [],
  models: [],
  regions: [],
  priority: 3 as const,
  weight: 1,
});

/** Said at once, and not only when everything else is right. */
function check({ starts_on, ends_on }: { readonly starts_on?: string | undefined; readonly ends_on?: string | undefined }) {
  return starts_on && ends_on && ends_on < starts_on ? { ends_on: "结束日期不能早于开始日期" } : undefined;
}

function Create({ copy }: { copy?: Ad }): ReactNode {
  const navigate = useNavigate();
  const form = useForm(createAd, {
    initial: { ...(copy ? { ...fieldsOf(copy), name: `${copy.name} 副本`.slice(0, 40) } : blank()), status: 0 },
    draft: copy ? `copy ${copy.id}` : "new",
    refreshes,
    done: "已保存广告",
    onDone: () => void navigate("/ad/list"),
    check,
  });
  return <Screen form={form} title="新建广告" isNew dirtyAtOnce={copy !== undefined} />;
}
function Change({ ad }: { ad: Ad }): ReactNode {
  const navigate = useNavigate();
  const form = useForm(updateAdInfo, {
    initial: { ad_id: ad.id, revision: ad.revision, ...fieldsOf(ad) },
    draft: `${ad.id}:${ad.revision}`,
    refreshes,
    done: "已保存广告",
    onDone: () => void navigate("/ad/list"),
    check,
    ask: () => (ad.status === 1 ? { text: `「${ad.name}」正在投放，保存后设备立即按新的内容播放。`, ok: "保存" } : undefined),
  });
  // Both forms have the same fields; a change may leave some out.
  return <Screen form={form as unknown as AdForm} title={`修改广告 ${ad.name}`} ad={ad.id} />;
}

function Screen({
  form,
  title,
  ad,
  isNew = false,
  dirtyAtOnce = false,
}: {
  form: AdForm;
  title: string;
  ad?: string;
  isNew?: boolean;
  dirtyAtOnce?: boolean;
}): ReactNode {
  const preview = usePreview(form, ad);
  return (
    <FormScreen form={dirtyAtOnce ? { ...form, dirty: true } : form} title={title} submit="保存" wide>
      <div className="ad-form">
        <div className="ad-form-part">
          <AdFields form={form} preview={preview.data} isNew={isNew} />
        </div>
        <section className="ad-reach" aria-label="投放预览" aria-live="polite">
          <h2>投放预览</h2>
          {preview.asked ? (
            <Reach of={preview} />
          ) : (
            <p className="note">填好日期、时段和投放范围后，这里显示覆盖的设备和与其他广告的重叠。</p>
          )}
        </section>
      </div>
    </FormScreen>
  );
}

/** What the draft would do, asked a moment after somebody stops changing it. */
function usePreview(form: AdForm, ad: string | undefined) {
  const { starts_on, ends_on, weekdays, periods, targets, models, regions, priority, weight } = form.values;
  const complete =
    starts_on && ends_on && starts_on <= ends_on && weekdays?.length && periods?.length && targets?.length && weight && priority;
  const draft = complete
    ? {
        starts_on,
        ends_on,
        weekdays,
        periods,
        targets: targets.map(({ item_type, item_id }) => ({ item_type, item_id: item_id as string })),
        models,
        regions,
        priority,
        weight,
      }
    : undefined;
  const asked = useSettled(JSON.stringify(draft), 400);
  const input =
    asked === undefined ? undefined : { ...(JSON.parse(asked) as InputOf<typeof previewAd>), ...(ad !== undefined && { ad_id: ad }) };
  const found = useQuery({
    queryKey: [previewAd.path, input],
    enabled: input !== undefined,
    queryFn: ({ signal }) => call(previewAd, input ?? {}, { signal }),
    placeholderData: (before) => before,
  });
  return { ...found, asked: input !== undefined };
}
