import type { ReactNode } from "react";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { call } from "@zhangfang/web/api/api.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { PickOne } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import type { Selection } from "@zhangfang/web/list/Batch.tsx";
import type { Panel } from "@zhangfang/web/list/address/use-panel.ts";
import { success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { PayCodeBatch } from "../../../pay-codes/web/index.ts";
import { listStoreChoices, listStoreRows } from "../../contract/index.ts";
import { KINDS, type SetKind } from "./kinds.ts";

/** Puts the ticked stores, or the whole filter, into a group or an area; and their pay codes into a zip. */
export function AddToSets({ selection, panel }: { selection: Selection; panel: Panel }): ReactNode {
  return (
    <>
      {Object.entries(KINDS).map(([key, kind]) => (
        <Act key={key} of={kind.change}>
          <Button small onClick={() => panel.open(key)}>
            加入{kind.what}
          </Button>
          {panel.id === key && <AddDrawer kind={kind} selection={selection} onClose={panel.close} />}
        </Act>
      ))}
      <PayCodeBatch
        selection={selection}
        idsOf={async (filters, most) => (await call(listStoreRows, { ...filters, pageSize: most } as never)).items.map(({ id }) => id)}
      />
    </>
  );
}

function AddDrawer({ kind, selection, onClose }: { kind: SetKind; selection: Selection; onClose: () => void }): ReactNode {
  const choices = useDetail(listStoreChoices, {}).data;
  const sets = (kind.filter === "areaId" ? choices?.areas : choices?.groups) ?? [];
  const form = useForm(kind.change, {
    initial: { act: "add", ...(selection.all ? { filter: selection.filters } : { ids: [...selection.ids] }) },
    draft: false,
    refreshes: [listStoreRows, kind.list, kind.get],
    onDone: ({ count }) => {
      success(`已把 ${count} 家门店加入${kind.what}`);
      selection.clear();
      onClose();
    },
    ask: () =>
      kind.filter === "areaId"
        ? { text: `把 ${selection.count} 家门店加入区域？该区域的区域经理立即退出登录，重新登录后看到新的门店。`, ok: "加入" }
        : undefined,
  });
  return (
    <FormDrawer form={form} title={`把 ${selection.count} 家门店加入${kind.what}`} submit={`加入 ${selection.count} 家`} onClose={onClose}>
      <Field
        of={form.field("id")}
        label={kind.what}
        help={sets.length === 0 ? `还没有${kind.what}，请先在「${kind.title}」新建` : "已在其中的门店不变"}
      >
        {(f) => <PickOne {...f} options={sets.map(({ id, name }) => ({ value: id, label: name }))} />}
      </Field>
    </FormDrawer>
  );
}
