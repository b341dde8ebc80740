import type { ReactNode } from "react";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { call } from "@zhangfang/web/api/api.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { actAs } from "@zhangfang/web/api/session.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { More } from "@zhangfang/web/show/over/Popover.tsx";
import { endUserSessions, manualLogin, resetPasswords, setGrant, setUserState, unlockUser } from "../../contract/index.ts";
import type { OneTime } from "./OneTimePasswords.tsx";

/** What an act upon an account has to know of it. */
export interface Account {
  readonly id: string;
  readonly login: string;
  readonly firstName: string;
  readonly level: string;
  readonly root: boolean;
  readonly ownerName: string | null;
  readonly state: string;
  readonly sessions: number;
  readonly lockedUntil: string | null;
}
export interface ActsOf {
  /** Shows passwords that were made. */
  readonly made: (made: readonly OneTime[]) => void;
  readonly grant?: (id: string) => void;
  readonly edit?: (id: string) => void;
  readonly refresh: () => void;
}
const called = ({ login, ownerName }: Account): string => `「${login}」${ownerName ? `（${ownerName}）` : ""}`;
const signedOut = ({ sessions }: Account): string => (sessions > 0 ? `${sessions} 处登录立即退出` : "当前没有登录");

/** Resets passwords after asking. @returns whether it was done */
export async function resetMany(ids: readonly string[], whom: string, made: ActsOf["made"]): Promise<boolean> {
  const text = `重置 ${whom} 的密码？重置后：原密码作废，所有登录立即退出，须用一次性密码在 24 小时内登录并设置新密码。`;
  if (!(await confirm(text, { ok: "重置密码", danger: true }))) return false;
  made(await call(resetPasswords, { ids: [...ids] }));
  return true;
}
async function toggle(row: Account, refresh: () => void): Promise<void> {
  const disabling = row.state === "active";
  const text = `停用账号${called(row)}？停用后：${signedOut(row)}，该账号不能再登录。`;
  if (disabling && !(await confirm(text, { ok: "停用", danger: true }))) return;
  await call(setUserState, { id: row.id, state: disabling ? "disabled" : "active" });
  success(disabling ? "已停用" : "已启用");
  refresh();
}
async function end(row: Account, refresh: () => void): Promise<void> {
  if (!(await confirm(`强制退出账号${called(row)}？退出后：${signedOut(row)}，可重新登录。`, { ok: "强制退出", danger: true }))) return;
  const { ended } = await call(endUserSessions, { id: row.id });
  success(`已退出 ${ended} 处登录`);
  refresh();
}
async function unlock(row: Account, refresh: () => void): Promise<void> {
  await call(unlockUser, { id: row.id });
  success("已解锁，可立即登录");
  refresh();
}
async function logInAs(row: Account): Promise<void> {
  const text = `以账号${called(row)}的身份登录？期间每次操作都记录你的账号，30 分钟后自动结束。`;
  if (!(await confirm(text, { ok: "代管登录" }))) return;
  actAs(await call(manualLogin, { userId: row.id }));
  location.hash = "#/";
}

/** What may be done with an account, in its row and under its details. */
export function RowActs({ row, made, grant, edit, refresh }: { row: Account } & ActsOf): ReactNode {
  return (
    <>
      {edit ? (
        <Button tone="link" onClick={() => edit(row.id)}>
          编辑
        </Button>
      ) : (
        <Toggle row={row} refresh={refresh} />
      )}
      <More>
        {edit && <Toggle row={row} refresh={refresh} quiet />}
        <Act of={resetPasswords}>
          <Button tone="quiet" onClick={() => void resetMany([row.id], called(row), made).then((done) => done && refresh())}>
            重置密码
          </Button>
        </Act>
        {row.lockedUntil && (
          <Act of={unlockUser}>
            <Button tone="quiet" onClick={() => void unlock(row, refresh)}>
              解锁
            </Button>
          </Act>
        )}
        {row.sessions > 0 && (
          <Act of={endUserSessions}>
            <Button tone="quiet" onClick={() => void end(row, refresh)}>
              强制退出
            </Button>
          </Act>
        )}
        {grant && row.root && (
          <Act of={setGrant}>
            <Button tone="quiet" onClick={() => grant(row.id)}>
              功能范围
            </Button>
          </Act>
        )}
        {row.state === "active" && (!edit || row.level === "AE") && (
          <Act of={[edit ? "/bypass/bypass/loginAs" : "/account/account/loginAs"]}>
            <Button tone="quiet" onClick={() => void logInAs(row)}>
              代管登录
            </Button>
          </Act>
        )}
      </More>
    </>
  );
}

function Toggle({ row, refresh, quiet = false }: { row: Account; refresh: () => void; quiet?: boolean }): ReactNode {
  return (
    <Act of={setUserState}>
      <Button tone={quiet ? "quiet" : "link"} onClick={() => void toggle(row, refresh)}>
        {row.state === "active" ? "停用" : "启用"}
      </Button>
    </Act>
  );
}
