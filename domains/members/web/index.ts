import { screen } from "@zhangfang/web/screen.ts";

export { Audience } from "./audience/Audience.tsx";
export { audienceKey, whom } from "./audience/audience-words.ts";
export { registerMemberAct, registerMembersAct } from "./member-acts.ts";
export { MemberLink, memberColumn, memberWords } from "./MemberLink.tsx";
export const screens = {
  "wei-xin-member": screen(() => import("./MemberList.tsx"), "MemberList"),
  "member-details": screen(() => import("./MemberScreen.tsx"), "MemberScreen"),
};
