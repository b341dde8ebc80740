import { type ReactNode, Suspense } from "react";
import type { Endpoint } from "@zhangfang/contract/endpoint.ts";
import { today } from "../../filter/day-shortcuts.ts";
import { Icon } from "../../show/icons.tsx";
import { Popover } from "../../show/over/Popover.tsx";
import { slots } from "../../slots.ts";
import type { List } from "../list.ts";
import { isChanged } from "./view.ts";
import type { Viewed } from "./viewed.ts";

/** 视图 beside the title of a list: the one that is shown, and behind it all of them. What hangs from it comes when it is asked for. */
export function ViewButton<E extends Endpoint>({
  list,
  changedColumns,
  ...told
}: Omit<Viewed, "list" | "changed"> & { readonly list: List<E>; readonly changedColumns: boolean }): ReactNode {
  const Panel = slots.views?.Panel;
  if (!Panel) return null;
  const changed = told.view !== undefined && (changedColumns || isChanged(told.view, list.filters, list.address.sort, today()));
  return (
    <Popover
      small
      tone="quiet"
      align="start"
      className="views"
      label={
        <>
          {told.view?.name ?? "视图"}
          {changed && <span className="note">已修改</span>}
          <Icon name="down" size={12} />
        </>
      }
      name={told.view ? `视图：${told.view.name}${changed ? "，已修改" : ""}` : "视图"}
    >
      {(close) => (
        <Suspense fallback={<p className="note">正在读取…</p>}>
          <Panel of={{ ...told, list: list as unknown as Viewed["list"], changed }} close={close} />
        </Suspense>
      )}
    </Popover>
  );
}
