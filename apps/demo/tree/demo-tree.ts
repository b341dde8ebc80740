import type { MerchantLogin } from "./tree-plan.ts";

export interface DemoDevice {
  readonly id: string;
  readonly sn: string;
  /** What it signs with. */
  readonly key: string;
}

export interface DemoStore {
  readonly id: string;
  readonly serviceProviderId: string;
  readonly merchantId: string;
  readonly name: string;
  readonly devices: readonly DemoDevice[];
  readonly cashiers: readonly { readonly id: string; readonly code: string; readonly name: string }[];
}

export interface DemoMerchant {
  readonly id: string;
  readonly serviceProviderId: string;
  readonly name: string;
  readonly stores: readonly DemoStore[];
}

type Named<K extends string> = Readonly<Record<K, string>>;
type AboveLogin =
  | "sp01"
  | "sp02"
  | "agent01"
  | "agent02"
  | "group01"
  | "group02"
  | "team01"
  | "team02"
  | "team03"
  | "sale01"
  | "sale02"
  | "sale03";
/** Logins of the demo world. All but area01, emp01 and fin01 are root accounts; the password is DEMO_PASSWORD. */
export type DemoLogin = "admin" | AboveLogin | MerchantLogin | "area01" | "emp01" | "fin01";

export interface DemoTree {
  /** sp01 is 禾木智慧商业, sp02 云岸数字科技. */
  readonly providers: Named<"sp01" | "sp02">;
  readonly agents: Named<"agent01" | "agent02">;
  readonly groups: Named<"group01" | "group02">;
  readonly teams: Named<"team01" | "team02" | "team03">;
  readonly salesmen: Named<"sale01" | "sale02" | "sale03">;
  /** mch01 belongs to agent01, sale01 (team01, group01); mch02 and mch08 are of sp02. */
  readonly merchants: Readonly<Record<MerchantLogin, DemoMerchant>>;
  /** Every store, in the order of the merchants. */
  readonly stores: readonly DemoStore[];
  /** 城东区 of mch01: its first two stores; its manager is area01. emp01 works in the first store. */
  readonly area: string;
  /** 核心商圈 of mch01: its first store and its last. */
  readonly storeGroup: string;
  /** 财务 of mch01, held by fin01, who sees the first two stores. */
  readonly position: string;
  readonly users: Named<DemoLogin>;
}
