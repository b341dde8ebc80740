import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";

export interface Merchant {
  readonly mchId: string;
  readonly appId: string | null;
  readonly certSerial: string;
  readonly publicKeyPem: string;
  readonly apiV3Key: string;
  /** The key of APIv2, where it was registered. */
  readonly apiKey?: string;
  /** Parts per 100,000, for the fee column of the bill. */
  readonly feeRate: number;
  /** An application at Alipay: mchId is its app id, the keys are RSA2's. Tokens of merchants that it acts for, and who they are. */
  readonly acquirer?: AcquirerMerchant;
  readonly alipay?: {
    readonly sellerId: string | null;
    readonly tokens: Readonly<Record<string, string>>;
    /** 应用网关: where messages of the application go. */
    readonly gateway?: string;
    /** 证书模式: the numbers that requests have to name, and Alipay's certificates, of which the last one signs. */
    readonly certificates?: {
      readonly appSn: string;
      readonly rootSn: string;
      readonly alipay: readonly { readonly sn: string; readonly pem: string; readonly privateKeyPem: string }[];
    };
  };
  /** By sub-merchant, where it has a rate of its own. */
  readonly rates?: Readonly<Record<string, number>>;
}

/** A merchant at an acquirer, and how that acquirer speaks: the data of the adapter, read here by other code. */
export interface AcquirerMerchant {
  readonly channel: number;
  readonly merchantNo: string;
  readonly mapping: Dialect;
}
/** See domains/channels/server/acquirer/mapping.ts. */
export interface Dialect {
  readonly encoding: "json" | "form";
  readonly answers: "json" | "form";
  readonly amounts: "cents" | "yuan";
  readonly signing: { readonly algorithm: "RSA-SHA256" | "SM2-SM3"; readonly spelling: "base64" | "hex"; readonly userId: string };
  readonly moment: string;
  readonly names: Readonly<Record<string, string | null>>;
  readonly operations: Readonly<Record<string, { readonly path: string; readonly names?: Readonly<Record<string, string | null>> }>>;
  readonly notice: Readonly<Record<string, string | null>>;
  readonly ways: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly words: Readonly<Record<string, string | readonly string[]>>;
  readonly states: Readonly<Record<string, string>>;
  readonly refundStates: Readonly<Record<string, string>>;
  readonly reply: string;
}

export type TradeState = "NOTPAY" | "USERPAYING" | "SUCCESS" | "REFUND" | "CLOSED" | "REVOKED" | "PAYERROR";

export interface Coupon {
  readonly coupon_id: string;
  readonly name: string;
  readonly type: "CASH" | "NOCASH";
  readonly amount: number;
  readonly stock_id: string;
  readonly wechatpay_contribute: number;
  readonly merchant_contribute: number;
  readonly other_contribute: number;
}

/** Moments are milliseconds, amounts cents. */
export interface Trade {
  readonly key: string;
  readonly mchId: string;
  readonly subMchId: string | null;
  readonly appId: string;
  readonly outTradeNo: string;
  readonly tradeType: "NATIVE" | "JSAPI" | "MICROPAY";
  /** WeChat's where it is not said. */
  readonly wallet?: "wechat" | "alipay" | "unionpay";
  readonly description: string;
  readonly total: number;
  readonly notifyUrl: string | null;
  readonly expiresAt: number | null;
  readonly codeUrl: string | null;
  readonly prepayId: string | null;
  readonly fingerprint: string;
  readonly deviceId: string | null;
  readonly createdAt: number;
  readonly state: TradeState;
  /** USERPAYING: when the customer has typed the password; null when never. */
  readonly payAt: number | null;
  readonly openId: string | null;
  readonly transactionId: string | null;
  readonly paidAt: number | null;
  readonly revokedAt: number | null;
  readonly coupons: readonly Coupon[];
  /** The customer turned away from it on the page; it can still be scanned again. */
  readonly dismissed: boolean;
  /** 结算信息: the money is frozen until it was shared. */
  readonly profitSharing?: boolean;
  /** What was left went to the merchant. */
  readonly unfrozen?: boolean;
}

