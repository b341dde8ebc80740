import { z } from "zod";
import { read } from "@zhangfang/contract/endpoint.ts";
import { cents, dateRange, day, id, instant, line, listInput, listOutput, oneOf, scopeFilter } from "@zhangfang/contract/fields.ts";
import { valueCause } from "../../value-book/contract.ts";
import { memberShown } from "../../members/contract/index.ts";
import { moveReport } from "./codes.ts";

const { serviceProviderId, merchantId, storeId } = scopeFilter;
export const moveFilters = {
  serviceProviderId,
  merchantId,
  /** Where it happened. */
  storeId,
  /** Who sold it. */
  soldStoreId: id.optional(),
  report: oneOf(moveReport).default("consumption"),
  keyword: line(40).optional(),
  ...dateRange,
};
const move = z.object({
  id: z.string(),
  at: instant,
  cause: oneOf(valueCause),
  ...memberShown,
  storeName: z.string(),
  soldStoreName: z.string(),
  orderNo: z.string().nullable(),
  principalCents: cents,
  giftCents: cents,
  /** What the member holds after it, of both; null for a store, which does not see all that moved. */
  afterCents: cents.nullable(),
  giftAfterCents: cents.nullable(),
});
const access = "/dataCentre/cardConsumption";
/** 储值消费: every change of what is owed, by lot; consumption is below zero in it and shown as spent. */
export const listMoves = read({
  path: "/api/stored-value/moves",
  title: "储值消费",
  bearsDelay: true,
  access,
  input: listInput(moveFilters, ["-at"]),
  output: listOutput(move),
});
export const summariseMoves = read({
  path: "/api/stored-value/moves/summary",
  title: "储值消费合计",
  bearsDelay: true,
  access,
  input: z.object(moveFilters),
  output: z.object({ count: z.int(), principalCents: cents, giftCents: cents }),
});
/** 门店消费汇总: what each store spent of what each sold; A owes B the principal, B bears the gift. */
export const summariseConsumption = read({
  path: "/api/stored-value/consumption",
  title: "门店消费汇总",
  bearsDelay: true,
  access,
  input: z.object({ serviceProviderId, merchantId, storeId, soldStoreId: id.optional(), ...dateRange }),
  output: z.object({
    rows: z.array(
      z.object({
        id: z.string(),
        storeId: z.string(),
        storeName: z.string(),
        soldStoreId: z.string(),
        soldStoreName: z.string(),
        principalCents: cents,
        giftCents: cents,
        count: z.int(),
      }),
    ),
    principalCents: cents,
    giftCents: cents,
  }),
});

const summary = "/dataCentre/cardSummary";
const scope = { serviceProviderId, merchantId, storeId };
/** 储值汇总: what is owed at the end of a day, by the store that sold it and by age; it is the book's figure. */
export const getLiability = read({
  path: "/api/stored-value/liability",
  title: "储值负债",
  access: summary,
  bearsDelay: true,
  input: z.object({ ...scope, on: day.optional() }),
  output: z.object({
    on: day,
    principalCents: cents,
    giftCents: cents,
    stores: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        principalCents: cents,
        giftCents: cents,
        halfYearCents: cents,
        yearCents: cents,
        olderCents: cents,
      }),
    ),
    byAge: z.array(cents),
    /** From the first of the month to the day: opening, what came and went, closing. */
    flow: z.object({
      openingCents: cents,
      soldCents: cents,
      importedCents: cents,
      earnedCents: cents,
      refundedCents: cents,
      adjustedCents: cents,
      closingCents: cents,
    }),
    /** What a deposit would be at 20, 30 and 40 % of what was owed at the end of the last quarter. */
    quarterEnd: day,
    quarterCents: cents,
    deposits: z.array(z.object({ percent: z.int(), cents })),
  }),
});
/** 跨店对账: what one store owes another for a month. Nets to zero. */
export const getStatements = read({
  path: "/api/stored-value/statements",
  title: "跨店对账",
  access: summary,
  bearsDelay: true,
  input: z.object({
    ...scope,
    month: z
      .string()
      .regex(/^20\d{2}-(0[1-9]|1[0-2])$/, "月份格式应为 YYYY-MM")
      .optional(),
  }),
  output: z.object({
    month: z.string(),
    pairs: z.array(
      z.object({
        id: z.string(),
        owesId: z.string(),
        owes: z.string(),
        owedId: z.string(),
        owed: z.string(),
        principalCents: cents,
        giftCents: cents,
      }),
    ),
    nets: z.array(z.object({ id: z.string(), name: z.string(), owesCents: cents, owedCents: cents, netCents: cents })),
  }),
});
