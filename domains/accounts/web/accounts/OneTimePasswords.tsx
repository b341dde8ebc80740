import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { copyText } from "@zhangfang/web/copy.ts";
import { confirm } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Copy } from "@zhangfang/web/show/Copy.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import type { resetPassword } from "../../contract/index.ts";

export type OneTime = OutputOf<typeof resetPassword>;

/** Passwords that were just made. They stand here and nowhere else, neither in the address nor in the browser's storage. */
export function OneTimePasswords({ made, onClose }: { made: readonly OneTime[]; onClose: () => void }): ReactNode {
  const close = (): void =>
    void confirm(`关闭后不能再次查看这 ${made.length} 个一次性密码，遗失须重新重置。`, { ok: "已记下，关闭" }).then(
      (yes) => yes && onClose(),
    );
  const copyAll = (): void =>
    void copyText(made.map(({ login, password }) => `${login}\t${password}`).join("\n"), `已复制 ${made.length} 个账号的密码`);
  return (
    <Drawer
      title="一次性密码"
      onClose={close}
      footer={
        <>
          <Button onClick={copyAll}>复制全部</Button>
          <Button tone="primary" onClick={close}>
            已记下，关闭
          </Button>
        </>
      }
    >
      <p className="account-note">请交给本人。首次登录时须设置新密码，24 小时后失效；此处只显示一次。</p>
      <table className="account-passwords">
        <thead>
          <tr>
            <th scope="col">登录名</th>
            <th scope="col">一次性密码</th>
            <th scope="col">失效时间</th>
          </tr>
        </thead>
        <tbody>
          {made.map(({ id, login, password, expiresAt }) => (
            <tr key={id}>
              <td>{login}</td>
              <td>
                <Copy text={password} />
              </td>
              <td>
                <Time at={expiresAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Drawer>
  );
}
