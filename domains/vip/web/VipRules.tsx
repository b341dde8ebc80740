import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { Field, FormSection } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { MoneyInput, NumberInput, Radios, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Empty } from "@zhangfang/web/show/Empty.tsx";
import { DetailScreen, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { getRights, getVipRules, levelBasis, setVipLevels } from "../contract/index.ts";
import { levelSentence } from "../contract/words.ts";
import { fieldOf } from "./rows.ts";
import { Versions } from "./Versions.tsx";
import "./vip.css";

type Rules = OutputOf<typeof getVipRules>;
type Level = Rules["levels"][number];

/** VIP规则: the ladder, each level in a sentence, and how many stand on it. */
export function VipRules(): ReactNode {
  const rules = useDetail(getVipRules, {});
  const edit = usePanel("edit");
  const c = columns<Level>();
  const act = (
    <Act of={setVipLevels}>
      <Button tone="primary" onClick={() => edit.open()}>
        修改规则
      </Button>
    </Act>
  );
  return (
    <>
      <DetailScreen title="VIP规则" of={rules} actions={act}>
        {({ levels, versions }) => (
          <>
            {levels.length === 0 ? (
              <Empty text="还没有等级，所有会员一样" action={act} />
            ) : (
              <DataTable
                label="会员等级"
                rows={levels.toReversed()}
                rowKey={({ rank }) => String(rank)}
                columns={[
                  c.text("rank", "级别", (row) => `${row.rank} 级`, { width: 72 }),
                  c.text("name", "名称", { width: 120 }),
                  c.code("basis", "方式", levelBasis, { width: 88 }),
                  c.text("how", "怎么得到", (row) => levelSentence(row), { width: 340 }),
                  c.number("members", "现有会员", { width: 104 }),
                ]}
              />
            )}
            <p className="note vip-note">
              成长值每实付 1 元得 1，储值按本金算；退款当时扣回，只撤销那一单带来的升级。付费等级与消费等级并行，取高的；到期回到消费等级。
            </p>
            <Versions of={versions} />
          </>
        )}
      </DetailScreen>
      {edit.id && rules.data && <LevelsDrawer rules={rules.data} onClose={edit.close} />}
    </>
  );
}

function LevelsDrawer({ rules, onClose }: { rules: Rules; onClose: () => void }): ReactNode {
  const form = useForm(setVipLevels, {
    initial: { version: rules.version, levels: rules.levels.map(({ members: _members, ...level }) => level) },
    draft: String(rules.version),
    done: "已保存，会员等级正在按新规则更新",
    refreshes: [getVipRules, getRights],
    onDone: onClose,
    ask: ({ levels = [] }) => ({
      text: `保存后立即生效：达到新门槛的会员马上升级，已有等级的会员保级期内不降。${levels.length === 0 ? "没有任何等级，折扣等权益不再生效。" : ""}`,
      ok: "保存规则",
    }),
  });
  const levels = form.values.levels ?? [];
  const set = (next: typeof levels): void => form.set({ levels: next });
  const rows = { name: "levels", rows: levels, set: (next: readonly (typeof levels)[number][]) => set([...next]), errorAt: form.errorAt };
  const next = levels.reduce((most, { rank }) => Math.max(most, rank), 0) + 1;
  return (
    <FormDrawer form={form} title="修改VIP规则" submit={`保存 ${levels.length} 个等级`} onClose={onClose}>
      {levels.map((level, at) => (
        <FormSection key={at} title={`${level.rank} 级${level.name ? ` · ${level.name}` : ""}`}>
          <Field of={fieldOf(rows, at, "name")} label="名称">
            {(f) => <TextInput {...f} maxLength={16} placeholder="如：金卡" />}
          </Field>
          <Field of={fieldOf(rows, at, "basis")} label="方式">
            {(f) => <Radios {...f} value={f.value ?? "growth"} set={levelBasis} />}
          </Field>
          {level.basis === "growth" && (
            <Field of={fieldOf(rows, at, "threshold")} label="成长值门槛" help={levelSentence(wordable(level))}>
              {(f) => <NumberInput {...f} unit="成长值" />}
            </Field>
          )}
          {level.basis === "spent" && (
            <Field of={fieldOf(rows, at, "threshold")} label="消费额门槛" help={levelSentence(wordable(level))}>
              {(f) => <MoneyInput {...f} />}
            </Field>
          )}
          {level.basis === "paid" && (
            <>
              <Field of={fieldOf(rows, at, "priceCents")} label="价格">
                {(f) => <MoneyInput {...f} />}
              </Field>
              <Field of={fieldOf(rows, at, "months")} label="时长" help="买的当天起算，到期日 24:00 结束；续费接在后面">
                {(f) => <NumberInput {...f} unit="个月" />}
              </Field>
            </>
          )}
          <Button small onClick={() => set(levels.filter((_one, n) => n !== at))}>
            删除这一级
          </Button>
        </FormSection>
      ))}
      {levels.length < 10 && next <= 10 && (
        <Button
          onClick={() => set([...levels, { rank: next, name: "", basis: "growth", threshold: null, priceCents: null, months: null }])}
        >
          加一级
        </Button>
      )}
    </FormDrawer>
  );
}
type Asked = {
  basis: Level["basis"];
  threshold?: number | null | undefined;
  priceCents?: number | null | undefined;
  months?: number | null | undefined;
};
const whole = (given: number | null | undefined): number | null => (given === undefined || Number.isNaN(given) ? null : given);
const wordable = ({ basis, threshold, priceCents, months }: Asked) => ({
  basis,
  threshold: whole(threshold),
  priceCents: whole(priceCents),
  months: whole(months),
});
