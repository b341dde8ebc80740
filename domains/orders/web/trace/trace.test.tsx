import { afterEach, expect, test, vi } from "vitest";
import { draw } from "../testing-screen.tsx";
import { type Trace, TraceFlow } from "./TraceFlow.tsx";
import { traceText } from "./trace-text.ts";

let screen: ReturnType<typeof draw>;
afterEach(() => screen.close());

test("points alone stand in words: no amount where no stored value moved", async () => {
  const trace: Trace = {
    orderNo: "P1",
    parts: [
      {
        station: "member",
        lines: [{ label: "获得积分", note: "+120 积分", amountCents: null, rounding: null, at: null }],
        sum: null,
      },
    ],
    parties: [],
  };
  screen = draw(<TraceFlow trace={trace} />);
  await vi.waitFor(() => expect(screen.text()).toContain("+120 积分"));
  expect(screen.text()).not.toContain("0.00");
  expect(traceText(trace)).toBe("订单 P1 资金去向（元）\n【会员账户】\n获得积分（+120 积分）");
});
