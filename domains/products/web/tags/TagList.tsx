import { type ReactNode } from "react";
import { Link } from "react-router";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { OneRow } from "@zhangfang/web/list/OneRow.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { useList } from "@zhangfang/web/list/use-list.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { Group } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { addTag, getProducts, getTag, getTags, removeTag, renameTag, summariseProducts } from "../../contract/index.ts";

type Row = RowOf<typeof getTags>;
const refreshes = [getTags, getProducts, summariseProducts];

/** 商品标签: what single-item coupons name. */
export function TagList(): ReactNode {
  const list = useList(getTags);
  const [add, edit] = [usePanel("add"), usePanel("edit")];
  const [busy, run] = useRun(refreshes);
  const mayExport = useAct(["/product/tag/export"]);
  const remove = async (row: Row): Promise<void> => {
    if (
      !(await confirm(`删除标签「${row.name}」（${row.code}）？从 ${row.products} 个商品上去掉，用它的单品券不再认得这些商品。`, {
        ok: "删除",
        danger: true,
      }))
    )
      return;
    await run(async () => {
      await call(removeTag, { id: row.id });
      success("已删除");
      if (list.openId === row.id) list.close();
    });
  };
  const adding = (
    <Act of={addTag}>
      <Button tone="primary" onClick={() => add.open()}>
        新建标签
      </Button>
    </Act>
  );
  const acts = (row: Row): ReactNode => (
    <Act of={renameTag}>
      <Button tone="link" onClick={() => edit.open(row.id)}>
        改名
      </Button>
      <Button tone="link" busy={busy} onClick={() => void remove(row)}>
        删除
      </Button>
    </Act>
  );
  const c = columns<Row>();
  return (
    <ListScreen
      title="商品标签"
      unit="个"
      list={list}
      filters={<Keyword of={list.field("keyword")} label="标签" placeholder="名称 / 编码" />}
      actions={adding}
      {...(mayExport && { exportSource: "product-tags" })}
      columns={[
        c.link("name", "名称", (row) => list.open(row.id), { width: 160, copy: false }),
        c.text("code", "编码", { width: 160 }),
        c.text("products", "商品", goodsOf, { width: 120 }),
        c.time("createdAt", "新建时间"),
        c.actions(acts, { width: 112, of: [renameTag, removeTag] }),
      ]}
      empty={{ text: "还没有标签。标签把商品归在一起，单品券按标签认商品", action: adding }}
    >
      <OneRow list={list} by={getTag} id={list.openId} title="商品标签" onClose={list.close}>
        {(row) => <TagDrawer tag={row} acts={acts(row)} onClose={list.close} />}
      </OneRow>
      {add.id && <AddDrawer onClose={add.close} />}
      <OneRow list={list} by={getTag} id={edit.id} title="修改标签" onClose={edit.close}>
        {(row) => <RenameDrawer key={row.id} tag={row} onClose={edit.close} />}
      </OneRow>
    </ListScreen>
  );
}
const goodsOf = (row: Row): ReactNode => <Link to={`/product/product?tagId=${row.id}`}>{row.products} 个商品</Link>;
function TagDrawer({ tag, acts, onClose }: { tag: Row; acts: ReactNode; onClose: () => void }): ReactNode {
  return (
    <Drawer title={tag.name} onClose={onClose} footer={acts}>
      <Group
        title="标签"
        pairs={[
          ["编码", tag.code],
          ["商品", goodsOf(tag)],
          ["新建时间", <Time key="made" at={tag.createdAt} />],
        ]}
      />
    </Drawer>
  );
}
function AddDrawer({ onClose }: { onClose: () => void }): ReactNode {
  const form = useForm(addTag, { initial: {}, done: "已新建标签", refreshes, onDone: onClose });
  return (
    <FormDrawer form={form} title="新建标签" submit="新建" onClose={onClose}>
      <Field of={form.field("name")} label="名称">
        {(f) => <TextInput {...f} maxLength={32} placeholder="如：早餐" />}
      </Field>
      <Field of={form.field("code")} label="编码" help="单品券里的 goods_tag，建好后不能改">
        {(f) => <TextInput {...f} maxLength={32} placeholder="如：BREAKFAST" />}
      </Field>
    </FormDrawer>
  );
}
function RenameDrawer({ tag, onClose }: { tag: Row; onClose: () => void }): ReactNode {
  const form = useForm(renameTag, { initial: { id: tag.id, name: tag.name }, draft: tag.id, done: "已保存", refreshes, onDone: onClose });
  return (
    <FormDrawer form={form} title={`修改标签 ${tag.code}`} submit="保存" onClose={onClose}>
      <Field of={form.field("name")} label="名称">
        {(f) => <TextInput {...f} maxLength={32} />}
      </Field>
    </FormDrawer>
  );
}
