/** How WeChat answered. `unknown`: nobody knows whether it was done. */
export type WechatAnswer<T> =
  | { readonly kind: "ok"; readonly value: T }
  /** With WeChat's number of the refusal and its whole answer; null where nothing was asked, for the account can't ask. The message is for people. */
  | {
      readonly kind: "refused";
      readonly code: number | null;
      readonly message: string;
      readonly whole?: WechatJson;
      /** The component got no token: what was to be asked under it never went out. */
      readonly unasked?: true;
    }
  | { readonly kind: "unknown"; readonly reason: string };
export type WechatJson = Readonly<Record<string, unknown>>;
