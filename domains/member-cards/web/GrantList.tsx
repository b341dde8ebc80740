import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { OneRow } from "@zhangfang/web/list/OneRow.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { Group } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { cardStatus, getGrant, listGrants, setGrant, summariseGrants } from "../contract/index.ts";
import { rightWords } from "../contract/words.ts";
import { RightPicks, Swatched } from "./CardFace.tsx";

type Row = RowOf<typeof listGrants>;
const c = columns<Row>();

/** 会员卡授权: what the level below may change on each card. */
export function GrantList(): ReactNode {
  const list = useList(listGrants);
  const sums = useSummary(summariseGrants, list.filters).data;
  const edit = usePanel("edit");
  const { level } = useUser();
  const merchant = level === "MCH";
  const change = (one: Row): ReactNode => (
    <Act of={setGrant}>
      <Button tone="link" onClick={() => edit.open(one.id)}>
        修改授权
      </Button>
    </Act>
  );
  return (
    <ListScreen
      title="会员卡授权"
      unit="张"
      list={list}
      tabs={{ of: list.field("status"), set: cardStatus, counts: sums?.byStatus }}
      filters={
        <>
          <Keyword of={list.field("keyword")} label="卡名" placeholder="会员卡名称" />
          <OrgFilter of={list} levels={["merchantId"]} />
        </>
      }
      columns={[
        c.text("name", "卡名", (one) => <Swatched tone={one.tone} name={one.name} />, { width: 160 }),
        ...(merchant ? [] : [c.text("merchantName", "商户", { width: 144 })]),
        c.code("status", "状态", cardStatus, { width: 88 }),
        ...(merchant ? [c.text("has", "服务商给我的", (one) => rightWords(one.has), { width: 220 })] : []),
        c.text("gives", merchant ? "门店能改" : "商户能改", (one) => rightWords(one.gives), { width: 240 }),
        c.text("by", "最近修改", { width: 120 }),
        c.time("updatedAt", "修改时间", { width: 168 }),
        c.actions(change, { width: 96, of: [setGrant] }),
      ]}
      empty={{ text: "还没有会员卡，由商户先在「会员卡」里新建" }}
    >
      <OneRow list={list} by={getGrant} id={list.openId} title="会员卡授权" onClose={list.close}>
        {(row) => (
          <Drawer title={row.name} onClose={list.close} footer={change(row)}>
            <Group
              title="授权"
              pairs={[
                ["商户", row.merchantName],
                ["卡状态", <StatusTag key="status" of={cardStatus} code={row.status} />],
                ...(merchant ? [["服务商给我的", rightWords(row.has)] as const] : []),
                [merchant ? "门店能改" : "商户能改", rightWords(row.gives)],
                ["最近修改", row.by],
                ["修改时间", row.updatedAt && <Time at={row.updatedAt} />],
              ]}
            />
          </Drawer>
        )}
      </OneRow>
      <OneRow list={list} by={getGrant} id={edit.id} title="修改授权" onClose={edit.close}>
        {(row) => <GrantDrawer key={`${row.id}:${row.gives.join()}`} row={row} merchant={merchant} onClose={edit.close} />}
      </OneRow>
    </ListScreen>
  );
}
function GrantDrawer({ row, merchant, onClose }: { row: Row; merchant: boolean; onClose: () => void }): ReactNode {
  const form = useForm(setGrant, {
    initial: { id: row.id, seen: row.gives, rights: row.gives },
    draft: false,
    done: "已保存，马上生效",
    refreshes: [listGrants, summariseGrants],
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title={`授权 ${row.name}`} submit="保存" onClose={onClose}>
      <p className="note">
        {merchant
          ? "勾选后，区域经理和员工能在「区域会员卡」里改。只能给自己有的；服务商收回的，门店也就没有了。"
          : "商户对自己的卡本来什么都能改；这里收回的，商户和它的门店都不能再改。"}
      </p>
      <Field of={form.field("rights")} label={merchant ? "门店能改" : "商户能改"} optional>
        {(f) => <RightPicks {...f} value={(f.value ?? []) as never} onChange={(rights) => f.onChange(rights as never)} among={row.has} />}
      </Field>
    </FormDrawer>
  );
}
