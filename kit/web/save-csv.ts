import { FORMULA } from "./copy-rows.ts";

/**
 * Saves a CSV that a spreadsheet reads as text: nothing in it becomes a formula.
 * @example saveCsv("密钥.csv", [["设备编号", "密钥"], ["ZF-01-1", "…"]]);
 */
export function saveCsv(name: string, rows: readonly (readonly string[])[]): void {
  const cell = (text: string): string => `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
  const text = `\uFEFF${rows.map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
