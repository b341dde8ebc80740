import { read, write } from "@zhangfang/contract/endpoint.ts";
import {
  cents,
  dateRange,
  done,
  flag,
  id,
  instant,
  line,
  listInput,
  listOutput,
  oneOf,
  positiveCents,
  scopeFilter,
} from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { z } from "zod";
import { appSecret } from "../../organisation/contract/index.ts";
import { payoutMethod, receiver, withdrawalStatus } from "./codes.ts";

/** One withdrawal: what was asked for, by whom, to where (masked), and how it went. */
export const withdrawalRow = z.object({
  id,
  withdrawalNo: z.string(),
  receiver: oneOf(receiver),
  receiverId: id,
  receiverName: z.string(),
  serviceProviderName: z.string(),
  /** What was asked for, the fee included. */
  askedCents: cents,
  feeCents: cents,
  /** What arrives. */
  netCents: cents,
  method: oneOf(payoutMethod),
  bankName: z.string().nullable(),
  numberMask: z.string(),
  holderMask: z.string(),
  status: oneOf(withdrawalStatus),
  needsApproval: z.boolean(),
  appliedByName: z.string(),
  decidedByName: z.string().nullable(),
  decidedAt: instant.nullable(),
  decisionNote: z.string().nullable(),
  channelNo: z.string().nullable(),
  /** The channel's own word. */
  channelState: z.string().nullable(),
  failure: z.string().nullable(),
  evidence: z.string().nullable(),
  recordedByName: z.string().nullable(),
  createdAt: instant,
  finishedAt: instant.nullable(),
  /** What the caller may do with it now. */
  decidable: z.boolean(),
  cancellable: z.boolean(),
  recordable: z.boolean(),
  /** It waits for its payee in WeChat and may be taken back. */
  retractable: z.boolean(),
});
export const withdrawalFilter = {
  serviceProviderId: scopeFilter.serviceProviderId,
  agentId: scopeFilter.agentId,
  businessTeamId: scopeFilter.businessTeamId,
  ...dateRange,
  status: oneOf(withdrawalStatus).optional(),
  method: oneOf(payoutMethod).optional(),
  receiver: oneOf(receiver).optional(),
  /** A withdrawal number, whole, or a part of the receiver's name. */
  keyword: line(64).optional(),
};
export const listWithdrawals = read({
  path: "/api/commissions/withdrawals",
  title: "提现记录",
  access: "/dataCentre/withdrawal",
  input: listInput(withdrawalFilter, ["-createdAt", "createdAt"]),
  output: listOutput(withdrawalRow),
});
/** Sums over the whole filter; the counts by status leave the status out. */
export const summariseWithdrawals = read({
  path: "/api/commissions/withdrawals/summary",
  title: "提现合计",
  access: "/dataCentre/withdrawal",
  input: z.object(withdrawalFilter),
  output: z.object({
    askedCents: cents,
    arrivedCents: cents,
    feeCents: cents,
    perStatus: z.array(z.object({ status: oneOf(withdrawalStatus), count: z.int() })),
  }),
});
/** The view of 代付统计 that shows payouts; a link to it and its export keep it. */
export const payoutView = labelled({ payouts: "商户代付" });
export const payoutFilter = { ...withdrawalFilter, view: oneOf(payoutView).optional() };
/** Payouts that were or are paid out, for the screen of payments made for others (代付统计). */
export const listPayouts = read({
  path: "/api/commissions/payouts",
  title: "商户代付与提现打款",
  access: "/dataCentre/daifu",
  input: listInput(payoutFilter, ["-createdAt", "createdAt"]),
  output: listOutput(withdrawalRow),
});
/** Sums over the whole filter of them. */
export const summarisePayouts = read({
  path: "/api/commissions/payouts/summary",
  title: "商户代付与提现打款合计",
  access: "/dataCentre/daifu",
  input: z.object(payoutFilter),
  output: summariseWithdrawals.output,
});
export const getWithdrawal = read({
  path: "/api/commissions/withdrawals/:id",
  title: "提现详情",
  access: "/dataCentre/withdrawal",
  input: z.object({ id }),
  output: withdrawalRow.extend({
    /** While the payee has to confirm in WeChat: the page for it, and until when. */
    confirm: z.object({ url: z.string(), until: instant }).nullable(),
    cancelAskedAt: instant.nullable(),
    cancelAskedByName: z.string().nullable(),
    /** What the channel was asked and answered, for those who pay. */
    calls: z.array(
      z.object({
        id,
        operation: z.string(),
        outcome: z.string().nullable(),
        code: z.string().nullable(),
        message: z.string().nullable(),
        startedAt: instant,
      }),
    ),
  }),
});

