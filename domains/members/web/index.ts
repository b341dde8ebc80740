import { screen } from "@zhangfang/web/screen.ts";

export { Audience, audienceKey, whom } from "./audience/Audience.tsx";
export { registerMemberAct } from "./member-acts.ts";
export { MemberLink, memberColumn, memberWords } from "./MemberLink.tsx";
export const screens = {
  "wei-xin-member": screen(() => import("./MemberList.tsx"), "MemberList"),
  "member-details": screen(() => import("./MemberScreen.tsx"), "MemberScreen"),
};
