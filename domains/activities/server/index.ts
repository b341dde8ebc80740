import { domain } from "@zhangfang/server/calls/domain.ts";
import { grantBirthdays } from "./events/birthdays.ts";
import { hearFollowed } from "./events/follow.ts";
import { grantNewMember, hearJoined, lookAfterNewMembers } from "./events/new-member.ts";
import {
  grantPaidOrder,
  hearClaimed,
  hearPaid,
  lookAfterPaidGifts,
  lookAfterPaidOrders,
  sayPaidGifts,
  takeBackPaidGifts,
} from "./events/paid.ts";
import { bindFriend, settleInvitations } from "./events/recommend.ts";
import { tracePaidGifts } from "./events/trace-paid.ts";
import { getActivityCodesRoute } from "./events/scan.ts";
import { decideGrantRoute } from "./grants/decide-grant.ts";
import { giveAgainRoute } from "./grants/give-again.ts";
import { giveGrant, lookAfterGrants } from "./grants/give-grant.ts";
import { forgetMarks } from "./grants/marks.ts";
import { activityExport, grantExport, listGrantsRoute } from "./grants/read-grants.ts";
import { addActivityPlacesRoute, decideActivityRoute, endActivities, steerActivityRoute } from "./manage/decide-activities.ts";
import { getActivityRoute, listActivitiesRoute, summariseActivitiesRoute } from "./manage/read-activities.ts";
import { addActivityRoute, priceActivityRoute, updateActivityRoute, withdrawActivityRoute } from "./manage/write-activities.ts";
import { activityTodos } from "./todos.ts";

// For the customer's own page (domains/customer): each for one member, who is named by their session.
export { openScan } from "./events/scan.ts";
export { openInvitation } from "./events/recommend.ts";
export { ownActivities } from "./own-activities.ts";
export { verifyActivities } from "./verify-activities.ts";

export const activities = domain({
  routes: [
    listActivitiesRoute,
    summariseActivitiesRoute,
    getActivityRoute,
    getActivityCodesRoute,
    priceActivityRoute,
    addActivityRoute,
    updateActivityRoute,
    withdrawActivityRoute,
    decideActivityRoute,
    steerActivityRoute,
    addActivityPlacesRoute,
    listGrantsRoute,
    decideGrantRoute,
    giveAgainRoute,
  ],
  jobs: [
    bindFriend,
    settleInvitations,
    grantBirthdays,
    grantNewMember,
    lookAfterNewMembers,
    grantPaidOrder,
    lookAfterPaidOrders,
    takeBackPaidGifts,
    lookAfterPaidGifts,
    giveGrant,
    lookAfterGrants,
    endActivities,
    forgetMarks,
  ],
  hearers: { 支付有礼: hearPaid },
  giftsBack: sayPaidGifts,
  trace: tracePaidGifts,
  exports: [activityExport, grantExport],
  memberFacts: { joined: hearJoined, claimed: hearClaimed },
  fanFacts: { followed: hearFollowed },
  todos: activityTodos,
});
