import { BillError } from "./bill-error.ts";
import type { Expected, FlowRow, Reader, Summary } from "./bill.ts";
import { unitsOf } from "./text/decimals.ts";
import { Heading } from "./text/heading.ts";
import { momentOf } from "./wechat-trade.ts";

/** WeChat Pay's fund-flow bill (channels.md 5.4): brackets of either width, counts and sums of both directions at its end. */
export function wechatFlowReader(expected: Expected): Reader<FlowRow> {
  let heading: Heading | undefined;
  let summaryHeading: Heading | undefined;
  let summary: Summary | undefined;
  const sums = { rows: 0, ins: 0, in_cents: 0, outs: 0, out_cents: 0 };
  return {
    line(text, number) {
      if (text === "") return undefined;
      if (!heading) {
        heading = new Heading(text);
        if (heading.at("记账时间") < 0 || heading.at("资金流水单号") < 0) throw new BillError("这不是微信支付的资金账单");
        return undefined;
      }
      if (!text.startsWith("`")) {
        if (summaryHeading || !text.includes("资金流水总笔数")) throw new BillError(`第 ${number} 行无法识别，请上传未经修改的原文件`);
        summaryHeading = new Heading(text);
        return undefined;
      }
      const cells = text.slice(1).split(",`");
      if (summaryHeading) {
        if (summary) throw new BillError(`第 ${number} 行在汇总行之后`);
        summary = checked(summaryHeading, cells, sums);
        return undefined;
      }
      const row = rowOf(heading, cells, number, expected.day);
      sums.rows++;
      if (row.amount_cents >= 0) {
        sums.ins++;
        sums.in_cents += row.amount_cents;
      } else {
        sums.outs++;
        sums.out_cents -= row.amount_cents;
      }
      return row;
    },
    end() {
      if (!summary) throw new BillError("账单不完整：没有汇总行");
      return summary;
    },
  };
}

function rowOf(heading: Heading, cells: readonly string[], line: number, day: string): FlowRow {
  const text = (name: string): string => (cells[heading.at(name)] ?? "").trim();
  const cents = (name: string): number => {
    const found = unitsOf(text(name), 2);
    if (found === undefined) throw new BillError(`第 ${line} 行的${name}不是金额：${text(name).slice(0, 20)}`);
    return found;
  };
  const direction = text("收支类型");
  if (direction !== "收入" && direction !== "支出") throw new BillError(`第 ${line} 行的收支类型无法识别：${direction.slice(0, 10)}`);
  const amount = Math.abs(cents("收支金额(元)"));
  return {
    line,
    at: momentOf(text("记账时间"), line, day),
    flowNo: text("资金流水单号").slice(0, 64),
    businessNo: text("微信支付业务单号").slice(0, 64) || null,
    voucherNo: text("业务凭证号").slice(0, 64) || null,
    name: text("业务名称").slice(0, 64),
    businessType: text("业务类型").slice(0, 64),
    amount_cents: direction === "收入" ? amount : 0 - amount,
    balance_cents: text("账户结余(元)") === "" ? null : cents("账户结余(元)"),
    note: text("备注").slice(0, 200) || null,
  };
}

function checked(
  heading: Heading,
  cells: readonly string[],
  sums: { rows: number; ins: number; in_cents: number; outs: number; out_cents: number },
): Summary {
  const wanted: readonly (readonly [name: string, value: number, places: 2 | undefined])[] = [
    ["资金流水总笔数", sums.rows, undefined],
    ["收入笔数", sums.ins, undefined],
    ["收入金额", sums.in_cents, 2],
    ["支出笔数", sums.outs, undefined],
    ["支出金额", sums.out_cents, 2],
  ];
  for (const [name, value, places] of wanted) {
    const place = heading.at(name, `${name}(元)`);
    if (place < 0) continue;
    const text = (cells[place] ?? "").trim();
    const said = places ? Math.abs(unitsOf(text, places) ?? Number.NaN) : Number(text);
    if (said !== value) throw new BillError(`${name}：汇总行写有 ${text.slice(0, 20)}，与明细不符，账单不完整`);
  }
  return { rows: sums.rows, said: Object.fromEntries(heading.names.map((name, place) => [name, (cells[place] ?? "").trim()])) };
}
