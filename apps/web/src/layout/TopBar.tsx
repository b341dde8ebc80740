import { type ReactNode, Suspense, useState } from "react";
import { Link } from "react-router";
import { SecurityDrawer } from "@zhangfang/domains/accounts/web/index.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Icon } from "@zhangfang/web/show/icons.tsx";
import { Popover } from "@zhangfang/web/show/over/Popover.tsx";
import { slots } from "@zhangfang/web/slots.ts";
import { chooseTheme, themeChoice, useThemeShown } from "@zhangfang/web/look/theme-choice.ts";
import { leave } from "../session/leave.ts";
import type { Loaded } from "../session/load-session.ts";

/** Where one is, the search, the jobs, and who one is. */
export function TopBar({
  session,
  trail,
  onMenu,
  menuOpen,
  onSearch,
  onKeys,
  narrow,
}: {
  session: Loaded;
  trail: readonly string[];
  onMenu: () => void;
  menuOpen: boolean;
  onSearch: () => void;
  onKeys: () => void;
  narrow: boolean;
}): ReactNode {
  const [securing, setSecuring] = useState(false);
  return (
    <header className="top">
      <button
        type="button"
        className="icon-button"
        aria-label={menuOpen ? "收起菜单" : "展开菜单"}
        aria-expanded={menuOpen}
        onClick={onMenu}
      >
        <Icon name={narrow ? "menu" : "sidebar"} />
      </button>
      <nav aria-label="当前位置" className="trail">
        <ol>
          {trail.map((title, index) => (
            <li key={index} aria-current={index === trail.length - 1 ? "page" : undefined}>
              {title}
            </li>
          ))}
        </ol>
      </nav>
      <button type="button" className="search-pill" aria-keyshortcuts="Control+K" onClick={onSearch}>
        <Icon name="search" size={14} />
        <span>搜索</span>
        <kbd aria-hidden="true">Ctrl K</kbd>
      </button>
      {slots.trays.map((Tray, at) => (
        <Tray key={at} />
      ))}
      <a
        className="feedback"
        href={session.brand.feedbackUrl ?? `mailto:feedback@${location.hostname}`}
        target="_blank"
        rel="noopener noreferrer"
      >
        意见反馈
      </a>
      <span className="entity" title={session.user.entityName}>
        {session.user.entityName}
      </span>
      <UserMenu session={session} onSecurity={() => setSecuring(true)} onKeys={onKeys} />
      {securing && (
        <Suspense fallback={null}>
          <SecurityDrawer onClose={() => setSecuring(false)} />
        </Suspense>
      )}
    </header>
  );
}

const THEMES = [
  ["light", "浅色"],
  ["dark", "深色"],
  ["system", "跟随系统"],
] as const;

function UserMenu({ session, onSecurity, onKeys }: { session: Loaded; onSecurity: () => void; onKeys: () => void }): ReactNode {
  useThemeShown();
  const { name, login } = session.user;
  return (
    <Popover
      label={<span className="avatar">{[...(name || login)][0]}</span>}
      name={`${name || login}，账号菜单`}
      tone="quiet"
      className="user-menu"
    >
      {(close) => (
        <>
          <div className="user-who">
            <strong>{name}</strong>
            <span className="note">{login}</span>
          </div>
          {!session.acting && (
            <Button
              tone="quiet"
              onClick={() => {
                close();
                onSecurity();
              }}
            >
              <Icon name="lock" /> 安全设置
            </Button>
          )}
          <Link className="btn btn-quiet" to={session.firstPage} onClick={close}>
            <Icon name="home" /> 首页
          </Link>
          {!session.acting && (
            <Link
              className="btn btn-quiet"
              to={session.firstPage}
              onClick={() => {
                close();
                void import("@zhangfang/domains/todos/web/index.ts").then(({ keepFirstSteps }) => keepFirstSteps("shown"));
              }}
            >
              <Icon name="check" /> 入门清单
            </Link>
          )}
          <Button
            tone="quiet"
            onClick={() => {
              close();
              onKeys();
            }}
          >
            <Icon name="keyboard" /> 快捷键
          </Button>
          <div className="densities" role="group" aria-label="外观">
            {THEMES.map(([value, label]) => (
              <button key={value} type="button" aria-pressed={themeChoice() === value} onClick={() => chooseTheme(value)}>
                {label}
              </button>
            ))}
          </div>
          <Button tone="quiet" onClick={() => void leave()}>
            <Icon name="logout" /> 退出登录
          </Button>
        </>
      )}
    </Popover>
  );
}
