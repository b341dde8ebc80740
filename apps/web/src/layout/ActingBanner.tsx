import type { ReactNode } from "react";
import type { User } from "@zhangfang/web/api/user.ts";
import { leaveActing } from "../session/leave.ts";

/** A thin red line over everything while somebody acts for this account. */
export function ActingBanner({ user }: { user: User }): ReactNode {
  return (
    <div className="acting" role="status">
      <span>
        你正以「{user.name}」的身份操作，真实操作人 {user.actor}
        {user.readOnly && "，只能查看"}
      </span>
      <button type="button" className="link" onClick={() => void leaveActing()}>
        退出代管
      </button>
    </div>
  );
}
