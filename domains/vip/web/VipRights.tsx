import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { Field, FormSection } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { DecimalInput, MoneyInput, NumberInput, PickOne } from "@zhangfang/web/form/inputs.tsx";
import { type FormField, useForm } from "@zhangfang/web/form/use-form.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Empty } from "@zhangfang/web/show/Empty.tsx";
import { DetailScreen, Group, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { useGivable } from "../../coupons/web/index.ts";
import { getRights, rightKind, setRights } from "../contract/index.ts";
import { discountWords, plainYuan, rightsWords } from "../contract/words.ts";
import { fieldOf } from "./rows.ts";
import { Versions } from "./Versions.tsx";
import "./vip.css";

type Rights = OutputOf<typeof getRights>;
type Level = Rights["levels"][number];

/** 会员权益: what each level is worth, and what birthdays cost this year. */
export function VipRights(): ReactNode {
  const rights = useDetail(getRights, {});
  const edit = usePanel("edit");
  const c = columns<Level>();
  const some = (rights.data?.levels.length ?? 0) > 0;
  const act = some && (
    <Act of={setRights}>
      <Button tone="primary" onClick={() => edit.open()}>
        修改权益
      </Button>
    </Act>
  );
  return (
    <>
      <DetailScreen title="会员权益" of={rights} actions={act}>
        {({ levels, given, versions }) => (
          <>
            {levels.length === 0 ? (
              <Empty text="先在「VIP规则」里设置等级，再给每一级设置权益" />
            ) : (
              <DataTable
                label="等级权益"
                rows={levels.toReversed()}
                rowKey={({ rank }) => String(rank)}
                columns={[
                  c.text("name", "等级", { width: 120 }),
                  c.text("discount", "会员折扣", (row) => (row.discount === null ? null : discountWords(row.discount)), { width: 96 }),
                  c.text("multiple", "积分倍数", (row) => (row.multiple === null ? null : `${row.multiple / 100} 倍`), { width: 96 }),
                  c.number("birthdayPoints", "生日积分", { width: 96 }),
                  c.money("birthdayGiftCents", "生日储值（元）", (row) => row.birthdayGiftCents as never, { width: 128 }),
                  c.text("birthdayCoupons", "生日送券", (row) => row.birthdayCoupons || null, { width: 152 }),
                  c.text("monthlyCoupons", "每月送券", (row) => row.monthlyCoupons || null, { width: 152 }),
                  c.text("words", "顾客看到", (row) => rightsWords(row).join("，") || "没有权益", { width: 300 }),
                ]}
              />
            )}
            <p className="note vip-note">
              折扣与商品会员价同时有时，每件按便宜的算；不参与优惠的商品没有折扣。生日礼当天 8:00 发，一年一次，错过 7
              天内补发；每月的券每月一次，月初或升级次日早上发。
            </p>
            {given.length > 0 && (
              <Group
                title="今年已发"
                pairs={given.map(({ kind, members, value }) => [rightKind.label(kind), `${members} 人，共 ${givenWords(kind, value)}`])}
              />
            )}
            <Versions of={versions} />
          </>
        )}
      </DetailScreen>
      {edit.id && rights.data && <RightsDrawer rights={rights.data} onClose={edit.close} />}
    </>
  );
}

/** As it is typed: discounts in 折, multiples as they are said. */
function RightsDrawer({ rights, onClose }: { rights: Rights; onClose: () => void }): ReactNode {
  const form = useForm(setRights, {
    initial: {
      version: rights.version,
      rights: rights.levels.map(({ name: _name, basis: _basis, birthdayCoupons: _birthday, monthlyCoupons: _monthly, ...row }) => row),
    },
    draft: String(rights.version),
    done: "已保存，下一单起生效",
    refreshes: [getRights],
    onDone: onClose,
  });
  const givable = useGivable();
  const given = form.values.rights ?? [];
  type Row = (typeof given)[number];
  const rows = { name: "rights", rows: given, set: (next: readonly Row[]) => form.set({ rights: [...next] }), errorAt: form.errorAt };
  return (
    <FormDrawer form={form} title="修改会员权益" submit="保存权益" onClose={onClose}>
      {given.map((row, at) => {
        const level = rights.levels.find(({ rank }) => rank === row.rank);
        const discount = fieldOf(rows, at, "discount");
        const multiple = fieldOf(rows, at, "multiple");
        return (
          <FormSection key={row.rank} title={level?.name ?? `${row.rank} 级`}>
            <Field of={discount} label="会员折扣（折）" optional help="9.5 即九五折">
              {(f) => (
                <DecimalInput
                  {...f}
                  value={scaled(f.value, 1 / 10)}
                  onChange={(typed) => discount.set(scaled(typed, 10))}
                  placeholder="如：9.5"
                />
              )}
            </Field>
            <Field of={multiple} label="积分倍数" optional>
              {(f) => (
                <DecimalInput
                  {...f}
                  value={scaled(f.value, 1 / 100)}
                  onChange={(typed) => multiple.set(scaled(typed, 100))}
                  placeholder="如：1.5"
                />
              )}
            </Field>
            <Field of={fieldOf(rows, at, "birthdayPoints")} label="生日送积分" optional>
              {(f) => <NumberInput {...f} unit="积分" />}
            </Field>
            <Field of={fieldOf(rows, at, "birthdayGiftCents")} label="生日送储值" optional help="赠送余额，不可退、不折现">
              {(f) => <MoneyInput {...f} />}
            </Field>
            <CouponFields rows={rows} at={at} what="birthday" label="生日送优惠券" givable={givable} />
            <CouponFields rows={rows} at={at} what="monthly" label="每月送优惠券" givable={givable} />
          </FormSection>
        );
      })}
    </FormDrawer>
  );
}
interface Coupons {
  readonly birthdayCouponId?: string | null | undefined;
  readonly birthdayCouponCount?: number | undefined;
  readonly monthlyCouponId?: string | null | undefined;
  readonly monthlyCouponCount?: number | undefined;
}
/** Which coupon, and how many once one is chosen. */
function CouponFields<R extends Coupons>({
  rows,
  at,
  what,
  label,
  givable,
}: {
  rows: Parameters<typeof fieldOf<R, keyof R & string>>[0];
  at: number;
  what: "birthday" | "monthly";
  label: string;
  givable: ReturnType<typeof useGivable>;
}): ReactNode {
  const id = fieldOf(rows, at, `${what}CouponId`);
  const chosen = rows.rows[at]?.[`${what}CouponId`];
  return (
    <>
      <Field of={id as FormField<string>} label={label} optional>
        {(f) => <PickOne {...f} options={givable} placeholder="不送" />}
      </Field>
      {chosen && (
        <Field of={fieldOf(rows, at, `${what}CouponCount`) as FormField<number>} label={`${label}张数`}>
          {(f) => <NumberInput {...f} unit="张" />}
        </Field>
      )}
    </>
  );
}
function givenWords(kind: Rights["given"][number]["kind"], value: number): string {
  if (kind === "birthday-gift") return `${plainYuan(value)} 元（赠送）`;
  return `${value.toLocaleString("en-US")} ${kind === "birthday-coupons" || kind === "monthly-coupons" ? "张券" : "积分"}`;
}
/** Up to two decimals are kept as they are; what has more is no whole number of hundredths and is refused by the form. */
const scaled = (value: number | undefined, by: number): number | undefined =>
  value === undefined ? undefined : Number((value * by).toFixed(4));
