import { domain } from "@zhangfang/server/calls/domain.ts";
import { endDays, followRefunds } from "./end-days.ts";
import { cardExport, productExport, termExport, useExport } from "./export-vip.ts";
import { followOrder, hearMoney } from "./hear-money.ts";
import { followDays, followLevelJob, followMembersJob } from "./levels/follow-level.ts";
import { bringLevel } from "./levels/bring-level.ts";
import { levelIs, levelMultiple, levelNamesOf, levelSteps, memberPrices } from "./levels/member-level.ts";
import { ladderOf } from "./levels/read-rules.ts";
import { getRightsRoute, getVipRulesRoute, setRightsRoute, setVipLevelsRoute } from "./levels/set-levels.ts";
import { backOnItsWay, mergeMember } from "./merge-member.ts";
import { giveBirthdays, giveMonthly } from "./rights/give-birthdays.ts";
import { getTermRoute, listTermsRoute, summariseTermsRoute } from "./terms/read-terms.ts";
import { previewTermRefundRoute, refundTermRoute } from "./terms/refund-term.ts";
import { getTillOffersRoute, getVipOffersRoute, sellTermAtTillRoute, sellTermRoute } from "./terms/sell-term.ts";
import { lookAtTimesCardsRoute, useTimesCardAtDeskRoute } from "./times/at-desk.ts";
import { getTimesCardRoute, listTimesCardsRoute, summariseTimesCardsRoute, usableCards } from "./times/read-cards.ts";
import { listTimesUsesRoute, summariseTimesUsesRoute } from "./times/read-uses.ts";
import { extendTimesCardRoute, previewTimesRefundRoute, refundTimesCardRoute } from "./times/refund-card.ts";
import { sellTimesCardAtTillRoute, sellTimesCardRoute } from "./times/sell-card.ts";
import { reverseTimesUseAtTillRoute, reverseTimesUseRoute, useTimesCardRoute } from "./times/use-card.ts";
import {
  addTimesProductRoute,
  getTimesOffersRoute,
  getTimesProductRoute,
  listTimesProductsRoute,
  setTimesProductStateRoute,
  summariseTimesProductsRoute,
  updateTimesProductRoute,
} from "./times/write-products.ts";
import { vipTodos } from "./todos.ts";
import { verifyVip } from "./verify-vip.ts";

export { birthdayIn } from "./levels/level-rules.ts";
export { levelMultiple, levelNamesOf } from "./levels/member-level.ts";
export { timesEntries, timesUsedRows, timesUsesSince } from "./times/read-uses.ts";
export { verifyVip } from "./verify-vip.ts";

export const vip = domain({
  routes: [
    getVipRulesRoute,
    setVipLevelsRoute,
    getRightsRoute,
    setRightsRoute,
    listTermsRoute,
    summariseTermsRoute,
    getTermRoute,
    getVipOffersRoute,
    sellTermRoute,
    previewTermRefundRoute,
    refundTermRoute,
    listTimesProductsRoute,
    summariseTimesProductsRoute,
    getTimesProductRoute,
    addTimesProductRoute,
    updateTimesProductRoute,
    setTimesProductStateRoute,
    listTimesCardsRoute,
    summariseTimesCardsRoute,
    getTimesCardRoute,
    getTimesOffersRoute,
    sellTimesCardRoute,
    extendTimesCardRoute,
    previewTimesRefundRoute,
    refundTimesCardRoute,
    listTimesUsesRoute,
    summariseTimesUsesRoute,
    reverseTimesUseRoute,
    lookAtTimesCardsRoute,
    useTimesCardAtDeskRoute,
    getTillOffersRoute,
    sellTermAtTillRoute,
    sellTimesCardAtTillRoute,
    useTimesCardRoute,
    reverseTimesUseAtTillRoute,
  ],
  todos: vipTodos,
  jobs: [followLevelJob, followMembersJob, followDays, endDays, followRefunds, giveBirthdays, giveMonthly],
  exports: [termExport, cardExport, useExport, productExport],
  contributors: [memberPrices],
  hearers: { vip: hearMoney },
  followers: { vip: followOrder },
  memberFacts: {
    levels: levelNamesOf,
    levelIs,
    levelSteps,
    ladder: async (tx, service_provider_id, merchant_id) =>
      (await ladderOf(tx, { service_provider_id, merchant_id })).levels.map(({ rank, name, basis }) => ({
        rank,
        name,
        paid: basis === "paid",
      })),
    levelBrought: bringLevel,
    timesCards: usableCards,
    against: backOnItsWay,
    merged: mergeMember,
    claimed: (tx, services, { service_provider_id, merchant_id, id }) =>
      services.jobs.enqueue(tx, followLevelJob, { service_provider_id, merchant_id, member_id: id }),
  },
  levelMultiple: (tx, _services, holder, where) => levelMultiple(tx, { ...holder, ...where }, holder.member_id),
  verify: { name: "vip", run: verifyVip },
});
