import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { OrgPicker } from "@zhangfang/web/filter/OrgFilter.tsx";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { Failure } from "@zhangfang/web/show/Empty.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import { getCashier, getCashiers, moveCashier, summariseCashiers } from "../contract.ts";

/** 调店: what follows is said before: what was taken stays where it was. */
export function MoveDrawer({ id, onClose, onMoved }: { id: string; onClose: () => void; onMoved: (id: string) => void }): ReactNode {
  const cashier = useDetail(getCashier, { id });
  if (cashier.data) return <Move key={cashier.data.revision} cashier={cashier.data} onClose={onClose} onMoved={onMoved} />;
  return (
    <Drawer title="调店" onClose={onClose}>
      {cashier.error ? <Failure error={cashier.error as ApiError} retry={() => void cashier.refetch()} /> : <Skeleton rows={3} />}
    </Drawer>
  );
}

function Move({
  cashier: { id, revision, name, code, storeId, storeName, deviceSn },
  onClose,
  onMoved,
}: {
  cashier: OutputOf<typeof getCashier>;
  onClose: () => void;
  onMoved: (id: string) => void;
}): ReactNode {
  const form = useForm(moveCashier, {
    initial: { id, revision },
    draft: false,
    done: `已将${name}调店`,
    refreshes: [getCashiers, getCashier, summariseCashiers],
    onDone: ({ id: made }) => {
      onClose();
      onMoved(made);
    },
    check: (values) => (values.storeId === storeId ? { storeId: `${name}已在${storeName}` } : undefined),
  });
  return (
    <FormDrawer form={form} title={`${name} 调店`} submit="调店" onClose={onClose}>
      <Field of={form.field("storeId")} label="门店" help="调到哪家门店">
        {(f) => <OrgPicker {...f} level="storeId" value={f.value as string} />}
      </Field>
      <ul className="note">
        <li>
          在{storeName}的收银员停用，{deviceSn ? `退出设备 ${deviceSn}，` : ""}收款码不再收款；已收的款仍算{storeName}，编号改为 {code}{" "}
          加序号。
        </li>
        <li>在新门店以编号 {code}、相同的班次和限额开始，今日已退的金额继续计入限额；需重新绑定设备和打印收款码。</li>
      </ul>
    </FormDrawer>
  );
}
