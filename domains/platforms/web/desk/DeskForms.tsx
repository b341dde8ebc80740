import { type ReactNode, useState } from "react";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { Radios, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { success, warning } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Group } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { listTimesUses, reverseTimesUse, summariseTimesUses } from "../../../vip/contract/index.ts";
import {
  type AttemptView,
  cancelVoucher,
  decideVoucherFound,
  getDesk,
  getVoucher,
  listVouchers,
  noteVoucherFound,
  type OwnUse,
  summariseVouchers,
  voucherPlatform,
} from "../../contract/index.ts";
import { minute } from "../platform-words.ts";

export const VOUCHER_READS = [getDesk, listVouchers, summariseVouchers, getVoucher];
const nameOf = ({ title, tail }: AttemptView): string => (tail === "" ? title : `${title} 尾号 ${tail}`);

/** 撤销核销: what is free again by it, and that money does not move here. */
export function CancelDrawer({ of, onClose }: { of: AttemptView; onClose: () => void }): ReactNode {
  const name = voucherPlatform.label(of.platform);
  const form = useForm(cancelVoucher, {
    initial: { id: of.id, reason: "" },
    draft: false,
    refreshes: VOUCHER_READS,
    onDone: (view) => {
      if (view.status === 6) success("已撤销，顾客的券又能用了");
      else if (view.status === 1) warning(`没有撤销：${view.cancelMessage}`);
      onClose();
    },
  });
  return (
    <FormDrawer form={form} title="撤销核销" submit={`撤销 ${of.title}`} danger onClose={onClose}>
      <Group
        title="这张券"
        pairs={[
          ["券", nameOf(of)],
          ["用户实付", `¥${yuan(of.payCents)}`],
          ["核销", of.verifiedAt && `${minute(of.verifiedAt)} · ${of.byName}`],
        ]}
      />
      <p className="note">
        撤销以后顾客的券又能用，{name}不再把这笔结算给门店。让不让撤，由{name}说了算。
      </p>
      <Field of={form.field("reason")} label="原因">
        {(f) => <TextInput {...f} maxLength={60} placeholder="顾客换店、核错了……" />}
      </Field>
    </FormDrawer>
  );
}

/** 撤销核销 of a times card's use, by the right of 次卡核销. */
export function ReverseTimesDrawer({ of, onClose }: { of: OwnUse; onClose: () => void }): ReactNode {
  const form = useForm(reverseTimesUse, {
    initial: { id: of.id, reason: "" },
    draft: false,
    done: "已撤销，次数已退回",
    refreshes: [getDesk, listTimesUses, summariseTimesUses],
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title="撤销核销" submit={`撤销 ${of.title}`} danger onClose={onClose}>
      <p className="note">次数退回次卡；次卡已到期的，再给一天。一次核销只能撤销一次。</p>
      <Field of={form.field("reason")} label="原因">
        {(f) => <TextInput {...f} maxLength={80} placeholder="没做成、核错了……" />}
      </Field>
    </FormDrawer>
  );
}

const whatUsed = labelled({ true: "核掉了", false: "没有核掉" });
const whatReversed = labelled({ false: "撤销了，券又能用", true: "没有撤销，还是核销的" });
/** 人工核对: the first says what the platform's app shows, the second confirms. */
export function FoundDrawer({ of, onClose }: { of: AttemptView; onClose: () => void }): ReactNode {
  if (of.found !== null) return <DecideFound of={of} onClose={onClose} />;
  return <NoteFound of={of} onClose={onClose} />;
}
function NoteFound({ of, onClose }: { of: AttemptView; onClose: () => void }): ReactNode {
  const name = voucherPlatform.label(of.platform);
  const [used, setUsed] = useState<"true" | "false">();
  const reversing = of.status === 5;
  const form = useForm(noteVoucherFound, {
    initial: { id: of.id },
    draft: false,
    done: "已记下，等另一人确认",
    refreshes: VOUCHER_READS,
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title="人工核对" submit="记下看到的" onClose={onClose}>
      <p className="note">
        在{name}商家端的核销记录里找 {nameOf(of)}，{minute(of.startedAt)} 前后。你记下看到的，另一人确认后才算数。
      </p>
      <Field of={form.field("used")} label={`${name}上`}>
        {(f) => (
          <Radios
            {...f}
            value={used}
            set={reversing ? whatReversed : whatUsed}
            onChange={(value) => {
              setUsed(value);
              f.onChange(value === "true");
            }}
          />
        )}
      </Field>
      {used === "true" && !reversing && (
        <Field of={form.field("verifyId")} label="核销号" help={`${name}核销记录里的编号，对账靠它`}>
          {(f) => <TextInput {...f} maxLength={64} autoComplete="off" />}
        </Field>
      )}
    </FormDrawer>
  );
}
function DecideFound({ of, onClose }: { of: AttemptView; onClose: () => void }): ReactNode {
  const [busy, run] = useRun(VOUCHER_READS);
  const found = of.found!;
  const decide = (agree: boolean) =>
    run(async () => {
      await call(decideVoucherFound, { id: of.id, agree, used: found.used, ...(found.verifyId !== "" && { verifyId: found.verifyId }) });
      success(agree ? "已按核对的结果记下" : "已退回，请重新核对");
      onClose();
    });
  const said = (of.status === 5 ? whatReversed : whatUsed).label(found.used ? "true" : "false");
  return (
    <Drawer
      title="确认人工核对"
      onClose={onClose}
      footer={
        !found.own && (
          <>
            <Button busy={busy} onClick={() => void decide(false)}>
              不对，重新核对
            </Button>
            <Button tone="primary" busy={busy} onClick={() => void decide(true)}>
              确认{said}
            </Button>
          </>
        )
      }
    >
      <Group
        title={nameOf(of)}
        pairs={[
          ["谁核对的", found.byName],
          ["看到的", said],
          ["核销号", found.verifyId],
          ["核销时间", minute(of.startedAt)],
        ]}
      />
      <p className="note">{found.own ? "你核对的，要由另一人确认。" : "请自己也到平台商家端看一眼再确认。"}</p>
    </Drawer>
  );
}
