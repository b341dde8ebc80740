import { Select } from "@zhangfang/web/select/Select.tsx";
import type { ReactNode } from "react";
import type { Endpoint, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { OrgPicker } from "@zhangfang/web/filter/OrgFilter.tsx";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { DayInput } from "@zhangfang/web/form/days/DayInput.tsx";
import { NumberInput, Radios, Switch, TextArea, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import {
  addMember,
  closeMember,
  consentText,
  freezeMember,
  getMember,
  getMemberAccount,
  getMemberTimeline,
  listMembers,
  memberSex,
  mergeMembers,
  resetMemberPin,
  sendMergeCode,
  sendPoints,
  setMemberIdCard,
  setMemberRemark,
  summariseMembers,
  updateMember,
} from "../../contract/index.ts";

type Member = OutputOf<typeof getMember>;
interface Closing {
  readonly onClose: () => void;
}
const LOOKS: readonly Pick<Endpoint, "path">[] = [listMembers, summariseMembers, getMember, getMemberTimeline, getMemberAccount];

/** A few words that are typed and end with Enter. */
function Tags({
  value,
  onChange,
  ...rest
}: {
  id: string;
  value: readonly string[] | undefined;
  onChange(value: string[]): void;
}): ReactNode {
  return (
    <Select
      mode="tags"
      className="pick"
      open={false}
      suffixIcon={null}
      tokenSeparators={["、", "，", ","]}
      {...rest}
      value={[...(value ?? [])]}
      onChange={onChange}
    />
  );
}

/** 新增会员: the phone stays unconfirmed until a code confirms it at the till. */
export function AddMemberDrawer({ onClose }: Closing): ReactNode {
  const form = useForm(addMember, {
    initial: { tags: [] } as never,
    secrets: ["phone", "name"],
    done: "已新增会员",
    refreshes: LOOKS,
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title="新增会员" submit="新增" onClose={onClose}>
      <Field of={form.field("storeId")} label="入会门店">
        {(f) => <OrgPicker {...f} level="storeId" value={f.value as string} />}
      </Field>
      <Field of={form.field("phone")} label="手机号" help="在收银端用短信验证码确认后，才算确认过">
        {(f) => <TextInput {...f} value={f.value as string} maxLength={11} inputMode="numeric" />}
      </Field>
      <Field of={form.field("name")} label="姓名" optional>
        {(f) => <TextInput {...f} value={f.value as string} maxLength={32} />}
      </Field>
      <Field of={form.field("birthday")} label="生日" optional>
        {(f) => <DayInput {...f} value={f.value as string} />}
      </Field>
      <Field of={form.field("guardian")} label="监护人" help="会员未满 14 周岁时须勾选">
        {(f) => <Switch {...f} value={f.value as boolean} label={consentText.guardian.text} />}
      </Field>
      <Field of={form.field("sex")} label="性别" optional>
        {(f) => <Radios {...f} value={f.value as 1} set={memberSex} />}
      </Field>
      <Field of={form.field("tags")} label="标签" optional help="输入后按回车">
        {(f) => <Tags {...f} value={f.value as string[]} />}
      </Field>
      <Field of={form.field("remark")} label="备注" optional>
        {(f) => <TextArea {...f} value={f.value as string} maxLength={200} />}
      </Field>
      <Field of={form.field("consent")} label="会员同意">
        {(f) => (
          <Switch
            {...f}
            value={f.value as unknown as boolean}
            onChange={(on) => f.onChange((on || undefined) as never)}
            label={consentText.privacy.text}
          />
        )}
      </Field>
    </FormDrawer>
  );
}

/** 修改资料: what is left empty stays. */
export function EditMemberDrawer({ member, onClose }: Closing & { member: Member }): ReactNode {
  const form = useForm(updateMember, {
    initial: { id: member.id, revision: member.revision, ...(member.sex && { sex: member.sex }) },
    draft: false,
    done: "已保存",
    refreshes: LOOKS,
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title="修改资料" submit="保存" onClose={onClose}>
      <Field of={form.field("name")} label="姓名" optional help={`现在是 ${member.name || "空"}；不改就留空`}>
        {(f) => <TextInput {...f} value={f.value as string} maxLength={32} />}
      </Field>
      <Field of={form.field("birthday")} label="生日" optional help={`现在是 ${member.birthday ?? "空"}；一年只能改一次，不改就留空`}>
        {(f) => <DayInput {...f} value={f.value as string} onChange={(day) => f.onChange((day || undefined) as never)} />}
      </Field>
      <Field of={form.field("guardian")} label="监护人" help="会员未满 14 周岁时须勾选">
        {(f) => <Switch {...f} value={f.value as boolean} label={consentText.guardian.text} />}
      </Field>
      <Field of={form.field("sex")} label="性别" optional>
        {(f) => <Radios {...f} value={f.value as 1} set={memberSex} />}
      </Field>
    </FormDrawer>
  );
}

/** 备注与标签. */
export function RemarkDrawer({ id, onClose }: Closing & { id: string }): ReactNode {
  const member = useDetail(getMember, { id });
  if (!member.data) return <WaitingDrawer of={member} title="备注与标签" onClose={onClose} />;
  return <RemarkForm member={member.data} onClose={onClose} />;
}
function RemarkForm({ member, onClose }: Closing & { member: Member }): ReactNode {
  const form = useForm(setMemberRemark, {
    initial: { id: member.id, remark: member.remark, tags: [...member.tags] },
    draft: member.id,
    done: "已保存",
    refreshes: LOOKS,
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title="备注与标签" submit="保存" onClose={onClose}>
      <Field of={form.field("remark")} label="备注" optional>
        {(f) => <TextArea {...f} value={f.value as string} maxLength={200} />}
      </Field>
      <Field of={form.field("tags")} label="标签" optional help="输入后按回车">
        {(f) => <Tags {...f} value={f.value as string[]} />}
      </Field>
    </FormDrawer>
  );
}

/** 发送积分, to one or to those who are ticked. */
export function PointsDrawer({ ids, onClose }: Closing & { ids: readonly string[] }): ReactNode {
  const form = useForm(sendPoints, {
    initial: { ids: [...ids], endsOn: null },
    draft: false,
    done: `已发给 ${ids.length} 人`,
    refreshes: LOOKS,
    onDone: onClose,
    ask: ({ points = 0 }) => ({
      text: `给 ${ids.length} 位会员各发 ${points.toLocaleString("en-US")} 积分，共 ${(points * ids.length).toLocaleString("en-US")} 分？`,
      ok: "发送",
    }),
  });
  return (
    <FormDrawer form={form} title={`发送积分 ${ids.length} 人`} submit="发送" onClose={onClose}>
      <Field of={form.field("points")} label="每人积分">
        {(f) => <NumberInput {...f} value={f.value as number} unit="分" />}
      </Field>
      <Field of={form.field("endsOn")} label="有效期至" optional help="留空为长期有效；有欠分的会员先抵欠分">
        {(f) => <DayInput {...f} value={f.value as string} onChange={(day) => f.onChange((day || null) as never)} />}
      </Field>
      <Field of={form.field("reason")} label="原因" help="会员时间线上看得到">
        {(f) => <TextInput {...f} value={f.value as string} maxLength={64} />}
      </Field>
    </FormDrawer>
  );
}

/** What is done to a member with a reason. */
export function FreezeDrawer({ member, onClose }: Closing & { member: Member }): ReactNode {
  const frozen = member.status === 1;
  const form = useForm(freezeMember, {
    initial: { id: member.id, frozen },
    draft: false,
    done: frozen ? "已冻结" : "已解除冻结",
    refreshes: LOOKS,
    onDone: onClose,
  });
  const title = frozen ? "冻结会员" : "解除冻结";
  return (
    <FormDrawer form={form} title={title} submit={title} danger={frozen} onClose={onClose}>
      <p className="note">{frozen ? "冻结后不能使用积分和储值，退款照常退回；仍可消费、攒积分。" : "解除后可以使用积分和储值。"}</p>
      <Field of={form.field("reason")} label="原因">
        {(f) => <TextInput {...f} value={f.value as string} maxLength={64} />}
      </Field>
    </FormDrawer>
  );
}
export function CloseDrawer({ member, onClose }: Closing & { member: Member }): ReactNode {
  const form = useForm(closeMember, {
    initial: { id: member.id, giveUp: false },
    draft: false,
    done: "已申请注销，7 天后生效",
    refreshes: LOOKS,
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title="注销会员" submit="申请注销" danger onClose={onClose}>
      <p className="note">
        7
        天内可以撤回；到期后删除姓名、手机号、生日等信息，订单和账只留编号。剩余的赠送和积分到期作废。有储值本金、没用完的次卡或未完成的订单时不能注销；以后退款里的储值本金要线下退。
      </p>
      <Field of={form.field("giveUp")} label="赠送和积分">
        {(f) => <Switch {...f} value={f.value as boolean} label="会员知道剩余的赠送和积分会作废" />}
      </Field>
      <Field of={form.field("reason")} label="原因">
        {(f) => <TextInput {...f} value={f.value as string} maxLength={64} />}
      </Field>
    </FormDrawer>
  );
}
/** A code to a phone that says yes to a merge. */
function MergeCode({ id, intoNo }: { id: string; intoNo?: string }): ReactNode {
  const [busy, run] = useRun([]);
  const send = () =>
    run(async () => {
      await call(sendMergeCode, { id, ...(intoNo !== undefined && { intoNo }) });
      success("验证码已发出，5 分钟内有效");
    });
  return (
    <Button busy={busy} disabled={intoNo !== undefined && !/^\d{10}$/.test(intoNo)} onClick={() => void send()}>
      {intoNo === undefined ? "发给被合并的会员" : "发给留下的会员"}
    </Button>
  );
}
export function MergeDrawer({ member, onMerged, onClose }: Closing & { member: Member; onMerged: (id: string) => void }): ReactNode {
  const form = useForm(mergeMembers, {
    initial: { id: member.id },
    draft: false,
    refreshes: LOOKS,
    onDone: ({ id, waits }) => {
      success(waits ? "已提交，等另一人审核" : "已合并");
      onClose();
      if (!waits) onMerged(id);
    },
    ask: ({ intoNo = "", second: waits }) => ({
      text: `把会员 ${member.memberNo} 并入 ${intoNo}？${waits ? "另一人同意后合并，" : ""}合并后不能撤回，两个手机号都归留下的会员。`,
      ok: waits ? "提交审核" : "合并",
      danger: true,
    }),
  });
  const second = form.values.second === true;
  return (
    <FormDrawer form={form} title="合并会员" submit={second ? "提交审核" : "合并"} danger onClose={onClose}>
      <p className="note">
        须先向顾客核实两个会员都是本人，手机号都用短信验证码确认过；由另一人审核时，被合并的可以没确认过。储值、积分、次卡、会员卡、等级和订单都归留下的会员，等级不会降；被合并的会员从会员页退出。任何一方有未付款的订单或处理中的退款时不能合并。
      </p>
      <Field of={form.field("intoNo")} label="留下的会员号">
        {(f) => <TextInput {...f} value={f.value as string} maxLength={10} inputMode="numeric" />}
      </Field>
      <Field
        of={form.field("second")}
        label="收不到验证码"
        help="顾客换了手机号等。须核对本人证件；由另一人在这位会员的页面审核。被合并会员的手机号和微信不带过去"
      >
        {(f) => <Switch {...f} value={f.value as boolean} label="由另一人审核，不用验证码" />}
      </Field>
      {!second && (
        <>
          <Field of={form.field("sms")} label="被合并会员的验证码" help="有储值、积分或次卡的会员，须本人手机上的验证码；店员当面问本人">
            {(f) => <TextInput {...f} value={f.value as string} maxLength={6} inputMode="numeric" autoComplete="off" />}
          </Field>
          <MergeCode id={member.id} />
          <Field of={form.field("intoSms")} label="留下会员的验证码">
            {(f) => <TextInput {...f} value={f.value as string} maxLength={6} inputMode="numeric" autoComplete="off" />}
          </Field>
          <MergeCode id={member.id} intoNo={(form.values.intoNo as string | undefined) ?? ""} />
        </>
      )}
      <Field of={form.field("reason")} label="原因">
        {(f) => <TextInput {...f} value={f.value as string} maxLength={64} />}
      </Field>
    </FormDrawer>
  );
}
/** 登记证件号: seen at the counter; it is shown with a reason alone afterwards. */
export function IdCardDrawer({ member, onClose }: Closing & { member: Member }): ReactNode {
  const form = useForm(setMemberIdCard, {
    initial: { id: member.id },
    draft: false,
    done: "已登记证件号",
    refreshes: LOOKS,
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title="登记证件号" submit="登记" onClose={onClose}>
      <p className="note">储值本金超过规则里的金额（一般 1,000 元）须登记。请核对本人证件；加密保存，只有写明原因才能查看。</p>
      <Field of={form.field("idCard")} label="身份证号" help={member.hasIdCard ? "已登记过，重新登记会替换" : undefined}>
        {(f) => <TextInput {...f} value={f.value as string} maxLength={18} autoComplete="off" />}
      </Field>
    </FormDrawer>
  );
}
export function ResetPinDrawer({ member, onClose }: Closing & { member: Member }): ReactNode {
  const form = useForm(resetMemberPin, { initial: { id: member.id }, draft: false, done: "已重置", refreshes: LOOKS, onDone: onClose });
  return (
    <FormDrawer form={form} title="重置支付密码" submit="重置" danger onClose={onClose}>
      <p className="note">须当面核实本人，例如手机号换了主人时。重置后旧的会员码和微信登录失效，顾客用短信验证码重新设置。</p>
      <Field of={form.field("reason")} label="原因">
        {(f) => <TextInput {...f} value={f.value as string} maxLength={64} />}
      </Field>
    </FormDrawer>
  );
}
