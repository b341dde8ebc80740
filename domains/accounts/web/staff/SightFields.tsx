import { Select } from "@zhangfang/web/select/Select.tsx";
import { type ReactNode, useId } from "react";
import { Link } from "react-router";
import { Field, type InputProps } from "@zhangfang/web/form/Field.tsx";
import type { FormField } from "@zhangfang/web/form/use-form.ts";

/** Somebody with a position of the merchant, of an area, or of stores. */
export type Kind = "staff" | "area" | "employee";
const KINDS: readonly (readonly [Kind, string])[] = [
  ["staff", "商户人员"],
  ["employee", "门店员工"],
  ["area", "区域经理"],
];
interface Choice {
  readonly id: string;
  readonly name: string;
}
interface Choices {
  readonly positions: readonly Choice[];
  readonly stores: readonly Choice[];
  readonly areas: readonly Choice[];
}

/** Whose kind of account a merchant opens. */
export function KindRadios({ kind, onChange, withAreas }: { kind: Kind; onChange: (kind: Kind) => void; withAreas: boolean }): ReactNode {
  const name = useId();
  return (
    <fieldset className="field kinds">
      <legend>类型</legend>
      <div className="radios">
        {KINDS.filter(([one]) => one !== "area" || withAreas).map(([one, title]) => (
          <label key={one}>
            <input type="radio" name={name} checked={kind === one} onChange={() => onChange(one)} />
            {title}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** The position of a sub-account, and the stores or areas that it sees. */
export function SightFields({
  kind,
  choices,
  withStores,
  position,
  stores,
  areas,
}: {
  kind: Kind;
  choices: Choices;
  withStores: boolean;
  position: FormField<string | undefined>;
  stores: FormField<string[] | undefined>;
  areas: FormField<string[] | undefined>;
}): ReactNode {
  return (
    <>
      <Field
        of={position}
        label="岗位"
        optional={kind !== "staff"}
        help={
          choices.positions.length === 0 ? (
            <>
              还没有岗位，请先到<Link to="/jurisdiction/permission?panel=position:new">权限管理</Link>新增
            </>
          ) : kind === "staff" ? (
            "岗位决定能用哪些功能"
          ) : (
            "不选则按门店人员的默认功能，选择后只保留岗位内的功能"
          )
        }
      >
        {(f) => <Picks {...f} value={f.value === undefined ? [] : [f.value]} of={choices.positions} onChange={([id]) => f.onChange(id)} />}
      </Field>
      {withStores && kind !== "area" && (
        <Field
          of={stores}
          label="门店"
          optional={kind === "staff"}
          help={kind === "staff" ? "不选则为全部门店，含以后新增的" : "只能看到所选门店"}
        >
          {(f) => <Picks {...f} value={f.value ?? []} of={choices.stores} several onChange={f.onChange} />}
        </Field>
      )}
      {kind === "area" && (
        <Field of={areas} label="区域" help="可看到区域内的全部门店">
          {(f) => <Picks {...f} value={f.value ?? []} of={choices.areas} several onChange={f.onChange} />}
        </Field>
      )}
    </>
  );
}

function Picks({
  of,
  value,
  onChange,
  several = false,
  ...rest
}: Omit<InputProps<unknown>, "value" | "onChange"> & {
  of: readonly Choice[];
  value: readonly string[];
  onChange: (ids: string[]) => void;
  several?: boolean;
}): ReactNode {
  return (
    <Select
      {...rest}
      className="pick"
      allowClear
      placeholder="请选择"
      showSearch={{ optionFilterProp: "label" }}
      mode={several ? "multiple" : undefined}
      maxTagCount="responsive"
      options={of.map(({ id, name }) => ({ value: id, label: name }))}
      value={several ? [...value] : ((value[0] ?? null) as never)}
      onChange={(chosen: string | string[] | null | undefined) => onChange(chosen === null || chosen === undefined ? [] : [chosen].flat())}
    />
  );
}
