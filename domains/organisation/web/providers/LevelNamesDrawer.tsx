import type { ReactNode } from "react";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { DEFAULT_LEVEL_NAMES, LEVEL_KEYS } from "@zhangfang/contract/level-names.ts";
import { useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { getProvider, setLevelNames } from "../../contract/index.ts";
import type { ProviderFacts } from "./provider-facts.ts";

/** 层级名称: what the provider calls the levels of its tree. */
export function LevelNamesDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const provider = useDetail(getProvider, { id });
  if (provider.data) return <NamesForm key={provider.data.version} provider={provider.data} onClose={onClose} />;
  return <WaitingDrawer of={provider} title="层级名称" onClose={onClose} />;
}

function NamesForm({ provider, onClose }: { provider: ProviderFacts; onClose: () => void }): ReactNode {
  const { id, version, levelNames, shortName } = provider;
  const form = useForm(setLevelNames, {
    initial: { id, version, levelNames },
    draft: `${id}:${version}`,
    done: "已保存，下次登录起显示",
    refreshes: [getProvider],
    onDone: onClose,
  });
  const names = form.values.levelNames ?? {};
  return (
    <FormDrawer form={form} title={`层级名称 ${shortName}`} submit="保存" onClose={onClose}>
      <p className="note">「{shortName}」及其下级的菜单、列表和表单按这里的名称显示；留空用默认名称。</p>
      {LEVEL_KEYS.map((key) => (
        <Field
          key={key}
          of={{
            name: `levelNames.${key}`,
            value: names[key],
            error: form.errorAt(`levelNames.${key}`),
            set: (given: string | undefined) => form.field("levelNames").set({ ...names, [key]: given || undefined }),
          }}
          label={DEFAULT_LEVEL_NAMES[key]}
          optional
        >
          {(f) => <TextInput {...f} maxLength={8} placeholder={DEFAULT_LEVEL_NAMES[key]} />}
        </Field>
      ))}
    </FormDrawer>
  );
}
