import "./providers.css";
import type { ReactNode } from "react";
import { accentContrast, LEAST_CONTRAST, type AccentTheme } from "@zhangfang/contract/colour.ts";
import { Field, FormSection } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextArea, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { PictureInput } from "@zhangfang/web/form/files/PictureInput.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { getProvider, updateBrand } from "../../contract/index.ts";
import { uploadFor } from "../upload-picture.ts";
import { ColourInput } from "./ColourInput.tsx";
import type { ProviderFacts } from "./provider-facts.ts";

const BYTES = 170_000;
const PICTURES = [
  ["logoUrl", "标志", "横幅，透明底最佳；显示在侧栏和登录页", { width: 640, height: 240 }],
  ["littleLogoUrl", "小标志", "方形；侧栏收起时显示", { width: 160, height: 160 }],
  ["faviconUrl", "网页图标", "方形；浏览器标签上显示，留空用小标志", { width: 64, height: 64 }],
  ["loginBackgroundUrl", "登录页背景", "宽幅照片，登录框浮于其上", { width: 1920, height: 1080 }],
] as const;

/** 品牌: what the provider's tree and its own domain names show. */
export function BrandDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const provider = useDetail(getProvider, { id });
  if (provider.data) return <BrandForm key={provider.data.version} provider={provider.data} onClose={onClose} />;
  return <WaitingDrawer of={provider} title="品牌" onClose={onClose} />;
}

function BrandForm({ provider, onClose }: { provider: ProviderFacts; onClose: () => void }): ReactNode {
  const { id, version, brand, shortName } = provider;
  const form = useForm(updateBrand, {
    initial: { id, version, ...brand },
    draft: `${id}:${version}`,
    done: "品牌已保存",
    refreshes: [getProvider],
    onDone: onClose,
    check: ({ colourLight, colourDark }) => {
      const found = { ...pale("colourLight", colourLight, "light"), ...pale("colourDark", colourDark, "dark") };
      return Object.keys(found).length > 0 ? found : undefined;
    },
  });
  return (
    <FormDrawer form={form} title={`品牌 ${shortName}`} submit="保存" onClose={onClose}>
      <FormSection title="名称与图片">
        <Field of={form.field("brandTitle")} label="系统名称" optional help="留空显示「账房」">
          {(f) => <TextInput {...f} value={f.value ?? undefined} onChange={(given) => f.onChange(given || null)} maxLength={32} />}
        </Field>
        {PICTURES.map(([name, label, help, most]) => (
          <Field key={name} of={form.field(name)} label={label} optional help={help}>
            {(f) => <PictureInput {...f} name={label} most={{ ...most, bytes: BYTES }} upload={uploadFor(id)} />}
          </Field>
        ))}
      </FormSection>
      <FormSection title="颜色">
        <Field of={form.field("colourLight")} label="浅色界面" optional help="用于链接和选中项；与底色的对比度须不低于 4.5">
          {(f) => <ColourInput {...f} theme="light" />}
        </Field>
        <Field of={form.field("colourDark")} label="深色界面" optional help="用于链接和选中项；与底色的对比度须不低于 4.5">
          {(f) => <ColourInput {...f} theme="dark" />}
        </Field>
      </FormSection>
      <FormSection title="域名与备案">
        <Field
          of={form.field("hosts")}
          label="自有域名"
          optional
          help="每行一个，如 pay.example.com；解析到本系统后，从该域名登录即显示此品牌"
        >
          {(f) => (
            <TextArea
              {...f}
              value={(f.value ?? []).join("\n")}
              onChange={(given) => f.onChange(given ? given.split(/[\s,，]+/) : [])}
              rows={3}
              placeholder="pay.example.com"
            />
          )}
        </Field>
        <Field of={form.field("icpNumber")} label="ICP 备案号" optional help="显示在登录页底部">
          {(f) => (
            <TextInput
              {...f}
              value={f.value ?? undefined}
              onChange={(given) => f.onChange(given || null)}
              maxLength={40}
              placeholder="如：蜀ICP备2021000001号"
            />
          )}
        </Field>
      </FormSection>
    </FormDrawer>
  );
}

/** What is wrong with a colour, while it is chosen. */
function pale(field: string, colour: string | null | undefined, theme: AccentTheme): Readonly<Record<string, string>> | undefined {
  if (!colour) return undefined;
  if (!/^#[0-9A-Fa-f]{6}$/.test(colour)) return { [field]: "颜色格式为 #RRGGBB" };
  const found = accentContrast(colour.toUpperCase(), theme);
  if (found >= LEAST_CONTRAST) return undefined;
  return { [field]: `对比度只有 ${found.toFixed(2)}，须不低于 4.5，请选${theme === "light" ? "更深" : "更浅"}的颜色` };
}
