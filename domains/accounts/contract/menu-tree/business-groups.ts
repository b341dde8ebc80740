import type { Entry } from "./entry.ts";

/** 团队管理 */
export const businessGroups = {
  top: {
    title: "团队管理",
    path: "businessGroup",
    icon: "team",
    screens: [
      ["business-group", "业务集团", "/businessGroup/businessGroup", "A SP"],
      ["business-team", "业务团队", "/businessGroup/businessTeam", "A SP GP"],
    ],
  },
  buttons: [
    ["/businessGroup/businessGroup/loginAs", "代管登录", "A SP"],
    ["/businessGroup/businessGroup/add", "新建业务集团", "SP"],
    ["/businessGroup/businessGroup/edit", "修改业务集团", "A SP"],
    ["/businessGroup/businessGroup/ratio", "分润比例", "A SP"],
    ["/businessGroup/businessGroup/state", "启用停用", "A SP"],
    ["/businessGroup/businessGroup/export", "导出", "A SP"],
    ["/businessGroup/businessTeam/loginAs", "代管登录", "A SP GP"],
    ["/businessGroup/businessTeam/add", "新建业务团队", "SP GP"],
    ["/businessGroup/businessTeam/edit", "修改业务团队", "A SP GP"],
    ["/businessGroup/businessTeam/move", "转移集团", "A SP"],
    ["/businessGroup/businessTeam/ratio", "分润比例", "A SP"],
    ["/businessGroup/businessTeam/state", "启用停用", "A SP GP"],
    ["/businessGroup/businessTeam/export", "导出", "A SP GP"],
  ],
  built: ["business-group", "business-team"],
} as const satisfies Entry;
