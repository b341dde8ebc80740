// What exports are called and what the command bar begins: nobody needs it before the first rows stand (apps/web/src/later.ts).
import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { registerActs } from "@zhangfang/web/slots.ts";
import { memberSource, memberStage, memberStatus, addMember } from "../contract/index.ts";

registerExportedList("members", {
  path: "/member/member",
  filters: {
    status: ["状态", memberStatus],
    stage: ["类型", memberStage],
    source: ["来源", memberSource],
    level: ["等级（级别）"],
    tag: ["标签"],
    remark: ["备注"],
    birthMonth: ["生日月份"],
    awayDays: ["多少天没来"],
    pointsMin: ["积分从"],
    pointsMax: ["积分到"],
    visitsMin: ["到店次数从"],
    visitsMax: ["到店次数到"],
  },
});
registerActs([{ title: "新增会员", words: ["添加会员", "新建会员", "开卡"], of: addMember, to: "/member/member?panel=add" }]);
