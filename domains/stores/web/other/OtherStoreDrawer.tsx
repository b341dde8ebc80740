import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { OrgPicker } from "@zhangfang/web/filter/OrgFilter.tsx";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { DayInput } from "@zhangfang/web/form/days/DayInput.tsx";
import { Pick, Switch, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { type Form, useForm } from "@zhangfang/web/form/use-form.ts";
import { useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import { getMerchantInfo } from "../../../organisation/contract/index.ts";
import { getOtherStore, listOtherStores, saveOtherStore, storePlatform, summariseOtherStores } from "../../contract/index.ts";

type Known = OutputOf<typeof getOtherStore>;

/** 映射: a platform's store and the own one; a merchant's people map to their own merchant's. @param id `new` for one that is not known yet */
export function OtherStoreDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const { level } = useUser();
  const isNew = id === "new";
  const known = useDetail(getOtherStore, isNew ? undefined : { id });
  const own = useDetail(getMerchantInfo, isNew && level === "MCH" ? {} : undefined);
  if (isNew && level !== "MCH") return <MappingForm onClose={onClose} />;
  if (own.data) return <MappingForm merchantId={own.data.id} onClose={onClose} />;
  if (known.data) return <MappingForm key={known.data.updatedAt} known={known.data} onClose={onClose} />;
  return <WaitingDrawer of={isNew ? own : known} title={isNew ? "新增映射" : "映射"} onClose={onClose} />;
}

/** A first mapping holds for all that there is; each other one begins on a day. */
const dated = ({ storeId, mappedFrom }: Known): boolean => storeId !== null || mappedFrom !== null;

const initialOf = (known: Known | undefined, merchantId: string | undefined) =>
  known
    ? {
        merchantId: known.merchantId,
        platform: known.platform,
        platformStoreId: known.platformStoreId,
        name: known.name,
        // What is suggested is filled in, and saved only by whoever looks at it.
        ...((known.storeId ?? known.suggestedId) && { storeId: known.storeId ?? known.suggestedId }),
        primary: known.isPrimary,
      }
    : { ...(merchantId && { merchantId }) };
function MappingForm({ known, merchantId, onClose }: { known?: Known; merchantId?: string; onClose: () => void }): ReactNode {
  const form = useForm(saveOtherStore, {
    initial: initialOf(known, merchantId),
    draft: known?.id ?? "new",
    done: "已保存",
    refreshes: [listOtherStores, getOtherStore, summariseOtherStores],
    onDone: onClose,
  });
  const chosen = form.values.merchantId;
  return (
    <FormDrawer form={form} title={known ? `映射 ${known.name}` : "新增映射"} submit="保存" onClose={onClose}>
      {known === undefined && (
        <>
          {merchantId === undefined && (
            <Field of={form.field("merchantId")} label="商户">
              {(f) => (
                <OrgPicker
                  {...f}
                  level="merchantId"
                  onChange={(id) => form.set({ merchantId: id as string, storeId: null })}
                  className="pick"
                />
              )}
            </Field>
          )}
          <Field of={form.field("platform")} label="平台">
            {(f) => <Pick {...f} set={storePlatform} />}
          </Field>
          <Field of={form.field("platformStoreId")} label="平台门店编号" help="在平台商家后台的门店信息里">
            {(f) => <TextInput {...f} maxLength={64} autoComplete="off" />}
          </Field>
        </>
      )}
      <Field of={form.field("name")} label="平台门店名称">
        {(f) => <TextInput {...f} maxLength={64} />}
      </Field>
      <Field
        of={form.field("storeId")}
        label="映射门店"
        optional
        help={
          known?.storeId === null && known.suggestedName ? `像是 ${known.suggestedName}（${known.suggestedWhy}），请核对` : "留空则待映射"
        }
      >
        {(f) => (
          <OrgPicker
            {...f}
            level="storeId"
            value={f.value ?? undefined}
            within={chosen ? { merchantId: chosen } : {}}
            onChange={(id) => {
              f.onChange(id ?? null);
              if ((id ?? null) === (known?.storeId ?? null)) form.set({ fromDay: undefined });
            }}
            className="pick"
          />
        )}
      </Field>
      {known && <FromDay of={form} known={known} />}
      <Field of={form.field("primary")} label="主门店" optional help="有几家平台门店映射到同一家店时，用主门店核销">
        {(f) => <Switch {...f} label="用这一家核销" />}
      </Field>
    </FormDrawer>
  );
}
/** 生效日, where it is mapped to another store than it was. */
function FromDay({ of: form, known }: { of: Form<typeof saveOtherStore>; known: Known }): ReactNode {
  return (
    <>
      {dated(known) && (form.values.storeId ?? null) !== known.storeId && (
        <Field
          of={form.field("fromDay")}
          label="生效日"
          optional
          help={`从这一天起算新门店，之前核销和外卖的门店不变；不填是今天${known.mappedFrom ? `，不能早于 ${known.mappedFrom}` : ""}`}
        >
          {(f) => <DayInput {...f} onChange={(day) => f.onChange(day ?? undefined)} />}
        </Field>
      )}
      {known.mappedFrom !== null && <p className="note">现在的映射从 {known.mappedFrom} 起。</p>}
    </>
  );
}