/** Who may get shares of a merchant's payments. */
export interface Receiver {
  readonly key: string;
  readonly mchId: string;
  readonly subMchId: string | null;
  readonly type: string;
  readonly account: string;
  readonly name: string | null;
  readonly relation: string;
  readonly custom: string | null;
  readonly removed: boolean;
}
export interface ShareLine {
  readonly type: string;
  readonly account: string;
  readonly amount: number;
  readonly description: string;
  readonly result: "PENDING" | "SUCCESS" | "CLOSED";
  readonly failReason: string | null;
  readonly detailId: string;
}
/** A share of a payment, or the letting go of what was left of it. */
export interface Share {
  readonly key: string;
  readonly tradeKey: string;
  readonly kind: "share" | "unfreeze";
  readonly outOrderNo: string;
  readonly orderId: string;
  readonly fingerprint: string;
  readonly createdAt: number;
  readonly finishedAt: number | null;
  readonly lines: readonly ShareLine[];
  /** At Alipay, which lets go what is left only where somebody got something. */
  readonly alipay?: { readonly finish: boolean };
}
export interface ShareReturn {
  readonly key: string;
  readonly shareKey: string;
  readonly outReturnNo: string;
  readonly returnId: string;
  readonly mchId: string;
  readonly amount: number;
  readonly description: string;
  readonly createdAt: number;
  readonly result: "PROCESSING" | "SUCCESS" | "FAILED";
  readonly failReason: string | null;
  readonly finishedAt: number | null;
  /** It does not end by itself: somebody decides. */
  readonly held: boolean;
  /** At Alipay, where `shareKey` is the trade's and the receiver has a type of account. */
  readonly alipay?: { readonly type: string };
}

export type RefundState = "PROCESSING" | "SUCCESS" | "CLOSED" | "ABNORMAL";

export interface Refund {
  readonly key: string;
  readonly tradeKey: string;
  readonly refundId: string;
  readonly outRefundNo: string;
  readonly amount: number;
  readonly reason: string;
  readonly notifyUrl: string | null;
  readonly createdAt: number;
  readonly state: RefundState;
  readonly successAt: number | null;
  /** It does not succeed by itself: somebody decides. */
  readonly held?: boolean;
}

/** A notification on its way. It leaves the state when it was taken or given up. */
export interface Notice {
  readonly key: string;
  readonly mchId: string;
  readonly url: string;
  readonly eventType: string;
  readonly kind: "transaction" | "refund" | "profitsharing" | "mch_payment";
  readonly number: string;
  readonly resource: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
  readonly attempts: number;
  readonly nextAt: number;
}

/** A store (品牌门店) of a merchant. */
export interface Store {
  readonly key: string;
  readonly mchId: string;
  readonly subMchId: string | null;
  readonly storeId: number;
  readonly given: Readonly<Record<string, unknown>>;
  readonly state: string;
  readonly reason: string | null;
}
/** A member of the staff (支付即服务). */
export interface Guide {
  readonly key: string;
  readonly mchId: string;
  readonly subMchId: string | null;
  readonly guideId: string;
  readonly storeId: number;
  readonly userid: string;
  readonly given: Readonly<Record<string, unknown>>;
}

export type TransferState = "PROCESSING" | "WAIT_USER_CONFIRM" | "SUCCESS" | "FAIL" | "CANCELING" | "CANCELLED";
/** 商家转账: out of a merchant's own account to one person. */
export interface Transfer {
  readonly key: string;
  readonly mchId: string;
  readonly outBillNo: string;
  readonly transferNo: string;
  readonly openId: string;
  readonly amount: number;
  readonly remark: string;
  readonly notifyUrl: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly state: TransferState;
  readonly failReason: string | null;
}

/** A batch of coupons (商家券, 代金券) as it was asked for, and where it stands in its own words. */
export interface Batch {
  readonly key: string;
  readonly kind: "busifavor" | "favor";
  readonly mchId: string;
  readonly stockId: string;
  readonly outRequestNo: string;
  readonly given: Readonly<Record<string, unknown>>;
  readonly state: "UNAUDIT" | "RUNNING" | "PAUSED" | "STOPED" | "unactivated" | "running" | "paused" | "stoped";
  readonly total: number;
  /** Given out by the channel itself. */
  readonly sent: number;
  /** The number of the last change of its total. */
  readonly budgetNo: string | null;
  readonly createdAt: number;
}
/** A merchant's own code in a batch; UPLOADED until it is used or received. */
export interface BatchCode {
  readonly key: string;
  readonly stockId: string;
  readonly code: string;
  readonly state: "UPLOADED" | "SENDED" | "USED" | "EXPIRED" | "DELETED" | "DEACTIVATED";
  /** The number of the last step. */
  readonly lastNo: string | null;
  readonly useTime: string | null;
}

