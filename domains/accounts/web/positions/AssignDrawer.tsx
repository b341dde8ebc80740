import type { ReactNode } from "react";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import type { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { Empty, Failure } from "@zhangfang/web/show/Empty.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import { assignPosition, listAssignable, listPositions, listStaff } from "../../contract/index.ts";

type Position = RowOf<typeof listPositions>;
type Staff = OutputOf<typeof listAssignable>["items"];

/** 分配岗位: who of the root's sub-accounts holds it. */
export function AssignDrawer({ position, onClose }: { position: Position; onClose: () => void }): ReactNode {
  const staff = useDetail(listAssignable, {});
  if (staff.data && staff.data.items.length > 0) return <AssignForm position={position} staff={staff.data.items} onClose={onClose} />;
  return (
    <Drawer title={`分配岗位 ${position.name}`} onClose={onClose}>
      {staff.data ? (
        <Empty text="还没有子账号，请先到「子账号」新增" />
      ) : staff.error ? (
        <Failure error={staff.error as ApiError} retry={() => void staff.refetch()} />
      ) : (
        <Skeleton rows={6} />
      )}
    </Drawer>
  );
}

function AssignForm({ position, staff, onClose }: { position: Position; staff: Staff; onClose: () => void }): ReactNode {
  const { id, name, holderIds } = position;
  const moved = (userIds: readonly string[]): number =>
    staff.filter((one) => userIds.includes(one.id) !== holderIds.includes(one.id)).length;
  const form = useForm(assignPosition, {
    initial: { id, userIds: holderIds },
    draft: id,
    done: "已分配",
    refreshes: [listPositions, listStaff, listAssignable],
    onDone: onClose,
    ask: ({ userIds = [] }) => {
      const count = moved(userIds);
      return count > 0 ? { text: `分配岗位「${name}」？保存后：${count} 个子账号的岗位变更，其登录立即退出。`, ok: "保存" } : undefined;
    },
  });
  return (
    <FormDrawer form={form} title={`分配岗位 ${name}`} submit={`保存（${form.values.userIds?.length ?? 0} 人）`} onClose={onClose}>
      <Field of={form.field("userIds")} label="持有该岗位的子账号">
        {({ value = [], onChange, ...f }) => (
          <div {...f} role="group" aria-label="子账号" className="assigned">
            {staff.map((one) => (
              <label key={one.id} className="items-tick">
                <input
                  type="checkbox"
                  checked={value.includes(one.id)}
                  onChange={(event) => onChange(event.target.checked ? [...value, one.id] : value.filter((user) => user !== one.id))}
                />
                <span>
                  {one.login} {one.firstName}
                  {one.positionName && one.positionName !== name && <span className="note">　现岗位：{one.positionName}</span>}
                </span>
              </label>
            ))}
          </div>
        )}
      </Field>
    </FormDrawer>
  );
}
