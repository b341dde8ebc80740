import type { ReactNode } from "react";
import { Link } from "react-router";

/** What a merchant needs to know of its settlement: that it is the channel's, and where its figures are. */
export function MerchantSettlement(): ReactNode {
  return (
    <section aria-label="提现记录">
      <header className="screen-head">
        <h1>提现记录</h1>
      </header>
      <div className="sheet settlement-note">
        <h2>货款由支付通道直接结算</h2>
        <p>
          顾客支付的款项始终在持牌的支付通道，由通道按签约的结算周期自动结算到商户在通道登记的结算账户，不经过本系统，因此不需要、也不能在这里提现。
        </p>
        <p>结算周期、结算账户和每一笔到账，请在支付通道的商户平台查看；本系统不保存通道的结算记录。</p>
        <p>
          应收多少可以在 <Link to="/dataCentre/payOrder">支付订单</Link> 和 <Link to="/dataCentre/payRefund">支付退款订单</Link>{" "}
          中逐笔核对。
        </p>
      </div>
    </section>
  );
}
