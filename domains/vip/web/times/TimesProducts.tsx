import { type ReactNode, Suspense } from "react";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { MoneyInput, NumberInput, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { type Form, useForm } from "@zhangfang/web/form/use-form.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { StorePicks } from "../../../stores/web/index.ts";
import {
  addTimesProduct,
  getTimesProduct,
  listTimesProducts,
  productState,
  setTimesProductState,
  summariseTimesProducts,
  updateTimesProduct,
} from "../../contract/index.ts";

type Row = RowOf<typeof listTimesProducts>;
const c = columns<Row>();
const READS = [listTimesProducts, summariseTimesProducts, getTimesProduct];

/** 次卡: what is for sale; cards that were sold keep what they were sold with. */
export function TimesProducts(): ReactNode {
  const list = useList(listTimesProducts);
  const sums = useSummary(summariseTimesProducts, list.filters).data;
  const [add, edit] = [usePanel("add"), usePanel("edit")];
  const mayExport = useAct(["/vip-member/timesCard/export"]);
  const adding = (
    <Act of={addTimesProduct}>
      <Button tone="primary" onClick={() => add.open()}>
        新建次卡
      </Button>
    </Act>
  );
  return (
    <ListScreen
      title="次卡"
      unit="种"
      list={list}
      tabs={{ of: list.field("state"), set: productState, counts: sums?.byState }}
      totals={sums && [["已售", `${sums.soldCount.toLocaleString("en-US")} 张`]]}
      filters={<Keyword of={list.field("keyword")} label="名称" placeholder="次卡名称" />}
      actions={adding}
      {...(mayExport && { exportSource: "times-products" })}
      columns={[
        c.link("name", "名称", (row) => edit.open(row.id), { copy: false, width: 160 }),
        c.text("times", "次数", (row) => (row.giftTimes > 0 ? `${row.times} + 送 ${row.giftTimes}` : String(row.times)), { width: 104 }),
        c.money("priceCents", "售价（元）", { width: 104 }),
        c.money("singlePriceCents", "单次价（元）", { width: 112 }),
        c.number("days", "有效天数", { width: 88 }),
        c.text("storeNames", "适用门店", { width: 200 }),
        c.number("soldCount", "已售", { width: 80 }),
        c.code("state", "状态", productState, { width: 80 }),
        c.time("createdAt", "新建时间", { hidden: true }),
        c.actions((row) => <Acts row={row} edit={edit.open} />, { width: 112, of: [updateTimesProduct] }),
      ]}
      onOpen={false}
      empty={{ text: "还没有次卡，比如：洗车 10 次送 2 次，500 元", action: adding }}
    >
      {add.id && <AddDrawer onClose={add.close} />}
      {edit.id && <EditDrawer id={edit.id} onClose={edit.close} />}
    </ListScreen>
  );
}
function Acts({ row, edit }: { row: Row; edit: (id: string) => void }): ReactNode {
  const [busy, run] = useRun(READS);
  const on = row.state === "active";
  const flip = async (): Promise<void> => {
    const text = on ? `停售「${row.name}」？已售的卡照常使用。` : `重新出售「${row.name}」？`;
    if (!(await confirm(text, { ok: on ? "停售" : "出售" }))) return;
    await run(async () => {
      await call(setTimesProductState, { id: row.id, state: on ? "disabled" : "active" });
      success(on ? "已停售" : "已开始出售");
    });
  };
  return (
    <Act of={updateTimesProduct}>
      <Button tone="link" onClick={() => edit(row.id)}>
        修改
      </Button>
      <Button tone="link" busy={busy} onClick={() => void flip()}>
        {on ? "停售" : "出售"}
      </Button>
    </Act>
  );
}
function AddDrawer({ onClose }: { onClose: () => void }): ReactNode {
  const form = useForm(addTimesProduct, { initial: { giftTimes: 0, storeIds: [] }, done: "已新建次卡", refreshes: READS, onDone: onClose });
  return (
    <FormDrawer form={form} title="新建次卡" submit="新建" onClose={onClose}>
      <Facts form={form as never} />
    </FormDrawer>
  );
}
function EditDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const product = useDetail(getTimesProduct, { id });
  if (product.data) return <EditForm key={product.data.revision} product={product.data} onClose={onClose} />;
  return <WaitingDrawer of={product} title="修改次卡" onClose={onClose} />;
}
function EditForm({ product, onClose }: { product: OutputOf<typeof getTimesProduct>; onClose: () => void }): ReactNode {
  const { id, revision, name, times, giftTimes, priceCents, singlePriceCents, days, storeIds } = product;
  const form = useForm(updateTimesProduct, {
    initial: { id, revision, name, times, giftTimes, priceCents, singlePriceCents, days, storeIds } as never,
    draft: `${id}:${revision}`,
    done: "已保存，已售的卡不变",
    refreshes: READS,
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title={`修改次卡 ${name}`} submit="保存" onClose={onClose}>
      <Facts form={form as never} />
    </FormDrawer>
  );
}
function Facts({ form }: { form: Form<typeof addTimesProduct> }): ReactNode {
  const { times, giftTimes = 0, priceCents } = form.values;
  const each = times && priceCents ? `每次合 ¥${yuan(Math.round(priceCents / (times + giftTimes)))}` : "";
  return (
    <>
      <Field of={form.field("name")} label="名称">
        {(f) => <TextInput {...f} maxLength={32} placeholder="如：精洗 10 次卡" />}
      </Field>
      <Field of={form.field("times")} label="次数">
        {(f) => <NumberInput {...f} unit="次" />}
      </Field>
      <Field of={form.field("giftTimes")} label="赠送次数">
        {(f) => <NumberInput {...f} unit="次" />}
      </Field>
      <Field of={form.field("priceCents")} label="售价" {...(each && { help: each })}>
        {(f) => <MoneyInput {...f} />}
      </Field>
      <Field of={form.field("singlePriceCents")} label="单次价" help="不用卡时一次的价格；顾客自己要退卡时，用过的按它扣">
        {(f) => <MoneyInput {...f} />}
      </Field>
      <Field of={form.field("days")} label="有效期" help="从购买当天起，到期日 24:00 结束；到期没用完的可以延期或退款">
        {(f) => <NumberInput {...f} unit="天" />}
      </Field>
      <Field of={form.field("storeIds")} label="适用门店" optional help="不选为全部门店">
        {(f) => (
          <Suspense>
            <StorePicks {...f} value={f.value ?? []} onChange={(ids) => f.onChange(ids ?? [])} />
          </Suspense>
        )}
      </Field>
    </>
  );
}
