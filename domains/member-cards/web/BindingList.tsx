import type { ReactNode } from "react";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgPicker } from "@zhangfang/web/filter/OrgFilter.tsx";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { PickOne, Radios, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { OneRow } from "@zhangfang/web/list/OneRow.tsx";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { Group } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { addBinding, bindingKind, cardStatus, getBinding, listBindings, removeBinding, summariseBindings } from "../contract/index.ts";

type Row = RowOf<typeof listBindings>;
const READS = [listBindings, summariseBindings];
const c = columns<Row>();

/** 会员卡绑定: which card is handed out where somebody joins. */
export function BindingList(): ReactNode {
  const list = useList(listBindings);
  const sums = useSummary(summariseBindings, list.filters).data;
  const add = usePanel("add");
  const adding = (
    <Act of={addBinding}>
      <Button tone="primary" onClick={() => add.open()}>
        绑定会员卡
      </Button>
    </Act>
  );
  return (
    <ListScreen
      title="会员卡绑定"
      unit="条"
      list={list}
      tabs={{ of: list.field("kind"), set: bindingKind, counts: sums?.byKind }}
      filters={<Keyword of={list.field("keyword")} label="名称" placeholder="门店、设备、小程序或卡名" />}
      actions={adding}
      columns={[
        c.code("kind", "类型", bindingKind, { width: 88 }),
        c.link("targetName", "绑定到", (row) => list.open(row.id), {
          copy: false,
          width: 200,
          note: (row) => row.kind === "mini-program" && row.target,
        }),
        c.text("cardName", "会员卡", { width: 144 }),
        c.code("cardStatus", "卡状态", cardStatus, { width: 88 }),
        c.text("by", "操作", { width: 128 }),
        c.time("createdAt", "绑定时间", { sort: "createdAt", width: 168 }),
        c.actions((row) => <Remove row={row} />, { width: 72, of: [removeBinding] }),
      ]}
      empty={{ text: "没有绑定，入会的会员都拿最早启用的那张卡；要某家门店或某台设备发另一张，绑定它", action: adding }}
    >
      <OneRow list={list} by={getBinding} id={list.openId} title="会员卡绑定" onClose={list.close}>
        {(row) => (
          <Drawer title={row.targetName} onClose={list.close} footer={<Remove row={row} onDone={list.close} />}>
            <Group
              title="绑定"
              pairs={[
                ["类型", bindingKind.label(row.kind)],
                ...(row.kind === "mini-program" ? [["AppID", row.target] as const] : []),
                ["会员卡", row.cardName],
                ["卡状态", <StatusTag key="status" of={cardStatus} code={row.cardStatus} />],
                ["操作", row.by],
                ["绑定时间", <Time key="made" at={row.createdAt} />],
              ]}
            />
          </Drawer>
        )}
      </OneRow>
      {add.id && sums && <AddDrawer choices={sums} onClose={add.close} />}
    </ListScreen>
  );
}
function Remove({ row, onDone }: { row: Row; onDone?: () => void }): ReactNode {
  const [busy, run] = useRun(READS);
  const remove = async (): Promise<void> => {
    if (!(await confirm(`解绑「${row.targetName}」？之后在这里入会的会员改拿最早启用的卡，已发的卡不变。`, { ok: "解绑" }))) return;
    await run(async () => {
      await call(removeBinding, { id: row.id });
      success("已解绑");
      onDone?.();
    });
  };
  return (
    <Act of={removeBinding}>
      <Button tone="link" busy={busy} onClick={() => void remove()}>
        解绑
      </Button>
    </Act>
  );
}
function AddDrawer({ choices, onClose }: { choices: OutputOf<typeof summariseBindings>; onClose: () => void }): ReactNode {
  const form = useForm(addBinding, { initial: { kind: "store" }, draft: false, done: "已绑定", refreshes: READS, onDone: onClose });
  const { kind = "store" } = form.values;
  const named = (all: readonly { id: string; name: string }[]) => all.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <FormDrawer form={form} title="绑定会员卡" submit="绑定" onClose={onClose}>
      <Field of={form.field("cardId")} label="会员卡">
        {(f) => <PickOne {...f} options={named(choices.cards)} />}
      </Field>
      <Field of={form.field("kind")} label="绑定到" help="设备先于门店；都没有时发最早启用的卡">
        {(f) => <Radios {...f} value={f.value ?? "store"} set={bindingKind} />}
      </Field>
      {kind === "store" && (
        <Field of={form.field("storeId")} label="门店">
          {(f) => <OrgPicker {...f} level="storeId" value={f.value as string} />}
        </Field>
      )}
      {kind === "device" && (
        <Field of={form.field("deviceId")} label="设备">
          {(f) => <PickOne {...f} options={named(choices.devices)} />}
        </Field>
      )}
      {kind === "mini-program" && (
        <>
          <Field
            of={form.field("appId")}
            label="小程序 AppID"
            help="现在只作登记：小程序里还不能入会，不会按它发卡。AppID 在微信公众平台 → 开发设置"
          >
            {(f) => <TextInput {...f} maxLength={18} autoComplete="off" placeholder="wx 开头" />}
          </Field>
          <Field of={form.field("title")} label="小程序名称">
            {(f) => <TextInput {...f} maxLength={32} />}
          </Field>
        </>
      )}
    </FormDrawer>
  );
}
