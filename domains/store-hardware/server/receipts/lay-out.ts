import { textWidth } from "@zhangfang/contract/text.ts";
import type { Receipt } from "./receipt.ts";

/** How a maker marks a receipt up: its tags around plain text, and what ends a line. */
export interface Markup {
  readonly title: (text: string) => string;
  readonly big: (text: string) => string;
  readonly centred: (text: string) => string;
  /** A QR code. */
  readonly code: (text: string) => string;
  readonly newLine: string;
}

/**
 * Text of anybody's as plain text for every maker: control characters would be printer commands, and a bracket could begin
 * a tag (`<CUT>`, `<PLUGIN>` opens a till drawer, `<MN>` prints copies), so it becomes its full-width twin.
 */
export function plain(text: string): string {
  return (
    text
      // eslint-disable-next-line no-control-regex -- they are what is taken away
      .replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ")
      .replaceAll(/[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, "")
      .replaceAll("<", "＜")
      .replaceAll(">", "＞")
      .trim()
  );
}

/** Cuts text into lines of at most `columns` cells; a Chinese character takes two. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const character of text) {
    if (textWidth(line + character) > columns) {
      lines.push(line);
      line = "";
    }
    line += character;
  }
  return line === "" && lines.length > 0 ? lines : [...lines, line];
}

/** A label to the left and a value to the right edge; a long value goes on below, to the right as well. */
function pairOf(label: string, value: string, columns: number): string[] {
  const room = columns - textWidth(label) - 1;
  const [first = "", ...rest] = textWidth(value) <= room ? [value] : ["", ...wrap(value, columns)];
  const padded = (text: string, before: string) => before + " ".repeat(Math.max(0, columns - textWidth(before) - textWidth(text))) + text;
  return [padded(first, label), ...rest.map((line) => padded(line, ""))];
}

/** The receipt in a maker's markup, for paper of so many half-width cells. Doubled text has half the room. */
export function layOut(receipt: Receipt, columns: number, markup: Markup): string {
  const lines = receipt.flatMap((line) => {
    switch (line.kind) {
      case "title":
        return wrap(plain(line.text), columns / 2).map(markup.title);
      case "big":
        return wrap(plain(line.text), columns / 2).map(markup.big);
      case "text":
        return wrap(plain(line.text), columns).map(markup.centred);
      case "pair":
        return pairOf(plain(line.label), plain(line.value), columns);
      case "code":
        return [markup.code(plain(line.url))];
      case "rule":
        return ["-".repeat(columns)];
    }
  });
  return lines.map((line) => line + markup.newLine).join("");
}
