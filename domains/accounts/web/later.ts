// What exports are called and what the command bar begins: nobody needs it before the first rows stand (apps/web/src/later.ts).
import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { registerActs } from "@zhangfang/web/slots.ts";
import { addAccount } from "../contract/index.ts";

registerExportedList("audit-log", {
  path: "/jurisdiction/audit",
  filters: { title: ["操作"], targetId: ["对象编号"], acting: ["代管操作"] },
});
// One call makes both, so each is offered only with its own screen.
registerActs([
  {
    title: "新增账号",
    words: ["添加账号", "新建账号"],
    of: { ...addAccount, access: ["/account/account"] },
    to: "/account/account?panel=add",
  },
  {
    title: "新增子账号",
    words: ["添加子账号", "新建子账号", "添加员工"],
    of: { ...addAccount, access: ["/bypass/bypass"] },
    to: "/bypass/bypass?panel=edit",
  },
]);
