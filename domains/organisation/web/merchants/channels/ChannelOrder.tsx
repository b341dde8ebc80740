import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { channelName, type PayChannel, wallet } from "../../../../channels/contract.ts";
import { getChannelAccounts, setChannelRule } from "../../../contract/index.ts";

type Accounts = OutputOf<typeof getChannelAccounts>;
type Wallet = (typeof wallet.values)[number];

/** Which channel is asked first for each wallet: the others follow, and step in where the first one is switched off. */
export function ChannelOrder({ of: data }: { of: Accounts }): ReactNode {
  return (
    <>
      {wallet.values.map((one) => (
        <One key={one} wallet={one} data={data} />
      ))}
      <p className="note">没有设置时先走微信支付、支付宝自己的通道，再按通道编号。停用的通道会被跳过，已收的款仍按原通道查询和退款。</p>
    </>
  );
}

function One({ wallet: which, data }: { wallet: Wallet; data: Accounts }): ReactNode {
  const [busy, run] = useRun([getChannelAccounts]);
  const able = channelsFor(which, data);
  const ruled = data.rules.find((rule) => rule.wallet === which)?.channels ?? [];
  const order = [...ruled.filter((channel) => able.includes(channel)), ...able.filter((channel) => !ruled.includes(channel))];
  const first = async (channel: PayChannel): Promise<void> => {
    await run(async () => {
      await call(setChannelRule, {
        merchantId: data.merchantId,
        wallet: which,
        channels: [channel, ...order.filter((one) => one !== channel)],
      });
      success(`${wallet.label(which)}收款先走${channelName(channel, which)}`);
    });
  };
  return (
    <section aria-label={wallet.label(which)} className="channel-order">
      <h2>{wallet.label(which)}</h2>
      {order.length === 0 ? (
        <p className="note">没有通道能收{wallet.label(which)}</p>
      ) : (
        <ol>
          {order.map((channel, n) => (
            <li key={channel}>
              <span>{channelName(channel, which)}</span>
              {n === 0 ? (
                <span className="note">优先</span>
              ) : (
                <Act of={setChannelRule}>
                  <Button
                    busy={busy}
                    onClick={() => void first(channel)}
                    aria-label={`${wallet.label(which)}优先走${channelName(channel, which)}`}
                  >
                    设为优先
                  </Button>
                </Act>
              )}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

/** The direct channel takes WeChat and Alipay by an account each; an acquirer takes all three. */
function channelsFor(which: Wallet, { wechat, accounts }: Accounts): PayChannel[] {
  const open = accounts.filter(({ state }) => state === "active").map(({ channel }) => channel);
  const direct = which === "wechat" ? wechat : which === "alipay" && open.includes(0);
  return [...(direct ? [0 as const] : []), ...open.filter((channel) => channel !== 0)];
}
