import { getOwnProfit, getWithdrawal, getWithdrawalTerms, listWithdrawals, summariseWithdrawals } from "../../contract/index.ts";

/** What shows withdrawals and balances, to be asked again after one moved. */
export const withdrawalReads = [listWithdrawals, summariseWithdrawals, getWithdrawal, getWithdrawalTerms, getOwnProfit];
