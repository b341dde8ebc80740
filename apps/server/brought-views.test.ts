import { expect, test } from "vitest";
import type { BroughtView, Endpoint } from "@zhangfang/contract/endpoint.ts";
import { shanghaiDay, daysOfRange } from "@zhangfang/contract/time.ts";
import { campaignViews, couponViews, listCampaigns, listCoupons } from "@zhangfang/domains/coupons/contract/index.ts";
import { deviceViews, getDevices } from "@zhangfang/domains/devices/contract/index.ts";
import { exportViews, listExports } from "@zhangfang/domains/exports/contract.ts";
import { listMembers, memberViews } from "@zhangfang/domains/members/contract/index.ts";
import {
  listPayOrders,
  listRefundRequests,
  listRefunds,
  payOrderViews,
  refundViews,
  requestViews,
} from "@zhangfang/domains/orders/contract/index.ts";
import { listMerchantRows, merchantViews } from "@zhangfang/domains/organisation/contract/index.ts";
import { listShares, shareViews } from "@zhangfang/domains/profit-sharing/contract/index.ts";
import { listRecharges, rechargeViews } from "@zhangfang/domains/stored-value/contract/index.ts";
import { listStoreRows, storeViews } from "@zhangfang/domains/stores/contract/index.ts";

/** The busiest lists, each with what the product brings. */
const LISTS: readonly (readonly [Endpoint, readonly BroughtView[]])[] = [
  [listPayOrders, payOrderViews],
  [listRefunds, refundViews],
  [listRefundRequests, requestViews],
  [listStoreRows, storeViews],
  [listMerchantRows, merchantViews],
  [getDevices, deviceViews],
  [listMembers, memberViews],
  [listCampaigns, campaignViews],
  [listCoupons, couponViews],
  [listShares, shareViews],
  [listExports, exportViews],
  [listRecharges, rechargeViews],
];
const today = shanghaiDay(Date.now());

test.each(LISTS.map(([list, views]) => [list.title, list, views] as const))(
  "%s: three views or more, each a filter that the list takes as it is",
  (_title, list, views) => {
    expect(views.length).toBeGreaterThanOrEqual(3);
    expect(new Set(views.map(({ name }) => name)).size).toBe(views.length);
    for (const { id, name, filters, days, sort } of views) {
      // Saved views are called by uuids.
      expect(id).toMatch(/^[a-z]+$/);
      expect(name.length).toBeLessThanOrEqual(20);
      const [from, to] = days === null ? [] : daysOfRange(days, today);
      const asked = { ...filters, ...(days !== null && { from, to }), ...(sort !== null && { sort }) };
      const taken = list.input.parse({ ...asked, pageSize: "10", withTotal: "true" }) as Record<string, unknown>;
      // A name that the contract does not know would fall away without a word, and the view be the whole list.
      expect(Object.keys(taken)).toEqual(expect.arrayContaining(Object.keys(asked)));
    }
  },
);
