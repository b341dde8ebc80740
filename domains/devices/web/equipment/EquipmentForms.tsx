import type { ReactNode } from "react";
import { OrgPicker } from "@zhangfang/web/filter/OrgFilter.tsx";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { Pick, TextArea, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { useUser } from "@zhangfang/web/api/user.ts";
import {
  addEquipment,
  deviceModel,
  getEquipment,
  listEquipment,
  moveEquipment,
  moveKind,
  summariseEquipment,
} from "../../contract/index.ts";

/** What stock does in the list; binding and unbinding belong to 设备列表. */
export const STOCK_MOVES = ["issue", "return", "repair", "repaired", "retire"] as const;
export type StockMove = (typeof STOCK_MOVES)[number];
const refreshes = [listEquipment, summariseEquipment, getEquipment];

/** 入库: numbers as they are pasted or scanned, one a line. */
export function IntakeDrawer({ onClose }: { onClose: () => void }): ReactNode {
  const form = useForm(addEquipment, { initial: { sns: [] }, done: "已入库", refreshes, onDone: onClose });
  const sns = (form.values.sns ?? []) as string[];
  return (
    <FormDrawer form={form} title="设备入库" submit={`入库 ${sns.length} 台`} onClose={onClose}>
      <Field of={form.field("model")} label="型号">
        {(f) => <Pick {...f} value={f.value as never} set={deviceModel} />}
      </Field>
      <Field of={form.field("sns")} label="设备编号" help="一行一个，可以从表格粘贴或用扫码枪连续扫入，一次最多 500 台">
        {(f) => (
          <TextArea
            {...f}
            rows={10}
            value={sns.join("\n")}
            onChange={(text) =>
              form.set({ sns: (text ?? "").split(/[\s,，;；]+/).filter((sn, at, all) => sn !== "" || at === all.length - 1) })
            }
          />
        )}
      </Field>
      <Field of={form.field("batch")} label="批次" optional>
        {(f) => <TextInput {...f} value={f.value as string} maxLength={32} />}
      </Field>
      <Field of={form.field("note")} label="备注" optional>
        {(f) => <TextInput {...f} value={f.value as string} maxLength={80} />}
      </Field>
    </FormDrawer>
  );
}

/** 流转: what is done with which things, and to whom they go. */
export function MoveDrawer({
  kind,
  ids,
  pieces,
  onClose,
}: {
  kind: StockMove;
  ids: readonly string[];
  pieces: readonly { readonly sn: string }[];
  onClose: () => void;
}): ReactNode {
  const { level } = useUser();
  const word = moveKind.label(kind);
  const named = sns(pieces, ids.length);
  const form = useForm(moveEquipment, {
    initial: { kind, ids: [...ids] },
    draft: false,
    done: `已${word} ${ids.length} 台`,
    refreshes,
    onDone: onClose,
    ask: () =>
      kind === "retire" ? { text: `报废 ${ids.length} 台设备（${named}）？报废后不能恢复。`, ok: "报废", danger: true } : undefined,
  });
  const to = level === "ADMIN" ? ("serviceProviderId" as const) : ("merchantId" as const);
  return (
    <FormDrawer form={form} title={word} submit={`${word} ${ids.length} 台`} danger={kind === "retire"} onClose={onClose}>
      <p className="note">{named}</p>
      {kind === "issue" && (
        <Field of={form.field(to)} label={to === "merchantId" ? "商户" : "服务商"}>
          {(f) => <OrgPicker {...f} level={to} value={f.value as string} />}
        </Field>
      )}
      {kind === "return" && <p className="note">商户的设备退回服务商库存，服务商的设备退回平台库存。</p>}
      <Field of={form.field("note")} label="备注" optional>
        {(f) => <TextInput {...f} value={f.value as string} maxLength={80} />}
      </Field>
    </FormDrawer>
  );
}
/** The first ones by their numbers, and how many there are; those of other pages are counted alone. */
function sns(pieces: readonly { readonly sn: string }[], count: number): string {
  const named = pieces.slice(0, 5).map(({ sn }) => sn);
  if (named.length === 0) return `共 ${count} 台`;
  return named.join("、") + (count > named.length ? ` 等 ${count} 台` : "");
}