const password = z.string().min(1, "请输入登录密码").max(128);
/** Moves money or says where it goes: nobody does it in another's name. */
const act = { closedToActing: true, rate: "money" } as const;
const APPLY = "/dataCentre/withdrawal/apply";

export const payoutAccount = z.object({
  id,
  method: oneOf(payoutMethod),
  bankName: z.string().nullable(),
  numberMask: z.string(),
  holderMask: z.string(),
  addedByName: z.string(),
  createdAt: instant,
  /** A new one waits for a day. */
  usableAt: instant,
  usable: z.boolean(),
});
/** What the caller may withdraw now, by which terms, and to where. */
export const getWithdrawalTerms = read({
  path: "/api/commissions/withdrawal-terms",
  title: "提现条件",
  access: APPLY,
  input: z.object({}),
  output: z.object({
    withdrawableCents: cents,
    minCents: cents,
    feeFixedCents: cents,
    feeRate: z.int(),
    freezeDays: z.int(),
    unapprovedUpToCents: cents,
    /** Why nothing can be asked for at this moment. */
    closed: z.string().nullable(),
    /** The provider pays to WeChat; otherwise to bank cards only. */
    paysWechat: z.boolean(),
    accounts: z.array(payoutAccount),
  }),
});
/** Asks for money: sets it aside in the same transaction. Up to the provider's limit it is paid without anybody's approval. */
export const applyWithdrawal = write({
  path: "/api/commissions/withdrawals",
  title: "申请提现",
  access: APPLY,
  outside: true,
  idempotent: "requestId",
  ...act,
  input: z.object({ requestId: id, accountId: id, amountCents: positiveCents, password }),
  output: z.object({ id, withdrawalNo: z.string(), status: oneOf(withdrawalStatus), feeCents: cents, netCents: cents }),
});
const moved = z.object({ id, status: oneOf(withdrawalStatus) });
export const cancelWithdrawal = write({
  path: "/api/commissions/withdrawals/cancel",
  title: "取消提现",
  access: APPLY,
  ...act,
  input: z.object({ id }),
  output: moved,
});
/** Once, and never by whoever applied. */
export const decideWithdrawal = write({
  path: "/api/commissions/withdrawals/decide",
  title: "审核提现",
  access: "/dataCentre/withdrawal/decide",
  idempotent: "requestId",
  ...act,
  input: z
    .object({ requestId: id, id, decision: z.enum(["approve", "reject"]), note: line(80).optional() })
    .refine((given) => given.decision === "approve" || (given.note ?? "") !== "", { path: ["note"], message: "请填写驳回原因" }),
  output: moved,
});
/** How a transfer to a bank card went, which the provider makes at its own bank: by the bank's number, or why it did not go. */
export const recordWithdrawal = write({
  path: "/api/commissions/withdrawals/record",
  title: "登记打款结果",
  access: "/dataCentre/withdrawal/record",
  ...act,
  input: z.object({
    id,
    result: z.enum(["paid", "failed", "returned"]),
    /** The bank's number of the transfer, or the reason. */
    evidence: line(80, 2, "请填写银行流水号或原因"),
  }),
  output: moved,
});
/** Whether it moves once more is the channel's to say: asks it now. */
export const syncWithdrawal = write({
  path: "/api/commissions/withdrawals/sync",
  title: "查询打款结果",
  access: "/dataCentre/withdrawal/record",
  rate: "money",
  input: z.object({ id }),
  output: done,
});

/** Takes a transfer back that its payee has not confirmed; the amount is the receiver's again once the channel says so. */
export const retractWithdrawal = write({
  path: "/api/commissions/withdrawals/retract",
  title: "撤销转账",
  access: "/dataCentre/withdrawal/record",
  ...act,
  input: z.object({ id }),
  output: done,
});

