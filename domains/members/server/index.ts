import { domain } from "@zhangfang/server/calls/domain.ts";
import { memberFinder } from "./list/find-members.ts";
import { getMemberAccountRoute, getMemberRoute, getMemberThingsRoute, getMemberTimelineRoute } from "./list/get-member.ts";
import { listMembersRoute, memberExport, summariseMembersRoute } from "./list/read-members.ts";
import { sendSms } from "./sms/send-sms.ts";
import { customers } from "./tickets.ts";
import { getPayCodeDoorRoute, setPayCodeDoorRoute } from "./till/pay-code.ts";
import { identifyMemberRoute, joinMemberRoute, sendMemberCodeRoute } from "./till/at-till.ts";
import { countOrder, countOrderJob } from "./totals/count-orders.ts";
import { closeMemberRoute, closeMembers, keepMemberRoute } from "./write/close-member.ts";
import { decideOpeningsRoute, listOpeningsRoute, sendPointsRoute } from "./write/give-value.ts";
import { setMemberIdCardRoute } from "./write/id-card.ts";
import { memberImport } from "./write/import-members.ts";
import { decideMergeRoute, mergeMembersRoute, sendMergeCodeRoute } from "./write/merge-members.ts";
import {
  addMemberRoute,
  freezeMemberRoute,
  resetMemberPinRoute,
  revealMemberRoute,
  setMemberRemarkRoute,
  updateMemberRoute,
} from "./write/write-members.ts";
import { memberTodos } from "./todos.ts";

// For the customer's own page (domains/customer): each for one member, who is named by their session.
export { changePhone } from "./page/change-phone.ts";
export { checkSaid, filledFields, saidFields } from "./page/fill-form.ts";
export { joinAtPage, whoHasPhone } from "./page/join-page.ts";
export { readOwn } from "./page/own-page.ts";
export { AGAIN_S, sendCode, spendSmsCode } from "./sms/sms-codes.ts";
export type { SmsPurpose } from "../contract/index.ts";
export { askClosing, withdrawClosing } from "./write/close-member.ts";
export { changeMember, setFrozen } from "./write/write-members.ts";
export { registerIdCard } from "./write/id-card.ts";
export { audienceOf } from "./list/audience.ts";
export { linesOfSheet, membersOfSheet, mustDiffer, shownLine } from "./list/of-sheet.ts";
export { memberSought, nameBefore, withMembers } from "./list/named.ts";
export { findOrMake, memberOfOpenId, type NewMember, openIdHash } from "./make-member.ts";
export { ladderOf, type LevelStep, type MemberFacts, type MemberRef, mustBeWho } from "./member-facts.ts";
export { personOf, phoneHash, widePhoneHash } from "./seal.ts";
export { checkPin, setPin } from "./pin.ts";
export { giveSms, hasSms, smsOf, type SmsProvider } from "./sms/sms-provider.ts";
export { asksPin } from "./spent-today.ts";
export { MEMBER_CODE_MS, memberCodeOf, spendMemberCode } from "./till/member-code.ts";
export { tryCode } from "./till/code-tries.ts";
export { tellMember } from "./till/at-till.ts";
export { countedMembers } from "./list/count-members.ts";
export { countMembers } from "./totals/count-orders.ts";

export const members = domain({
  routes: [
    listMembersRoute,
    summariseMembersRoute,
    listOpeningsRoute,
    getMemberRoute,
    getMemberAccountRoute,
    getMemberThingsRoute,
    getMemberTimelineRoute,
    addMemberRoute,
    updateMemberRoute,
    resetMemberPinRoute,
    setMemberIdCardRoute,
    setMemberRemarkRoute,
    revealMemberRoute,
    freezeMemberRoute,
    closeMemberRoute,
    keepMemberRoute,
    mergeMembersRoute,
    decideMergeRoute,
    sendMergeCodeRoute,
    sendPointsRoute,
    decideOpeningsRoute,
    getPayCodeDoorRoute,
    setPayCodeDoorRoute,
    identifyMemberRoute,
    joinMemberRoute,
    sendMemberCodeRoute,
  ],
  jobs: [sendSms, countOrderJob, closeMembers],
  exports: [memberExport],
  imports: [memberImport],
  finders: [memberFinder],
  followers: { 会员: countOrder },
  customers,
  todos: memberTodos,
});
