import { Select } from "@zhangfang/web/select/Select.tsx";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { getArea, listAreaManagers, listAreas, setAreaManagers } from "../../contract/index.ts";

/** 设置区域经理: whose accounts see the stores of an area. */
export function AreaManagers({ area, onClose }: { area: OutputOf<typeof getArea>; onClose: () => void }): ReactNode {
  const { data: people = [] } = useDetail(listAreaManagers, {});
  const before = area.managers.map(({ id }) => id);
  const form = useForm(setAreaManagers, {
    initial: { id: area.id, userIds: before },
    draft: area.id,
    refreshes: [getArea, listAreas],
    done: "已保存",
    onDone: onClose,
    ask: ({ userIds = [] }) => {
      const moved = [...before.filter((id) => !userIds.includes(id)), ...userIds.filter((id) => !before.includes(id))].length;
      return { text: `${moved} 位区域经理看到的门店随之改变，他们的登录立即退出。`, ok: "保存" };
    },
  });
  return (
    <FormDrawer form={form} title={`区域经理：${area.name}`} submit="保存" onClose={onClose}>
      <Field
        of={form.field("userIds")}
        label="区域经理"
        optional
        help={
          <>
            只列出已有的区域经理账号；新的账号在<Link to="/bypass/bypass?panel=edit">子账号</Link>里新增，类型选「区域经理」
          </>
        }
      >
        {({ onChange, value, ...f }) => (
          <Select
            {...f}
            mode="multiple"
            className="pick"
            placeholder="请选择"
            showSearch={{ optionFilterProp: "label" }}
            options={people.map(({ id, login, name }) => ({ value: id, label: `${name}（${login}）` }))}
            value={value ?? []}
            onChange={(ids: string[]) => onChange(ids)}
          />
        )}
      </Field>
    </FormDrawer>
  );
}
