import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { percent } from "@zhangfang/contract/money.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { Pick, Radios, RateInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { Group, useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { Timeline } from "@zhangfang/web/show/figures/Timeline.tsx";
import { payChannel } from "../../../channels/contract.ts";
import { getRates, rateProduct, rateStart, setRate, type RateLevel } from "../../contract/index.ts";

type Rates = OutputOf<typeof getRates>;

/** 费率 of a provider, an agent or a merchant: what it pays, the history, and a new rate. */
export function RatesDrawer({ level, id, onClose }: { level: RateLevel; id: string; onClose: () => void }): ReactNode {
  const rates = useDetail(getRates, { level, id });
  if (rates.data) return <RatesForm key={rates.data.version} level={level} id={id} rates={rates.data} onClose={onClose} />;
  return <WaitingDrawer of={rates} title="费率" onClose={onClose} />;
}

function RatesForm({ level, id, rates, onClose }: { level: RateLevel; id: string; rates: Rates; onClose: () => void }): ReactNode {
  const form = useForm(setRate, {
    initial: { level, id, version: rates.version, channel: 0, product: "ALL", start: "tomorrow" },
    draft: `${level}:${id}:${rates.version}`,
    done: "费率已设置",
    refreshes: [getRates],
    check: ({ channel, product, rate }) => {
      const floor = rates.rates.find((one) => one.channel === channel && one.product === product)?.floor ?? 0;
      return rate !== undefined && rate < floor ? { rate: `不能低于上级的费率 ${percent(floor)}` } : undefined;
    },
    ask: ({ channel, product, rate = 0, start }) => ({
      text: `「${rates.name}」${payChannel.label(channel)}${rateProduct.label(product)}的费率改为 ${percent(rate)}，${start === "today" ? "立即" : "明天 0 点起"}按新费率计算手续费；已收的款不变。`,
      ok: "保存",
    }),
  });
  return (
    <FormDrawer form={form} title={`费率 ${rates.name}`} submit="设置费率" onClose={onClose}>
      <RateTable rates={rates.rates} />
      <Field of={form.field("channel")} label="通道">
        {(f) => <Pick {...f} set={payChannel} />}
      </Field>
      <Field of={form.field("product")} label="支付产品" help="单独设置的产品优先于全部产品">
        {(f) => <Pick {...f} set={rateProduct} />}
      </Field>
      <Field of={form.field("rate")} label="新费率" help="不低于上级，不高于下级">
        {(f) => <RateInput {...f} />}
      </Field>
      <Field of={form.field("start")} label="生效时间">
        {(f) => <Radios {...f} set={rateStart} />}
      </Field>
      {rates.history.length > 0 && (
        <Group title="设置记录">
          <Timeline
            items={rates.history.map((one) => ({
              title: `${payChannel.label(one.channel)} · ${rateProduct.label(one.product)} ${percent(one.rate)}`,
              at: one.at,
              note: `${one.byName}，${one.fromDay} 起`,
              tone: "active",
            }))}
          />
        </Group>
      )}
    </FormDrawer>
  );
}

type Rate = Rates["rates"][number] & { readonly id: string };
/** What is paid today, and from tomorrow where that differs. */
function RateTable({ rates }: { rates: Rates["rates"] }): ReactNode {
  const c = columns<Rate>();
  const shown = (rate: number): ReactNode => <span className="num">{percent(rate)}</span>;
  return (
    <DataTable
      label="现行费率"
      rows={rates.map((one) => ({ ...one, id: `${one.channel}:${one.product}` }))}
      columns={[
        c.code("channel", "通道", payChannel, { width: 110 }),
        c.code("product", "产品", rateProduct, { width: 150 }),
        c.text("rate", "今天", (row) => shown(row.rate), { width: 76 }),
        c.text("tomorrow", "明天起", (row) => (row.tomorrow === row.rate ? "不变" : shown(row.tomorrow)), { width: 84 }),
        c.text("floor", "上级", (row) => (row.floor === 0 ? "—" : shown(row.floor)), { width: 76 }),
      ]}
    />
  );
}