/** 进件 as it was sent last. */
export interface Applyment {
  readonly key: string;
  readonly mchId: string;
  readonly code: string;
  readonly applymentId: number;
  readonly shortName: string;
  readonly subMchId: string | null;
  readonly state: string;
  /** When it came into this state. */
  readonly since: number;
  /** How often it was handed in. */
  readonly times: number;
  /** 开户意愿: the legal person has confirmed the number. */
  readonly willing?: boolean;
}
/** A picture that was uploaded for applications. */
export interface Media {
  readonly key: string;
  readonly mchId: string;
  readonly sha256: string;
}

interface Tables {
  applyment: Applyment;
  media: Media;
  batch: Batch;
  code: BatchCode;
  transfer: Transfer;
  merchant: Merchant;
  trade: Trade;
  refund: Refund;
  notice: Notice;
  store: Store;
  guide: Guide;
  receiver: Receiver;
  share: Share;
  shareReturn: ShareReturn;
}
type Table = keyof Tables;

export interface State {
  readonly merchants: ReadonlyMap<string, Merchant>;
  readonly trades: ReadonlyMap<string, Trade>;
  readonly refunds: ReadonlyMap<string, Refund>;
  readonly notices: ReadonlyMap<string, Notice>;
  readonly stores: ReadonlyMap<string, Store>;
  readonly guides: ReadonlyMap<string, Guide>;
  readonly receivers: ReadonlyMap<string, Receiver>;
  readonly shares: ReadonlyMap<string, Share>;
  readonly shareReturns: ReadonlyMap<string, ShareReturn>;
  readonly transfers: ReadonlyMap<string, Transfer>;
  readonly batches: ReadonlyMap<string, Batch>;
  readonly codes: ReadonlyMap<string, BatchCode>;
  readonly applyments: ReadonlyMap<string, Applyment>;
  readonly media: ReadonlyMap<string, Media>;
  /** Trades that somebody may still pay, in the order they came. */
  readonly open: ReadonlySet<string>;
  /** Refunds whose end is not decided. */
  readonly processing: ReadonlySet<string>;
  /** Shares and returns on their way. */
  readonly sharing: ReadonlySet<string>;
  tradesOf(outTradeNo: string): readonly Trade[];
  refundsOf(tradeKey: string): readonly Refund[];
  sharesOf(tradeKey: string): readonly Share[];
  returnsOf(shareKey: string): readonly ShareReturn[];
  tradeOfTransaction(transactionId: string): Trade | undefined;
  save<T extends Table>(table: T, record: Tables[T]): void;
  drop(notice: Notice): void;
  close(): void;
}

/**
 * State in memory, every change first appended to a file of JSON lines, so that a restart finds it again. A line that a
 * kill cut in half is left out: its change was never answered.
 */
