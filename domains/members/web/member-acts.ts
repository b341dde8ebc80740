import type { ComponentType } from "react";
import type { Endpoint } from "@zhangfang/contract/endpoint.ts";

/** What another room does to one member, offered on the member's page. */
export interface MemberAct {
  /** 改余额, 积分调整. */
  readonly title: string;
  /** Who may call it sees the button. */
  readonly of: Endpoint;
  /** For whole members alone: a 准会员 holds no balance. */
  readonly whole?: boolean;
  readonly Drawer: ComponentType<{ readonly memberNo: string; readonly onClose: () => void }>;
}
const acts: MemberAct[] = [];

/**
 * Puts a button on the page of a member. A domain's web door calls it.
 * @example registerMemberAct({ title: "积分调整", of: adjustPoints, Drawer: lazy(async () => …) });
 */
export function registerMemberAct(act: MemberAct): void {
  acts.push(act);
}
/** What another room does to several members, offered over the list beside those who are ticked. */
export interface MembersAct {
  readonly title: string;
  /** Who may call it sees the button. */
  readonly of: Endpoint;
  readonly Drawer: ComponentType<{ readonly memberNos: readonly string[]; readonly onClose: () => void }>;
}
const several: MembersAct[] = [];
/**
 * Puts a button over the list of members. A domain's web door calls it.
 * @example registerMembersAct({ title: "发券包", of: createPackageSend, Drawer: lazy(async () => …) });
 */
export function registerMembersAct(act: MembersAct): void {
  several.push(act);
}
export const membersActs = (): readonly MembersAct[] => several;
/** In the order in which they were registered. */
export const memberActs = (): readonly MemberAct[] => acts;
