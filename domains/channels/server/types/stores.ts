import type { ChannelAccount, Outcome } from "../channel.ts";

/** A store as the channel wants to know it. */
export interface ChannelStore {
  /** Our number of it. */
  readonly number: string;
  readonly brandName: string;
  readonly name: string;
  /** Six digits of the administrative division. */
  readonly addressCode: string;
  readonly address: string;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly phone: string | null;
  readonly hours: string | null;
}

/** What the channel knows of a store. `state` and `message` are its own words. */
export interface KnownStore {
  readonly state: "auditing" | "passed" | "rejected";
  readonly channelState: string | null;
  readonly message: string | null;
}

/** A member of the staff as the channel wants to know them; name and phone travel sealed. */
export interface ChannelGuide {
  readonly wxStoreId: string;
  readonly corpId: string;
  readonly wecomUserId: string;
  readonly name: string;
  readonly phone: string;
  readonly qrCode: string;
  readonly avatar: string;
}

/**
 * Stores (品牌门店) and service staff (支付即服务) at the channel. Opening a store is not safe to repeat: after an unknown
 * outcome somebody looks at the channel's own pages first. A person can be looked for.
 */
export interface StoreChannel {
  openStore(account: ChannelAccount, store: ChannelStore): Promise<Outcome<{ readonly wxStoreId: string }>>;
  findStore(account: ChannelAccount, wxStoreId: string): Promise<Outcome<KnownStore>>;
  registerGuide(account: ChannelAccount, guide: ChannelGuide): Promise<Outcome<{ readonly guideId: string }>>;
  updateGuide(account: ChannelAccount, guideId: string, guide: ChannelGuide): Promise<Outcome<null>>;
  /** Null where the store has nobody of this WeCom number. */
  findGuide(account: ChannelAccount, wxStoreId: string, wecomUserId: string): Promise<Outcome<{ readonly guideId: string } | null>>;
}
