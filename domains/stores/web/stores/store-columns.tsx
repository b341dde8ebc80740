import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { type Column, columns } from "@zhangfang/web/list/table/columns.tsx";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { nodeState } from "../../../organisation/contract/index.ts";
import { PayCodeButton } from "../../../pay-codes/web/index.ts";
import { type listStoreRows, updateStore } from "../../contract/index.ts";

type Store = RowOf<typeof listStoreRows>;
const names = (some: readonly { readonly name: string }[]): string => some.map(({ name }) => name).join("、");

/** The columns of a store; their keys are those of the export. */
export function storeColumns({
  open,
  edit,
  own,
}: {
  open: (id: string) => void;
  edit: (id: string) => void;
  /** Whose stores are all of one merchant need no column for it. */
  own: boolean;
}): Column<Store>[] {
  const c = columns<Store>();
  const asked = { hidden: true };
  return [
    c.link("number", "门店编号", (row) => open(row.id), { width: 128 }),
    c.link("shortName", "门店", (row) => open(row.id), { width: 150, copy: false, note: (row) => row.name }),
    c.text("name", "门店名称", asked),
    c.text("merchantName", "商户", own ? asked : { width: 120 }),
    c.text("serviceProviderName", "服务商", asked),
    c.text("city", "城市", asked),
    c.text("province", "省份", asked),
    c.text("district", "区县", asked),
    c.text("address", "地址", { width: 144, note: (row) => row.city }),
    c.text("groups", "分组", (row) => names(row.groups), own ? { width: 84 } : asked),
    c.text("areas", "区域", (row) => names(row.areas), own ? { width: 84 } : asked),
    c.text("phone", "电话", { ...asked, width: 124 }),
    c.text("hours", "营业时间", (row) => firstHours(row.hours)[0], { width: 116, note: (row) => firstHours(row.hours)[1] }),
    c.number("deviceCount", "设备", { width: 64 }),
    c.money("todayCents", "今日净收（元）", { width: 124 }),
    c.number("todayCount", "今日笔数", asked),
    c.code("state", "状态", nodeState, { width: 80 }),
    c.time("createdAt", "创建时间", { ...asked, sort: "createdAt", width: 168 }),
    c.actions(
      (row) => (
        <>
          <PayCodeButton storeId={row.id} />
          <Act of={updateStore}>
            <Button tone="link" onClick={() => edit(row.id)}>
              修改
            </Button>
          </Act>
        </>
      ),
      { width: 124 },
    ),
  ];
}

/** The first days of a week with the same hours, and these: a row has room for no more; the drawer tells all. */
function firstHours(words: string | null): readonly [days: string | null, hours: string | null] {
  const [first = "", ...others] = (words ?? "").split("，");
  const at = first.indexOf(" ");
  return at < 0 ? [words, null] : [first.slice(0, at) + (others.length > 0 ? " 等" : ""), first.slice(at + 1)];
}
