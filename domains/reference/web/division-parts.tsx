import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import type { List } from "@zhangfang/web/list/use-list.ts";
import { confirm, success, undoable } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { countDivisionUses, divisionLevel, isEnabled, type listDivisions, updateDivision } from "../contract.ts";

export type Division = RowOf<typeof listDivisions>;

/** The columns of a list of divisions; `below` says what lies in them. */
export function divisionColumns(list: List<typeof listDivisions>, edit: (code: string) => void, below: string | undefined) {
  const c = columns<Division>();
  return [
    c.text("code", "区划代码", (row) => <span className="num">{row.code}</span>, { width: 120 }),
    c.text("name", "名称"),
    c.text("shortName", "简称"),
    ...(below === "个市" ? [] : [c.text("parentName", "所属", { width: 160 }), c.code("level", "级别", divisionLevel)]),
    ...(below ? [c.number("below", below === "个市" ? "下辖市" : "下辖区县", { width: 100 })] : []),
    c.code("enabled", "状态", isEnabled, (row) => (row.enabled ? "true" : "false"), {
      note: (row) => row.enabled && row.hidden && "上级已停用，不可选",
    }),
    c.actions((row) => (
      <>
        <Button tone="link" onClick={() => edit(row.code)}>
          改简称
        </Button>
        <Button tone="link" onClick={() => void turn(row, list.refresh)}>
          {row.enabled ? "停用" : "启用"}
        </Button>
      </>
    )),
  ];
}

/** Closes a division after saying what that means, or opens it; both can be taken back. */
async function turn(row: Division, refresh: () => void): Promise<void> {
  const change = async (enabled: boolean): Promise<void> => {
    await call(updateDivision, { code: row.code, enabled });
    refresh();
  };
  if (!row.enabled) {
    await change(true);
    success(`已启用「${row.name}」`);
    return;
  }
  const { merchants, stores } = await call(countDivisionUses, { code: row.code });
  const inside = row.below > 0 ? `和其下 ${row.below} 个${row.level === 1 ? "市" : "区县"}` : "";
  const used = merchants + stores > 0 ? `已有的 ${merchants} 家商户、${stores} 家门店的地址不变。` : "目前没有商户和门店的地址在其中。";
  if (!(await confirm(`停用「${row.name}」后，填写地址时不能再选它${inside}。${used}`, { ok: `停用「${row.name}」` }))) return;
  await change(false);
  undoable(`已停用「${row.name}」`, () => void change(true));
}
