import { type ReactNode, useState } from "react";
import type { ItemPath } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { call } from "@zhangfang/web/api/api.ts";
import { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { confirm } from "@zhangfang/web/notify.ts";
import { actAs } from "@zhangfang/web/api/session.ts";
import { Button, type ButtonTone } from "@zhangfang/web/show/Button.tsx";
import { manualLogin } from "../../../accounts/contract/index.ts";
import { levelWords } from "@zhangfang/web/level-names.ts";

/** 代管登录 into the root account of a merchant, or of another node whose button is named; both names stand in every line that is written down from then on. */
export function LogInAs({
  merchant,
  of = "/merchants/merchants/loginAs",
  what = "商户",
  tone = "plain",
}: {
  merchant: { readonly shortName: string; readonly loginUserId: string | null };
  of?: ItemPath;
  what?: string;
  tone?: ButtonTone;
}): ReactNode {
  const [busy, setBusy] = useState(false);
  const { loginUserId } = merchant;
  if (loginUserId === null) return null;
  const go = async (): Promise<void> => {
    const text = levelWords`以「${merchant.shortName}」的身份登录 30 分钟。期间的操作会同时记在你和${what}名下，密码、密钥和提现不可操作。`;
    if (!(await confirm(text, { ok: "代管登录" }))) return;
    setBusy(true);
    try {
      actAs(await call(manualLogin, { userId: loginUserId }));
      location.hash = "#/";
    } catch (failure) {
      setBusy(false);
      // A refused call has already said why.
      if (!(failure instanceof ApiError)) throw failure;
    }
  };
  return (
    <Act of={[of]}>
      <Button tone={tone} busy={busy} onClick={() => void go()}>
        代管登录
      </Button>
    </Act>
  );
}
