/** An order that sold something beforehand, as the news of its money finds it. */
export interface Sold {
  readonly service_provider_id: string;
  readonly id: string;
  readonly merchant_id: string;
  readonly store_id: string;
  readonly member_id: string;
  readonly paid_at: string | null;
}
