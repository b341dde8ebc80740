import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { share, yuan } from "@zhangfang/contract/money.ts";
import type { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { MoneyInput, PickOne, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { Empty, Failure } from "@zhangfang/web/show/Empty.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import { applyWithdrawal, getWithdrawalTerms, payoutMethod } from "../../contract/index.ts";
import { withdrawalReads } from "./withdrawal-reads.ts";

type Terms = OutputOf<typeof getWithdrawalTerms>;
interface Props {
  readonly onClose: () => void;
  readonly onAccount: () => void;
  readonly onDone: (id: string) => void;
}

/** 申请提现: what is there, to which account, and what arrives. */
export function ApplyDrawer(props: Props): ReactNode {
  const terms = useDetail(getWithdrawalTerms, {});
  const usable = terms.data?.accounts.filter(({ usable: mayBePaid, method }) => mayBePaid && (method === "bank" || terms.data.paysWechat));
  if (terms.data && usable && usable.length > 0 && !terms.data.closed) return <ApplyForm terms={terms.data} usable={usable} {...props} />;
  return (
    <Drawer title="申请提现" onClose={props.onClose}>
      {terms.error ? (
        <Failure error={terms.error as ApiError} retry={() => void terms.refetch()} />
      ) : terms.data === undefined ? (
        <Skeleton rows={5} />
      ) : terms.data.closed ? (
        <Empty drawing="seal" text={terms.data.closed} />
      ) : (
        <Empty
          drawing="seal"
          text={
            terms.data.accounts.length === 0
              ? "请先添加收款账户，添加 24 小时后可用"
              : "收款账户添加后 24 小时可用，或服务商还没有开通打款到微信"
          }
          action={<Button onClick={props.onAccount}>添加收款账户</Button>}
        />
      )}
    </Drawer>
  );
}

/** Who looks at it before it is paid, and what does not count yet. */
function waysOf({ unapprovedUpToCents, freezeDays }: Terms): string {
  const approval = unapprovedUpToCents > 0 ? `不超过 ¥${yuan(unapprovedUpToCents)} 直接打款，超过的由服务商审核` : "由服务商审核后打款";
  return freezeDays > 0 ? `${approval}；分润入账 ${freezeDays} 天后可提现` : approval;
}

function ApplyForm({ terms, usable, onClose, onDone }: Props & { terms: Terms; usable: Terms["accounts"] }): ReactNode {
  const feeOf = (cents: number): number => terms.feeFixedCents + share(cents, terms.feeRate);
  const form = useForm(applyWithdrawal, {
    initial: { ...(usable[0] && { accountId: usable[0].id }) },
    draft: "apply",
    secrets: ["password"],
    done: "已提交提现申请",
    refreshes: withdrawalReads,
    onDone: (made) => (made ? onDone(made.id) : onClose()),
    check: ({ amountCents }) => {
      if (amountCents === undefined) return undefined;
      if (amountCents < terms.minCents) return { amountCents: `最低提现 ¥${yuan(terms.minCents)}` };
      if (amountCents > terms.withdrawableCents) return { amountCents: `最多可提现 ¥${yuan(terms.withdrawableCents)}` };
      return feeOf(amountCents) >= amountCents ? { amountCents: "手续费不低于提现金额" } : undefined;
    },
    ask: ({ amountCents = 0, accountId }) => {
      const to = usable.find(({ id }) => id === accountId);
      return {
        text: `提现 ¥${yuan(amountCents)}，手续费 ¥${yuan(feeOf(amountCents))}，到账 ¥${yuan(amountCents - feeOf(amountCents))}，收款账户 ${to?.numberMask ?? ""}（${to?.holderMask ?? ""}）。`,
        ok: `提现 ¥${yuan(amountCents)}`,
        danger: true,
      };
    },
  });
  const amount = form.values.amountCents ?? 0;
  return (
    <FormDrawer form={form} title="申请提现" submit={amount > 0 ? `提现 ¥${yuan(amount)}` : "提现"} danger onClose={onClose}>
      <HeroLine label="可提现" amount={terms.withdrawableCents} />
      <p className="note">{waysOf(terms)}</p>
      <Field
        of={form.field("amountCents")}
        label="提现金额"
        help={
          amount > 0
            ? `手续费 ¥${yuan(feeOf(amount))}，到账 ¥${yuan(Math.max(0, amount - feeOf(amount)))}`
            : `最低 ¥${yuan(terms.minCents)}`
        }
      >
        {(f) => (
          <span className="apply-amount">
            <MoneyInput {...f} />
            <Button disabled={terms.withdrawableCents < terms.minCents} onClick={() => f.onChange(terms.withdrawableCents)}>
              全部
            </Button>
          </span>
        )}
      </Field>
      <Field of={form.field("accountId")} label="收款账户">
        {(f) => (
          <PickOne
            {...f}
            options={usable.map((one) => ({
              value: one.id,
              label: `${one.bankName ?? payoutMethod.label(one.method)} ${one.numberMask} ${one.holderMask}`,
            }))}
          />
        )}
      </Field>
      <Field of={form.field("password")} label="登录密码" help="确认是你本人操作">
        {(f) => <TextInput {...f} type="password" autoComplete="current-password" maxLength={128} />}
      </Field>
    </FormDrawer>
  );
}
