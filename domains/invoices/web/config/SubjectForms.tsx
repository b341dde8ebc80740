import { type ReactNode, Suspense } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { today } from "@zhangfang/web/filter/day-shortcuts.ts";
import { Field, FormSection } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { DayInput } from "@zhangfang/web/form/days/DayInput.tsx";
import { MoneyInput, NumberInput, Pick, Radios, Switch, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { type Form, useForm } from "@zhangfang/web/form/use-form.ts";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import { StorePicks } from "../../../stores/web/index.ts";
import { taxPolicy, taxRate } from "../../../products/contract/codes.ts";
import { addTaxSubject, listTaxSubjects, redFirst, setSubjectStores, taxpayer, updateTaxSubject } from "../../contract/index.ts";

type Row = RowOf<typeof listTaxSubjects>;
const READS = [listTaxSubjects];

export function AddSubject({ onClose, onMade }: { onClose: () => void; onMade: (id: string) => void }): ReactNode {
  const form = useForm(addTaxSubject, {
    initial: {
      taxNo: "",
      token: "",
      name: "",
      drawer: "",
      taxpayer: "general",
      mostLines: 100,
      auto: true,
      special: true,
      vouchers: false,
      autoLimitCents: 100_000 as never,
      applyDays: 180,
      redFirst: "organisation",
    },
    secrets: ["token"],
    done: "已添加，请设门店并测试",
    refreshes: READS,
    onDone: ({ id }) => onMade(id),
  });
  return (
    <FormDrawer form={form} title="添加开票主体" submit="添加" onClose={onClose}>
      <Field of={form.field("taxNo")} label="税号" help="统一社会信用代码；加了不能改">
        {(f) => <TextInput {...f} maxLength={20} autoComplete="off" placeholder="18 位" />}
      </Field>
      <Field of={form.field("token")} label="授权 token" help="在诺诺用这个税号授权服务商的应用后得到；保存后不再显示">
        {(f) => <TextInput {...f} type="password" maxLength={128} autoComplete="new-password" />}
      </Field>
      <Facts form={form as never} />
    </FormDrawer>
  );
}
export function EditSubject({ row, onClose }: { row: Row; onClose: () => void }): ReactNode {
  const { id, revision, active } = row;
  const {
    name,
    address,
    phone,
    bank,
    bankAccount,
    extension,
    drawer,
    taxpayer: kind,
    taxCode,
    taxRate: rate,
    taxPolicy: policy,
    goodsName,
  } = row;
  const { mostLines, mostCents, auto, special, vouchers, autoLimitCents, applyDays, redFirst: first } = row;
  const form = useForm(updateTaxSubject, {
    initial: {
      id,
      revision,
      token: "",
      active,
      name,
      address,
      phone,
      bank,
      bankAccount,
      extension,
      drawer,
      taxpayer: kind,
      taxCode,
      taxRate: rate,
      taxPolicy: policy,
      goodsName,
      mostLines,
      mostCents,
      auto,
      special,
      vouchers,
      autoLimitCents,
      applyDays,
      redFirst: first,
    },
    draft: false,
    done: "已保存",
    refreshes: READS,
    onDone: onClose,
    ask: (values) =>
      values.active === false && active
        ? { text: `停用「${name}」？顾客不能再申请，排队的发票先不发。`, ok: "停用", danger: true }
        : undefined,
  });
  return (
    <FormDrawer form={form} title={`修改 ${name}`} submit="保存" onClose={onClose}>
      <Field of={form.field("token")} label="授权 token" optional help="已设置，不显示；换了要重新测试">
        {(f) => <TextInput {...f} type="password" maxLength={128} autoComplete="new-password" placeholder="不改就留空" />}
      </Field>
      <Facts form={form} />
      <Field of={form.field("active")} label="状态">
        {(f) => <Switch {...f} label="接受申请，发送发票" />}
      </Field>
    </FormDrawer>
  );
}
function Facts({ form }: { form: Form<typeof updateTaxSubject> }): ReactNode {
  return (
    <>
      <FormSection title="票面">
        <Field of={form.field("name")} label="名称" help="营业执照上的全称">
          {(f) => <TextInput {...f} maxLength={100} />}
        </Field>
        <Field of={form.field("drawer")} label="开票人" help="在电子税务局登录的人">
          {(f) => <TextInput {...f} maxLength={16} />}
        </Field>
        <Field of={form.field("taxpayer")} label="纳税人">
          {(f) => <Radios {...f} set={taxpayer} />}
        </Field>
        <Field of={form.field("extension")} label="分机号" optional>
          {(f) => <TextInput {...f} maxLength={10} />}
        </Field>
        <Field of={form.field("address")} label="地址" optional>
          {(f) => <TextInput {...f} maxLength={100} />}
        </Field>
        <Field of={form.field("phone")} label="电话" optional>
          {(f) => <TextInput {...f} maxLength={30} />}
        </Field>
        <Field of={form.field("bank")} label="开户行" optional>
          {(f) => <TextInput {...f} maxLength={100} />}
        </Field>
        <Field of={form.field("bankAccount")} label="账号" optional>
          {(f) => <TextInput {...f} maxLength={40} />}
        </Field>
      </FormSection>
      <FormSection title="默认编码和税率">
        <p className="note">商品、分类和行业都没有编码时用它；不填，这样的商品不能开票。</p>
        <Field of={form.field("taxCode")} label="税收分类编码" optional>
          {(f) => (
            <TextInput
              {...f}
              value={f.value ?? ""}
              onChange={(text) => f.onChange(text ? text : null)}
              maxLength={19}
              inputMode="numeric"
            />
          )}
        </Field>
        <Field of={form.field("taxRate")} label="税率" optional>
          {(f) => <Pick {...f} value={f.value ?? undefined} onChange={(rate) => f.onChange(rate ?? null)} set={taxRate} />}
        </Field>
        <Field of={form.field("taxPolicy")} label="优惠政策" optional>
          {(f) => <Pick {...f} set={taxPolicy} />}
        </Field>
        <Field of={form.field("goodsName")} label="没有明细时写" optional help="如 餐饮服务">
          {(f) => <TextInput {...f} maxLength={40} />}
        </Field>
      </FormSection>
      <Limits form={form} />
    </>
  );
}
function Limits({ form }: { form: Form<typeof updateTaxSubject> }): ReactNode {
  return (
    <FormSection title="申请和限额">
      <Field of={form.field("auto")} label="自动开票">
        {(f) => <Switch {...f} label="限额内的普通发票不用审核" />}
      </Field>
      <Field of={form.field("autoLimitCents")} label="自动开票不超过">
        {(f) => <MoneyInput {...f} onChange={(cents) => f.onChange(cents as never)} />}
      </Field>
      <Field of={form.field("special")} label="专用发票">
        {(f) => <Switch {...f} label="企业可以申请专用发票，都要审核" />}
      </Field>
      <Field of={form.field("vouchers")} label="平台券的用户实付" help="顾客买券时付给平台的钱，由门店开票；不开的，申请页请顾客到平台申请">
        {(f) => <Switch {...f} label="算进可开金额" />}
      </Field>
      <Field of={form.field("applyDays")} label="付款后几天内可以申请">
        {(f) => <NumberInput {...f} unit="天" />}
      </Field>
      <Field of={form.field("mostLines")} label="每张最多几行" help="多的分成几张">
        {(f) => <NumberInput {...f} unit="行" />}
      </Field>
      <Field of={form.field("mostCents")} label="每张最多（不含税）" optional help="不填不限">
        {(f) => <MoneyInput {...f} value={f.value ?? undefined} onChange={(cents) => f.onChange((cents ?? null) as never)} />}
      </Field>
      <Field of={form.field("redFirst")} label="退款前须红冲">
        {(f) => <Radios {...f} set={redFirst} />}
      </Field>
    </FormSection>
  );
}
/** 门店: from a day on this subject issues for them. */
export function SubjectStores({ row: { id, name, stores }, onClose }: { row: Row; onClose: () => void }): ReactNode {
  const form = useForm(setSubjectStores, {
    initial: { id, storeIds: stores.map((one) => one.id), fromDay: today() },
    draft: false,
    done: "已设置",
    refreshes: READS,
    onDone: onClose,
  });
  const count = form.values.storeIds?.length ?? 0;
  return (
    <FormDrawer form={form} title={`${name} 的门店`} submit={count === 0 ? "选择门店" : `${count} 家门店由它开票`} onClose={onClose}>
      <Field of={form.field("storeIds")} label="门店" help="选中的门店，从下面这天起的付款由它开票；之前的还归原来的主体">
        {(f) => (
          <Suspense fallback={<Skeleton rows={3} />}>
            <StorePicks {...f} value={f.value ?? []} onChange={(ids) => f.onChange(ids ?? [])} />
          </Suspense>
        )}
      </Field>
      <Field of={form.field("fromDay")} label="从哪天起的付款" help="第一次设的门店可以往前，已有主体的最早今天">
        {(f) => <DayInput {...f} onChange={(day) => f.onChange(day ?? undefined)} />}
      </Field>
    </FormDrawer>
  );
}
