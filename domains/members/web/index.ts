import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { screen } from "@zhangfang/web/screen.ts";
import { registerActs } from "@zhangfang/web/slots.ts";
import { memberSource, memberStage, memberStatus, addMember } from "../contract/index.ts";

export { Audience, audienceKey, whom } from "./audience/Audience.tsx";
export { registerMemberAct } from "./member-acts.ts";
export { MemberLink, memberColumn, memberWords } from "./MemberLink.tsx";
export const screens = {
  "wei-xin-member": screen(() => import("./MemberList.tsx"), "MemberList"),
  "member-details": screen(() => import("./MemberScreen.tsx"), "MemberScreen"),
};

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