export function openState(directory: string): State {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, "state.jsonl");
  const tables = emptyTables();
  const [open, processing] = [new Set<string>(), new Set<string>()];
  const ofShares = indexOfShares();
  const byNumber = new Map<string, Set<string>>();
  const byTrade = new Map<string, Set<string>>();
  const byTransaction = new Map<string, string>();

  function put(table: Table, record: Tables[Table]): void {
    const key = "key" in record ? record.key : record.mchId;
    (tables[table] as Map<string, Tables[Table]>).set(key, record);
    if (table === "trade") indexTrade(record as Trade);
    if (table === "refund") indexRefund(record as Refund);
    ofShares.put(table, record);
  }
  function indexRefund(refund: Refund): void {
    into(byTrade, refund.tradeKey, refund.key);
    if (refund.state === "PROCESSING") processing.add(refund.key);
    else processing.delete(refund.key);
  }
  function indexTrade(trade: Trade): void {
    into(byNumber, trade.outTradeNo, trade.key);
    if (trade.transactionId) byTransaction.set(trade.transactionId, trade.key);
    if (trade.state === "NOTPAY" || trade.state === "USERPAYING") open.add(trade.key);
    else open.delete(trade.key);
  }

  for (const [table, record] of linesOf(path)) {
    if (table === "taken") tables.notice.delete((record as Notice).key);
    else put(table, record);
  }
  const lines = (Object.keys(tables) as Table[]).flatMap((table) =>
    [...tables[table].values()].map((record) => JSON.stringify([table, record])),
  );
  writeFileSync(`${path}.new`, lines.map((line) => `${line}\n`).join(""));
  renameSync(`${path}.new`, path);
  const file = openSync(path, "a");
  const append = (line: readonly [string, object]) => writeSync(file, `${JSON.stringify(line)}\n`);
  const found = <T>(keys: Iterable<string> | undefined, map: ReadonlyMap<string, T>) =>
    [...(keys ?? [])].flatMap((key) => map.get(key) ?? []);

  return {
    ...mapsOf(tables),
    open,
    processing,
    sharing: ofShares.open,
    tradesOf: (outTradeNo) => found(byNumber.get(outTradeNo), tables.trade),
    refundsOf: (tradeKey) => found(byTrade.get(tradeKey), tables.refund),
    sharesOf: (tradeKey) => found(ofShares.byTrade.get(tradeKey), tables.share),
    returnsOf: (shareKey) => found(ofShares.byShare.get(shareKey), tables.shareReturn),
    tradeOfTransaction: (transactionId) => tables.trade.get(byTransaction.get(transactionId) ?? ""),
    save: (table, record) => {
      append([table, record]);
      put(table, record);
    },
    drop: (notice) => {
      append(["taken", { key: notice.key }]);
      tables.notice.delete(notice.key);
    },
    close: () => closeSync(file),
  };
}

const emptyTables = () => ({
  applyment: new Map<string, Applyment>(),
  media: new Map<string, Media>(),
  batch: new Map<string, Batch>(),
  code: new Map<string, BatchCode>(),
  merchant: new Map<string, Merchant>(),
  trade: new Map<string, Trade>(),
  refund: new Map<string, Refund>(),
  notice: new Map<string, Notice>(),
  store: new Map<string, Store>(),
  guide: new Map<string, Guide>(),
  transfer: new Map<string, Transfer>(),
  receiver: new Map<string, Receiver>(),
  share: new Map<string, Share>(),
  shareReturn: new Map<string, ShareReturn>(),
});

const mapsOf = (tables: ReturnType<typeof emptyTables>) => ({
  merchants: tables.merchant,
  trades: tables.trade,
  refunds: tables.refund,
  notices: tables.notice,
  stores: tables.store,
  guides: tables.guide,
  receivers: tables.receiver,
  shares: tables.share,
  shareReturns: tables.shareReturn,
  transfers: tables.transfer,
  batches: tables.batch,
  codes: tables.code,
  applyments: tables.applyment,
  media: tables.media,
});

/** Shares by trade, returns by share, and those of both that are on their way. */
function indexOfShares() {
  const byTrade = new Map<string, Set<string>>();
  const byShare = new Map<string, Set<string>>();
  const open = new Set<string>();
  const mark = (key: string, isOpen: boolean): void => void (isOpen ? open.add(key) : open.delete(key));
  return {
    byTrade,
    byShare,
    open,
    put(table: Table, record: Tables[Table]): void {
      if (table === "share") {
        const share = record as Share;
        into(byTrade, share.tradeKey, share.key);
        mark(share.key, share.finishedAt === null);
      } else if (table === "shareReturn") {
        const one = record as ShareReturn;
        into(byShare, one.shareKey, one.key);
        mark(one.key, one.result === "PROCESSING");
      }
    },
  };
}

function linesOf(path: string): readonly (readonly [Table | "taken", Tables[Table]])[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line) => {
      try {
        return line === "" ? [] : [JSON.parse(line)];
      } catch {
        return [];
      }
    });
}

function into(index: Map<string, Set<string>>, name: string, key: string): void {
  const keys = index.get(name);
  if (keys) keys.add(key);
  else index.set(name, new Set([key]));
}
