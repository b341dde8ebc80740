import { expect, test } from "vitest";
import { clipOf, pairsOf, rowsOf } from "./copy-rows.ts";

test("a table is copied as it is seen, without its ticks, acts and little buttons", () => {
  document.body.innerHTML = `<table>
    <thead><tr><th class="tick"><input type="checkbox"></th><th>订单号</th><th>实收（元）</th><th class="cell-actions">操作</th></tr></thead>
    <tbody><tr><td class="tick"></td><td><span class="copy">P1<button class="copy-button">复制</button></span><small>补打</small></td>
      <td>1,234.50</td><td class="cell-actions"><button>退款</button></td></tr>
    <tr><td class="tick"></td><td>P2</td><td><span class="blank">—</span></td><td class="cell-actions"></td></tr></tbody></table>`;
  expect(rowsOf(document.querySelector("table")!)).toEqual([
    ["订单号", "实收（元）"],
    ["P1 补打", "1,234.50"],
    ["P2", ""],
  ]);
});
test("a figure is copied without the note under it, so that it counts; notes of words come along, their lines apart", () => {
  document.body.innerHTML = `<table><tbody><tr><td class="cell-text at-left">美团<small class="note">春熙路店<br>太古里店</small></td>
    <td class="cell-money at-right"><a href="#/x">1,234.50</a><small class="note">餐盒 5.00<br>配送 6.00</small></td></tr></tbody></table>`;
  const rows = rowsOf(document.querySelector("table")!);
  expect(rows).toEqual([["美团 春熙路店 太古里店", "1,234.50"]]);
  expect(clipOf(rows).text).toBe("美团 春熙路店 太古里店\t1234.50");
});
test("a drawer is copied as its labels and values, without its little buttons", () => {
  document.body.innerHTML = `<div class="drawer"><div class="hero"><span class="hero-label">实收金额</span><span class="hero-value">¥12.50</span></div>
    <dl class="pairs"><div><dt>订单号</dt><dd><span class="copy"><span>P1</span><button class="copy-button">复制 P1</button></span></dd></div>
      <div><dt>会员</dt><dd><button type="button">青石</button></dd></div><div><dt>备注</dt><dd><span class="blank">—</span></dd></div></dl></div>`;
  expect(pairsOf(document.querySelector(".drawer")!)).toEqual([
    ["实收金额", "¥12.50"],
    ["订单号", "P1"],
    ["会员", "青石"],
    ["备注", ""],
  ]);
});
test("amounts count, long numbers stay as they are, and nothing becomes a formula", () => {
  const { text, html } = clipOf([
    ["订单号", "金额"],
    ["4200001234567890123", "−1,234.50"],
    ["=HYPERLINK(1)", "12:30\t<b>"],
    ["＝1+1", "1,2,3"],
  ]);
  expect(text).toBe("订单号\t金额\n4200001234567890123\t-1234.50\n'=HYPERLINK(1)\t12:30 <b>\n'＝1+1\t1,2,3");
  expect(html).toContain(`<td style="mso-number-format:'\\@'">4200001234567890123</td><td>-1234.50</td>`);
  expect(html).toContain("<td>'=HYPERLINK(1)</td><td>12:30 &lt;b></td>");
});