export const addPayoutAccount = write({
  path: "/api/commissions/payout-accounts/add",
  title: "新增收款账户",
  access: APPLY,
  outside: true,
  ...act,
  input: z
    .object({
      method: oneOf(payoutMethod),
      /** A card number, or an openid of the provider's app. */
      number: z.string().trim().max(64),
      holder: line(32, 2, "请填写收款人姓名"),
      bankName: line(40, 2, "请填写开户银行").optional(),
      password,
    })
    .refine((given) => given.method !== "bank" || /^\d{12,19}$/.test(given.number), {
      path: ["number"],
      message: "银行卡号为 12 到 19 位数字",
    })
    .refine((given) => given.method !== "wechat" || /^[\w-]{20,64}$/.test(given.number), {
      path: ["number"],
      message: "请填写正确的微信 OpenID",
    })
    .refine((given) => given.method !== "bank" || given.bankName !== undefined, { path: ["bankName"], message: "请填写开户银行" }),
  output: z.object({ id, usableAt: instant }),
});
export const removePayoutAccount = write({
  path: "/api/commissions/payout-accounts/remove",
  title: "删除收款账户",
  access: APPLY,
  ...act,
  input: z.object({ id }),
  output: done,
});

const terms = {
  minCents: positiveCents,
  feeFixedCents: cents.refine((given) => given >= 0, "不能小于 0"),
  feeRate: z.int().min(0).max(100_000),
  freezeDays: z.int().min(0).max(90),
  unapprovedUpToCents: cents.refine((given) => given >= 0, "不能小于 0"),
  /** 1 Monday to 7 Sunday. */
  weekdays: z.array(z.int().min(1).max(7)).min(1, "至少选择一天").max(7),
  fromHour: z.int().min(0).max(23),
  toHour: z.int().min(1).max(24),
};
/** A provider's terms, and which of its channel's keys are there; the keys themselves are never read back. */
export const getPayoutSettings = read({
  path: "/api/commissions/payout-settings",
  title: "提现设置",
  access: "/dataCentre/withdrawal/settings",
  input: z.object({}),
  output: z.object({
    version: z.int(),
    ...terms,
    channel: z
      .object({
        appId: z.string(),
        mchId: z.string(),
        sceneId: z.string(),
        certSerialTail: z.string(),
        privateKeyTail: z.string(),
        platformKeyTail: z.string().nullable(),
        platformCertTail: z.string().nullable(),
        secretsAt: instant,
        /** The key that opens notifications is there; without it the channel is asked every few minutes. */
        hearsNews: z.boolean(),
        /** The secret of the official account is there: payees can confirm on the product's page. */
        opensPage: z.boolean(),
      })
      .nullable(),
    setByName: z.string().nullable(),
    updatedAt: instant.nullable(),
  }),
});
const pem = (what: string) => z.string().trim().max(8000).startsWith("-----BEGIN", `${what}须为 PEM，以 -----BEGIN 开头`);
export const setPayoutSettings = write({
  path: "/api/commissions/payout-settings/set",
  title: "修改提现设置",
  access: "/dataCentre/withdrawal/settings",
  outside: true,
  ...act,
  input: z
    .object({
      version: z.int(),
      ...terms,
      /** Left out, the channel's account stays as it is. */
      setChannel: flag.optional(),
      appId: line(32).optional(),
      mchId: z
        .string()
        .trim()
        .regex(/^\d{6,16}$/, "商户号为 6 到 16 位数字")
        .optional(),
      sceneId: line(36).optional(),
      certSerial: z
        .string()
        .trim()
        .regex(/^[0-9A-Fa-f]{16,64}$/, "证书序列号为 16 到 64 位十六进制字符")
        .optional(),
      privateKeyPem: pem("商户私钥").optional(),
      /** 微信支付公钥, a platform certificate, or both while one takes the place of the other. */
      platformKeyId: z
        .string()
        .trim()
        .regex(/^PUB_KEY_ID_\w{1,60}$/, "须为 PUB_KEY_ID_ 开头的公钥 ID")
        .optional(),
      platformKeyPem: pem("微信支付公钥").optional(),
      platformCertSerial: z
        .string()
        .trim()
        .regex(/^[0-9A-Fa-f]{40}$/, "平台证书序列号为 40 位十六进制字符")
        .optional(),
      platformCertPem: pem("平台证书").optional(),
      apiV3Key: z
        .string()
        .regex(/^[\x21-\x7E]{32}$/, "APIv3 密钥须为 32 位字符")
        .optional(),
      appSecret: appSecret.optional(),
      password,
    })
    .refine((given) => given.fromHour < given.toHour, { path: ["toHour"], message: "须晚于开始时间" }),
  output: z.object({ version: z.int() }),
});
