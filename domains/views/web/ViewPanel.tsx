import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { BroughtView } from "@zhangfang/contract/endpoint.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { today } from "@zhangfang/web/filter/day-shortcuts.ts";
import { useDefaultView } from "@zhangfang/web/list/views/use-view.ts";
import { filtersOf } from "@zhangfang/web/list/views/view.ts";
import type { Viewed } from "@zhangfang/web/list/views/viewed.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Tag } from "@zhangfang/web/show/StatusTag.tsx";
import { listViews, type SavedView } from "../contract/index.ts";
import { SaveView } from "./SaveView.tsx";
import { OverwriteView, ViewActs } from "./ViewActs.tsx";
import "./views.css";

/** How many views are counted when the panel opens: each costs the server one question. */
const COUNTED = 8;

/** The views of a list: opens one, keeps what is shown as one, and what is done with those that are there. */
export function ViewPanel({ of, close }: { of: Viewed; close: () => void }): ReactNode {
  const { list } = of;
  const found = useQuery({ queryKey: [listViews.path, "panel"], queryFn: ({ signal }) => call(listViews, {}, { signal, quiet: true }) });
  const views = found.data?.items.filter((view) => view.path === list.path && view.list === list.endpoint.path);
  const shown = [...list.views, ...(views ?? [])].find(({ id }) => id === list.address.savedId);
  const [doing, setDoing] = useState<string>();
  const [chosen, choose] = useDefaultView(list);
  const acts = { of, taken: namesTaken(list.views, views ?? []), mailOn: found.data?.mailOn ?? false };
  if (doing === "new") return <SaveView of={of} taken={acts.taken} onDone={close} />;
  return (
    <>
      {shown && of.changed && <Changed of={of} view={shown} onNew={() => setDoing("new")} close={close} />}
      {found.error && (
        <p className="note" role="alert">
          视图暂时无法读取。
          <Button tone="link" onClick={() => void found.refetch()}>
            重试
          </Button>
        </p>
      )}
      {views && chosen && ![...list.views, ...views].some(({ id }) => id === chosen.id) && (
        <p className="note">
          打开时默认的视图已删除，或不再共享给你。
          <Button tone="link" onClick={() => choose(undefined)}>
            取消默认
          </Button>
        </p>
      )}
      {views?.length === 0 && list.views.length === 0 && <p className="note">还没有视图。把常用的筛选、排序和列保存下来，下次一步打开。</p>}
      <ul className="saved-list" aria-label={`${of.title}的视图`}>
        {list.address.savedId !== undefined && <Without of={of} close={close} />}
        {views?.map((view, at) => (
          <li key={view.id}>
            <div className="saved-line">
              <button
                type="button"
                className="saved-name"
                aria-current={view === shown ? "true" : undefined}
                onClick={() => (list.showView(view), close())}
              >
                {view.name}
              </button>
              {at < COUNTED && <Count of={of} view={view} />}
              {view.shared && <Tag tone="active">共享</Tag>}
              {chosen?.id === view.id && <Tag tone="good">默认</Tag>}
              <Button
                tone="link"
                aria-expanded={doing === view.id}
                aria-label={`管理视图 ${view.name}`}
                onClick={() => setDoing(doing === view.id ? undefined : view.id)}
              >
                管理
              </Button>
            </div>
            {doing === view.id && <ViewActs {...acts} view={view} onDone={() => setDoing(undefined)} />}
          </li>
        ))}
      </ul>
      {list.views.length > 0 && <Brought of={of} close={close} />}
      <Button tone="link" onClick={() => setDoing("new")}>
        把当前列表存为视图
      </Button>
    </>
  );
}

/** Back to what the screen begins with. */
const Without = ({ of: { list }, close }: { of: Viewed; close: () => void }): ReactNode => (
  <li>
    <button type="button" className="saved-name" onClick={() => (list.showView(undefined), close())}>
      不用视图
    </button>
  </li>
);
/** What a new view may not be called: as another of one's own, or as one that the product brings. */
const namesTaken = (brought: readonly BroughtView[], views: readonly SavedView[]): string[] => [
  ...brought.map(({ name }) => name),
  ...views.filter(({ mine }) => mine).map(({ name }) => name),
];

/** The views that the product brings: opened and begun with like any other, changed by nobody. */
function Brought({ of, close }: { of: Viewed; close: () => void }): ReactNode {
  const { list } = of;
  const [chosen, choose] = useDefaultView(list);
  return (
    <>
      <p className="note">系统视图</p>
      <ul className="saved-list" aria-label={`${of.title}的系统视图`}>
        {list.views.map(({ name, ...view }) => {
          const isDefault = chosen?.id === view.id;
          return (
            <li key={view.id} className="saved-line">
              <button
                type="button"
                className="saved-name"
                aria-current={list.address.savedId === view.id ? "true" : undefined}
                onClick={() => (list.showView(view), close())}
              >
                {name}
              </button>
              <Count of={of} view={view} />
              {isDefault && <Tag tone="good">默认</Tag>}
              <Button
                tone="link"
                aria-label={`${isDefault ? "取消默认" : "设为默认"} ${name}`}
                onClick={() => choose(isDefault ? undefined : view)}
              >
                {isDefault ? "取消默认" : "设为默认"}
              </Button>
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** How many rows a view has now; beyond ten thousand nobody counts. */
function Count({ of, view }: { of: Viewed; view: Pick<SavedView, "filters" | "days"> }): ReactNode {
  const { endpoint } = of.list;
  const filters = filtersOf(view, today());
  const { data } = useQuery({
    queryKey: [endpoint.path, "count-of-view", filters],
    queryFn: async ({ signal }) => {
      const page = (await call(endpoint, { ...filters, pageSize: 10, withTotal: true } as never, { signal, quiet: true })) as {
        readonly total?: { readonly count: number; readonly more: boolean };
      };
      return page.total ?? null;
    },
    retry: false,
  });
  if (!data) return null;
  return (
    <span className="num note">
      {data.count.toLocaleString("en-US")}
      {data.more && "+"}
    </span>
  );
}

/** What was changed since the view was opened may be kept in it, or as another one. */
function Changed({
  of,
  view,
  onNew,
  close,
}: {
  of: Viewed;
  view: SavedView | BroughtView;
  onNew: () => void;
  close: () => void;
}): ReactNode {
  return (
    <div className="saved-changed">
      <p>「{view.name}」已修改</p>
      {"changeable" in view && view.changeable && <OverwriteView of={of} view={view} />}
      <Button small onClick={onNew}>
        另存为
      </Button>
      <Button small tone="link" onClick={() => (of.list.showView(view), close())}>
        恢复
      </Button>
    </div>
  );
}
