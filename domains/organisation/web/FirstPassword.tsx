import type { ReactNode } from "react";
import type { Instant } from "@zhangfang/contract/fields.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Copy } from "@zhangfang/web/show/Copy.tsx";
import { Group } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";

interface Told {
  readonly made: { readonly id: string; readonly login: string; readonly password: string | null; readonly expiresAt: Instant };
  /** What was made, as its users say it, and what it is called. */
  readonly what: string;
  readonly called: string;
  readonly onClose: () => void;
  readonly onOpen: (id: string) => void;
}

/** The first password of a new node's account stands here and nowhere else: closing it is the end of it. */
export function FirstPassword({ made, what, called, onClose, onOpen }: Told): ReactNode {
  const both = `登录名：${made.login}\n初始密码：${made.password ?? ""}`;
  return (
    <Drawer
      title={`${what} ${called} 已建好`}
      onClose={onClose}
      footer={
        <Button tone="primary" onClick={() => onOpen(made.id)}>
          查看{what}
        </Button>
      }
    >
      <p role="alert" className="form-failure">
        {made.password === null
          ? "初始密码已显示过一次，不再显示。如遗失请在账号管理重置。"
          : `初始密码只显示这一次，关闭后无法再查看，请现在交给${what}。`}
      </p>
      <Group
        title="主账号"
        pairs={[
          ["登录名", <Copy text={made.login}>{made.login}</Copy>],
          [
            "初始密码",
            made.password && (
              <Copy text={made.password}>
                <code className="num">{made.password}</code>
              </Copy>
            ),
          ],
          ["一起复制", made.password && <Copy text={both}>登录名和密码</Copy>],
          ["有效至", <Time at={made.expiresAt} />],
        ]}
      />
      <p className="note">首次登录时须换成自己的密码。</p>
    </Drawer>
  );
}
