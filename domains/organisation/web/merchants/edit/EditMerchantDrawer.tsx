import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { percent } from "@zhangfang/contract/money.ts";
import { Field, FormSection } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import { getMerchant, listMerchantRows, updateMerchant } from "../../../contract/index.ts";
import { MerchantFields } from "./MerchantFields.tsx";
import { RateField } from "./RateField.tsx";

/** 修改商户. What is personal is not brought back to be edited: an empty field leaves it as it is. */
export function EditMerchantDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const merchant = useDetail(getMerchant, { id });
  if (merchant.data) return <EditForm key={merchant.data.version} merchant={merchant.data} onClose={onClose} />;
  return <WaitingDrawer of={merchant} title="修改商户" onClose={onClose} />;
}

function EditForm({ merchant, onClose }: { merchant: OutputOf<typeof getMerchant>; onClose: () => void }): ReactNode {
  const { level } = useUser();
  const { id, version } = merchant;
  const known = (text: string | null) => text ?? undefined;
  const form = useForm(updateMerchant, {
    initial: {
      id,
      version,
      name: merchant.name,
      shortName: merchant.shortName,
      trade: known(merchant.trade),
      province: known(merchant.province),
      city: known(merchant.city),
      address: known(merchant.address),
      servicePhone: known(merchant.servicePhone),
      licenceNo: known(merchant.licenceNo),
      ...((level === "ADMIN" || level === "SP") && { feeRate: merchant.feeRate }),
    },
    draft: `${id}:${version}`,
    done: "已保存",
    refreshes: [listMerchantRows, getMerchant],
    onDone: onClose,
    ask: (given) =>
      given.feeRate !== undefined && given.feeRate !== merchant.feeRate
        ? { text: `费率改为 ${percent(given.feeRate)}，从下一笔订单起生效，已付的订单不变。`, ok: "保存" }
        : undefined,
  });
  const emptyIsKept = (given: string | undefined) => (given === "" ? undefined : given);
  return (
    <FormDrawer form={form} title={`修改商户 ${merchant.shortName}`} submit="保存" onClose={onClose}>
      <MerchantFields form={form as never} legalPerson={merchant.legalPerson} />
      <FormSection title="联系人">
        <Field of={form.field("contactName")} label="联系人" optional help="不修改请留空">
          {(f) => (
            <TextInput
              {...f}
              onChange={(given) => f.onChange(emptyIsKept(given))}
              placeholder={merchant.contactName ?? ""}
              maxLength={32}
            />
          )}
        </Field>
        <Field of={form.field("contactPhone")} label="联系电话" optional help="不修改请留空">
          {(f) => (
            <TextInput
              {...f}
              onChange={(given) => f.onChange(emptyIsKept(given))}
              placeholder={merchant.contactPhone ?? ""}
              inputMode="tel"
              maxLength={13}
            />
          )}
        </Field>
      </FormSection>
      {(level === "ADMIN" || level === "SP") && (
        <FormSection title="费率">
          <RateField of={form.field("feeRate")} />
        </FormSection>
      )}
    </FormDrawer>
  );
}
