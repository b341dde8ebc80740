import type { ReactNode } from "react";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { Radios, TextArea, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { warning } from "@zhangfang/web/notify.ts";
import { auditMaterials, auditVerdict, getMaterialById, getMaterials, renameMaterial, summariseMaterials } from "../../contract/index.ts";
import { type Material, RealFile } from "./MaterialView.tsx";

export const refreshes = [getMaterials, getMaterialById, summariseMaterials];

/** 审核: the files themselves, and what is said of them; only the contents that are shown here are meant. */
export function AuditDrawer({ rows, onClose }: { rows: readonly Material[]; onClose: () => void }): ReactNode {
  const form = useForm(auditMaterials, {
    initial: { items: rows.map(({ id, sha256 }) => ({ material_id: id, sha256 })) },
    draft: false,
    refreshes,
    done: "已审核",
    onDone: ({ left }) => {
      if (left.length > 0) warning(`${left.length} 个没有审核：${left[0]?.why}`);
      onClose();
    },
  });
  const verdict = form.values.audit_status;
  return (
    <FormDrawer
      form={form}
      wide
      title={rows.length === 1 ? `审核素材「${rows[0]?.name}」` : `审核 ${rows.length} 个素材`}
      submit={verdict === undefined ? "提交审核" : `${auditVerdict.label(verdict)} ${rows.length} 个素材`}
      danger={verdict === 3}
      onClose={onClose}
    >
      <ul className="material-audit" aria-label="待审核素材">
        {rows.map((row) => (
          <li key={row.id}>
            <RealFile row={row} />
            <p>
              <strong>{row.name}</strong>
              <span className="note">
                {row.ownerName} · {row.createdBy} 上传
              </span>
            </p>
          </li>
        ))}
      </ul>
      <Field of={form.field("audit_status")} label="审核结果">
        {(f) => <Radios {...f} value={f.value as 1 | 2 | 3} set={auditVerdict} />}
      </Field>
      <Field of={form.field("reason")} label="原因" optional={verdict === 1} help="不确定或拒绝时必填，上传方会看到">
        {(f) => <TextArea {...f} value={f.value as string} rows={3} maxLength={200} />}
      </Field>
    </FormDrawer>
  );
}

export function RenameDrawer({ row, onClose }: { row: Material; onClose: () => void }): ReactNode {
  const form = useForm(renameMaterial, {
    initial: { material_id: row.id, name: row.name, revision: row.revision },
    draft: row.id,
    refreshes,
    done: "已改名",
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title={`素材「${row.name}」改名`} submit="保存" onClose={onClose}>
      <Field of={form.field("name")} label="名称">
        {(f) => <TextInput {...f} value={f.value as string} maxLength={60} />}
      </Field>
    </FormDrawer>
  );
}
