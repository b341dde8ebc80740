import type { ReactNode } from "react";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button, type ButtonTone } from "@zhangfang/web/show/Button.tsx";
import { Group } from "@zhangfang/web/show/over/Detail.tsx";
import { answerCampaign, coverMerchants, coverState, getCampaign, listCampaigns } from "../../contract/index.ts";
import { borneWords, counted } from "./campaign-words.ts";
import { MerchantPicks } from "@zhangfang/web/form/MerchantPicks.tsx";

type Row = Pick<RowOf<typeof listCampaigns>, "id" | "name" | "state" | "cover" | "providerPercent">;
const READS = [listCampaigns, getCampaign];

/** 参加 or 退出, as a merchant says to its provider's campaign. */
export function CoverActs({ of, tone }: { of: Row; tone: ButtonTone }): ReactNode {
  const [busy, run] = useRun(READS);
  const { id, name, cover, state, providerPercent } = of;
  const accept = cover !== "ACCEPTED";
  if (cover === null || (accept && state === "STOPED")) return null;
  const words = accept
    ? `参加「${name}」？顾客用券时本店先少收，${borneWords(providerPercent)}${providerPercent > 0 ? "，服务商的份额每月出结算单" : ""}。`
    : `退出「${name}」？本店的顾客不能再领；已领的照常能用，补贴照常结算。`;
  const answer = async (): Promise<void> => {
    if (!(await confirm(words, { ok: accept ? "参加" : "退出", danger: !accept }))) return;
    await run(async () => {
      await call(answerCampaign, { id, accept });
      success(accept ? `已参加「${name}」` : `已退出「${name}」`);
    });
  };
  return (
    <Act of={answerCampaign}>
      <Button tone={accept && tone === "plain" ? "primary" : tone} busy={busy} onClick={() => void answer()}>
        {accept ? "参加" : "退出"}
      </Button>
    </Act>
  );
}

type Campaign = OutputOf<typeof getCampaign>;
/** The merchants of a provider's campaign, and what their orders took off by it. */
export function Covers({ of: { covers } }: { of: Campaign }): ReactNode {
  const c = columns<Campaign["covers"][number]>();
  return (
    <Group title={`适用商户（${counted(covers.length)}）`}>
      <DataTable
        label="适用商户"
        density="compact"
        rows={covers}
        rowKey={({ merchantId }) => merchantId}
        columns={[
          c.text("name", "商户", { width: 176 }),
          c.code("state", "状态", coverState, { width: 88 }),
          c.number("used", "用掉（张）", { width: 96 }),
          c.money("offCents", "抵扣（元）", { width: 112 }),
          c.money("providerCents", "服务商承担（元）", { width: 128 }),
        ]}
      />
    </Group>
  );
}
/** 增加适用商户. */
export function CoverDrawer({ of: { id, name, providerPercent, covers }, onClose }: { of: Campaign; onClose: () => void }): ReactNode {
  const form = useForm(coverMerchants, {
    initial: { id, merchantIds: [] },
    draft: false,
    refreshes: READS,
    onDone: ({ added }) => {
      success(added > 0 ? `已增加 ${added} 家商户` : "这些商户都已在内");
      onClose();
    },
  });
  const count = form.values.merchantIds?.length ?? 0;
  return (
    <FormDrawer form={form} title={`增加适用商户 ${name}`} submit={count > 0 ? `增加 ${count} 家` : "增加商户"} onClose={onClose}>
      <p className="note">
        现在有 {counted(covers.length)} 家。
        {providerPercent === 100 ? "服务商全部承担，加上就参加。" : "商户要承担一部分，各家同意后才参加。"}
        总量和最高负债不变。
      </p>
      <Field of={form.field("merchantIds")} label="商户">
        {(f) => <MerchantPicks {...f} />}
      </Field>
    </FormDrawer>
  );
}
