import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Field, FormSection } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { Pick, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Loaded, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { taxPolicy, taxRate } from "../../../products/contract/codes.ts";
import { dropTaxRule, listTaxRules, setTaxRule } from "../../contract/index.ts";
import "../invoices.css";

type Rule = OutputOf<typeof listTaxRules>["items"][number];
const WORDS = {
  trade: { title: "行业税率", name: "行业", note: "商品和分类都没有编码时，按商户的行业；名称要和商户资料里的行业一样" },
  category: { title: "分类税率", name: "商品分类", note: "商品自己没有编码时，按它的分类；再没有就按服务商的行业税率，最后按开票主体" },
} as const;

/** 税率规则, each a name with its code and rate. */
export function TaxRules({ kind }: { kind: keyof typeof WORDS }): ReactNode {
  const rules = useDetail(listTaxRules, {});
  const add = usePanel("rule");
  const { title, name, note } = WORDS[kind];
  const c = columns<Rule>();
  return (
    <FormSection title={title}>
      <p className="note">{note}</p>
      <Loaded of={rules}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="note">还没有{title}。</p>
          ) : (
            <DataTable
              label={title}
              rows={items}
              columns={[
                c.text("name", name, { width: 144 }),
                c.text("taxCode", "税收分类编码", (row) => <span className="num">{row.taxCode}</span>, { width: 192 }),
                c.code("taxRate", "税率", taxRate, { width: 72 }),
                c.code("taxPolicy", "优惠政策", taxPolicy, { width: 96 }),
                c.actions((row) => <Drop of={row} />, { width: 72, of: [dropTaxRule] }),
              ]}
            />
          )
        }
      </Loaded>
      <p className="invoice-acts">
        <Act of={setTaxRule}>
          <Button onClick={() => add.open()}>添加{title}</Button>
        </Act>
      </p>
      {add.id && <AddRule kind={kind} onClose={add.close} />}
    </FormSection>
  );
}
function Drop({ of: { id, name, taxRate: rate } }: { of: Rule }): ReactNode {
  const [busy, run] = useRun([listTaxRules]);
  const drop = async (): Promise<void> => {
    if (!(await confirm(`删除「${name}」${taxRate.label(rate)}？之后的申请不再按它。`, { ok: "删除", danger: true }))) return;
    await run(async () => {
      await call(dropTaxRule, { id });
      success("已删除");
    });
  };
  return (
    <Act of={dropTaxRule}>
      <Button tone="link" busy={busy} onClick={() => void drop()}>
        删除
      </Button>
    </Act>
  );
}
function AddRule({ kind, onClose }: { kind: keyof typeof WORDS; onClose: () => void }): ReactNode {
  const { title, name } = WORDS[kind];
  const form = useForm(setTaxRule, {
    initial: { name: "", taxCode: "", taxPolicy: 0 },
    done: "已保存",
    refreshes: [listTaxRules],
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title={`添加${title}`} submit="保存" onClose={onClose}>
      <Field of={form.field("name")} label={name} help="已有同名的会被改掉">
        {(f) => <TextInput {...f} maxLength={32} />}
      </Field>
      <Field of={form.field("taxCode")} label="税收分类编码" help="19 位数字，如餐饮服务 3070401000000000000">
        {(f) => <TextInput {...f} maxLength={19} inputMode="numeric" autoComplete="off" />}
      </Field>
      <Field of={form.field("taxRate")} label="税率">
        {(f) => <Pick {...f} set={taxRate} />}
      </Field>
      <Field of={form.field("taxPolicy")} label="优惠政策" help="只有税率 0% 时可选免税、不征税或零税率">
        {(f) => <Pick {...f} set={taxPolicy} />}
      </Field>
    </FormDrawer>
  );
}
