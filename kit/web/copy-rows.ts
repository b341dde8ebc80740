import { copyText } from "./copy.ts";

/** What a spreadsheet takes for a formula, in full width too. */
export const FORMULA = /^[\t\r]|^\s*[=+\-@＝＋－＠]/;
/** A cell as a spreadsheet is given it: nothing becomes a formula, and amounts count. */
function plain(text: string): string {
  const one = text.replaceAll(/\s+/g, " ").trim();
  if (/^[−-]?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/.test(one)) return one.replace("−", "-").replaceAll(",", "");
  return FORMULA.test(one) ? `'${one}` : one;
}
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
/** Long numbers stay text: a spreadsheet would make 8.68E+14 of them. */
const cell = (text: string): string =>
  /^\d{12,}$/.test(text) ? `<td style="mso-number-format:'\\@'">${text}</td>` : `<td>${escaped(text)}</td>`;

/** Rows as tab-separated text and as a table, for the clipboard. */
export function clipOf(rows: readonly (readonly string[])[]): { readonly text: string; readonly html: string } {
  const cells = rows.map((row) => row.map(plain));
  return {
    text: cells.map((row) => row.join("\t")).join("\n"),
    html: `<table>${cells.map((row) => `<tr>${row.map(cell).join("")}</tr>`).join("")}</table>`,
  };
}
/** Puts rows on the clipboard, so that a spreadsheet takes them as cells; says how many. @example await copyRows([["日期", "实收"], ["2026-11-20", "12.50"]]) */
export async function copyRows(rows: readonly (readonly string[])[]): Promise<void> {
  const { text, html } = clipOf(rows);
  await copyText(text, `已复制 ${rows.length - 1} 行，可粘贴到表格`, { html });
}
/** Puts labels and values on the clipboard as words, for a chat as much as for a sheet; says how many. */
export async function copyPairs(pairs: readonly (readonly string[])[]): Promise<void> {
  await copyText(clipOf(pairs).text, `已复制 ${pairs.length} 项`);
}

const UNSAID = ".copy-button, .hint-mark, .resizer, svg";
/**
 * What a cell or a value says, without its little buttons; small words and lines stand apart. A cell of figures says its figure alone: with
 * the note under it no spreadsheet would count it. Read where it stands: a copy of what has a style of its own is refused by the page's policy.
 */
function wordsOf(element: Element): string {
  const unsaid = element.matches(".at-right") ? `${UNSAID}, small.note` : UNSAID;
  const said = (node: Node): string => {
    if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? "";
    if (!(node instanceof Element) || node.matches(unsaid)) return "";
    return (node.matches("small, br") ? " " : "") + [...node.childNodes].map(said).join("");
  };
  const words = said(element).trim();
  return words === "—" ? "" : words;
}
/** The hero and the pairs of a detail, in their order. */
export function pairsOf(detail: Element): string[][] {
  return [...detail.querySelectorAll(".hero, dl.pairs > div")].map((one) => {
    const [name, value] = [one.querySelector(".hero-label, dt"), one.querySelector(".hero-value, dd")];
    return [name ? wordsOf(name) : "", value ? wordsOf(value) : ""];
  });
}
/** The cells of a table as they are seen: without its ticks, its acts and its little buttons. */
export function rowsOf(table: HTMLTableElement): string[][] {
  return [...table.rows].map((row) =>
    [...row.cells].flatMap((one) => {
      if (one.matches(".tick, .cell-actions")) return [];
      return [wordsOf(one)];
    }),
  );
}
