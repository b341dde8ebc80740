import "./menus.css";
import { type ReactNode, useState } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { Radios, TextArea, TextInput } from "@zhangfang/web/form/inputs.tsx";
import type { FormField } from "@zhangfang/web/form/use-form.ts";
import { confirm, error, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { Group, Loaded, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import {
  buttonFault,
  getMenu,
  type MenuButton,
  menuDiff,
  menuKind,
  publishMenu,
  publishState,
  readMenu,
  saveMenu,
  SUB_NAME,
  TOP_NAME,
} from "../../contract/index.ts";
import { MenuPhone, type Place } from "./MenuPhone.tsx";

type Menu = OutputOf<typeof getMenu>;
const READS = [getMenu];
const LEAF = { name: "", kind: "view", url: "", reply: "", appId: "", pagePath: "" } as const;

/** 自定义菜单 of an account: the draft beside the phone, and what publishing would change. */
export function MenuDrawer({ appId, onClose }: { appId: string; onClose: () => void }): ReactNode {
  const menu = useDetail(getMenu, { appId });
  if (!menu.data)
    return (
      <Drawer title="自定义菜单" width={880} onClose={onClose}>
        <Loaded of={menu}>{() => null}</Loaded>
      </Drawer>
    );
  return <Editor key={menu.data.revision} appId={appId} of={menu.data} onClose={onClose} />;
}
function Editor({ appId, of, onClose }: { appId: string; of: Menu; onClose: () => void }): ReactNode {
  const first = of.draft as readonly MenuButton[];
  const [menu, setMenu] = useState(first);
  const [at, setAt] = useState<Place | undefined>(first.length > 0 ? { top: 0, sub: null } : undefined);
  const mayEdit = useAct(saveMenu);
  const dirty = JSON.stringify(menu) !== JSON.stringify(first);
  const gap = firstFault(menu);
  const add = (top: number | null): void => {
    if (top === null) {
      setMenu([...menu, { ...LEAF, name: "", children: [] }]);
      return setAt({ top: menu.length, sub: null });
    }
    const sub = menu[top]!.children.length;
    setMenu(menu.map((one, n) => (n === top ? { ...one, children: [...one.children, LEAF] } : one)));
    setAt({ top, sub });
  };
  const close = async (): Promise<void> => {
    if (!dirty || (await confirm("菜单还没保存，离开后改动会丢失。", { ok: "不保存", danger: true }))) onClose();
  };
  return (
    <Drawer
      title={`自定义菜单 · ${of.appName}`}
      width={880}
      onClose={() => void close()}
      footer={<Footer appId={appId} of={of} menu={menu} dirty={dirty} gap={gap?.message} />}
    >
      <p className="note">
        {of.updatedAt ? (
          <>
            草稿由 {of.byName} 存于 <Time at={of.updatedAt} />
          </>
        ) : (
          "还没有草稿；可以先读取线上的菜单接着改"
        )}
      </p>
      <div className="wxmenu-grid">
        <MenuPhone menu={menu} at={at} onChoose={setAt} onAdd={mayEdit ? add : () => undefined} />
        <div>
          {at && menu[at.top] ? (
            <ButtonFields key={`${at.top}:${at.sub}`} menu={menu} at={at} onChange={setMenu} onMove={setAt} />
          ) : (
            <p className="note">点「＋ 菜单」加第一个：最多 3 个菜单，每个下面最多 5 个子菜单。</p>
          )}
        </div>
      </div>
      <Changes of={of} menu={menu} />
    </Drawer>
  );
}
/** The first thing that is not right yet, with its place. */
function firstFault(menu: readonly MenuButton[]): { readonly message: string } | undefined {
  for (const { children, ...one } of menu) {
    const fault = buttonFault(one, "top", children.length);
    if (fault) return { message: `「${one.name || "没有名字的菜单"}」${fault.message}` };
    for (const child of children) {
      const wrong = buttonFault(child, "sub");
      if (wrong) return { message: `「${one.name} › ${child.name || "没有名字"}」${wrong.message}` };
    }
  }
  return undefined;
}

function ButtonFields({
  menu,
  at,
  onChange,
  onMove,
}: {
  menu: readonly MenuButton[];
  at: Place;
  onChange: (menu: readonly MenuButton[]) => void;
  onMove: (at: Place | undefined) => void;
}): ReactNode {
  const top = menu[at.top]!;
  const leaf = at.sub === null ? top : top.children[at.sub]!;
  const parent = at.sub === null && top.children.length > 0;
  const most = at.sub === null ? TOP_NAME : SUB_NAME;
  const fault = buttonFault(leaf, at.sub === null ? "top" : "sub", parent ? 1 : 0);
  const put = (next: Partial<MenuButton>): void =>
    onChange(
      menu.map((one, n) => {
        if (n !== at.top) return one;
        return at.sub === null
          ? { ...one, ...next }
          : { ...one, children: one.children.map((child, k) => (k === at.sub ? { ...child, ...next } : child)) };
      }),
    );
  function field<K extends keyof Omit<MenuButton, "children">>(name: K): FormField<MenuButton[K]> {
    const typed = leaf[name] !== "";
    return {
      name,
      value: leaf[name],
      error: typed && fault?.field === name ? fault.message : undefined,
      set: (value) => put({ [name]: value ?? "" }),
    };
  }
  return (
    <div className="wxmenu-fields">
      <Field of={field("name")} label={at.sub === null ? "菜单名字" : "子菜单名字"} help={`最多 ${most} 个汉字，两个字母算一个`}>
        {(f) => <TextInput {...f} maxLength={most * 2} />}
      </Field>
      {parent ? (
        <p className="note">有子菜单时，点它只展开，自己不做别的。</p>
      ) : (
        <>
          <Field of={field("kind")} label="点了做什么">
            {(f) => <Radios {...f} set={menuKind} />}
          </Field>
          <TargetFields kind={leaf.kind} field={field} />
        </>
      )}
      <Moves menu={menu} at={at} onChange={onChange} onMove={onMove} />
    </div>
  );
}
type FieldOf = <K extends keyof Omit<MenuButton, "children">>(name: K) => FormField<MenuButton[K]>;
/** Where a tap leads. */
function TargetFields({ kind, field }: { kind: MenuButton["kind"]; field: FieldOf }): ReactNode {
  return (
    <>
      {kind === "view" && (
        <Field of={field("url")} label="网址">
          {(f) => <TextInput {...f} maxLength={1_000} placeholder="https://" />}
        </Field>
      )}
      {kind === "click" && (
        <Field of={field("reply")} label="回复的文字">
          {(f) => <TextArea {...f} maxLength={600} rows={4} />}
        </Field>
      )}
      {kind === "miniprogram" && (
        <>
          <Field of={field("appId")} label="小程序 AppID" help="要先在公众平台关联">
            {(f) => <TextInput {...f} maxLength={18} placeholder="wx 开头的 18 位" />}
          </Field>
          <Field of={field("pagePath")} label="小程序页面">
            {(f) => <TextInput {...f} maxLength={200} placeholder="pages/index" />}
          </Field>
          <Field of={field("url")} label="备用网址" help="旧版微信打不开小程序时打开它">
            {(f) => <TextInput {...f} maxLength={1_000} placeholder="https://" />}
          </Field>
        </>
      )}
    </>
  );
}
/** Swaps with a neighbour, or goes. */
function Moves({ menu, at, onChange, onMove }: Parameters<typeof ButtonFields>[0]): ReactNode {
  const list: readonly unknown[] = at.sub === null ? menu : menu[at.top]!.children;
  const n = at.sub ?? at.top;
  const put = (next: readonly unknown[]): void =>
    onChange(
      at.sub === null
        ? (next as MenuButton[])
        : menu.map((one, k) => (k === at.top ? { ...one, children: next as MenuButton["children"] } : one)),
    );
  const swap = (by: number): void => {
    const next = [...list];
    [next[n], next[n + by]] = [next[n + by], next[n]];
    put(next);
    onMove(at.sub === null ? { top: n + by, sub: null } : { top: at.top, sub: n + by });
  };
  const remove = (): void => {
    put(list.filter((_one, k) => k !== n));
    onMove(at.sub === null ? undefined : { top: at.top, sub: null });
  };
  return (
    <div className="wxmenu-moves">
      <Button small disabled={n === 0} onClick={() => swap(-1)}>
        往前
      </Button>
      <Button small disabled={n >= list.length - 1} onClick={() => swap(1)}>
        往后
      </Button>
      <Button small onClick={remove}>
        去掉
      </Button>
    </div>
  );
}

const MARKS = { same: " ", gone: "－", new: "＋" } as const;
const SAID = { same: "不变", gone: "去掉", new: "新的" } as const;
/** What followers see now, and what publishing the draft would change. */
function Changes({
  of: { live, liveAt, publishState: state, publishWhy, publishedAt, publishedBy },
  menu,
}: {
  of: Menu;
  menu: readonly MenuButton[];
}): ReactNode {
  const lines = live === null ? [] : menuDiff(live as readonly MenuButton[], menu);
  return (
    <Group
      title="发布后的变化"
      pairs={[
        ["上次发布", publishedAt ? <StatusTag key="s" of={publishState} code={state} /> : "没有发布过"],
        ["发布人", publishedAt && publishedBy],
        ["线上菜单读于", liveAt && <Time at={liveAt} />],
      ]}
    >
      {publishWhy !== "" && <p className="notice">{publishWhy}</p>}
      {live === null ? (
        <p className="note">还没读过线上的菜单，点「读取线上」看现在是什么样。</p>
      ) : lines.length === 0 ? (
        <p className="note">线上没有菜单，草稿也是空的。</p>
      ) : (
        <ul className="wxmenu-diff">
          {lines.map(({ mark, line }) => (
            <li key={`${mark}${line}`} data-mark={mark}>
              <span role="img" aria-label={SAID[mark]}>
                {MARKS[mark]}
              </span>
              {line}
            </li>
          ))}
        </ul>
      )}
    </Group>
  );
}

function Footer({
  appId,
  of,
  menu,
  dirty,
  gap,
}: {
  appId: string;
  of: Menu;
  menu: readonly MenuButton[];
  dirty: boolean;
  gap: string | undefined;
}): ReactNode {
  const [busy, run] = useRun(READS);
  const save = async (): Promise<number> =>
    dirty ? (await call(saveMenu, { appId, revision: of.revision, buttons: menu as never })).revision : of.revision;
  const keep = (): Promise<void> =>
    run(async () => {
      await save();
      success("草稿已保存");
    });
  const publish = async (): Promise<void> => {
    const what = menu.length === 0 ? "去掉线上的菜单" : `把 ${menu.length} 个菜单发布到微信`;
    if (!(await confirm(`${what}？顾客几分钟后看到，重新关注的马上看到；线上原来的菜单会被整个替换。`, { ok: "发布" }))) return;
    await run(async () => {
      const { state, why } = await call(publishMenu, { appId, revision: await save(), liveAt: of.liveAt });
      if (state === "done") success("已发布");
      else error(why);
    });
  };
  return (
    <>
      <span className="hint">{gap ?? (dirty ? "有改动没保存" : "")}</span>
      <Act of={readMenu}>
        <Button
          busy={busy}
          onClick={() =>
            void run(async () => {
              await call(readMenu, { appId });
              success("已读取线上菜单");
            })
          }
        >
          读取线上
        </Button>
      </Act>
      <Act of={saveMenu}>
        <Button busy={busy} disabled={!dirty} onClick={() => void keep()}>
          存草稿
        </Button>
      </Act>
      <Act of={publishMenu}>
        <Button tone="primary" busy={busy} disabled={gap !== undefined || (of.revision === 0 && !dirty)} onClick={() => void publish()}>
          发布
        </Button>
      </Act>
    </>
  );
}
