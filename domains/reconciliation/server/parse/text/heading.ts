import { BillError } from "../bill-error.ts";

/** A heading without what differs from file to file: BOM, backtick, spaces, the width of brackets. */
export const plainHeading = (text: string): string =>
  text
    .replace(/^\ufeff/, "")
    .replaceAll("（", "(")
    .replaceAll("）", ")")
    .replaceAll(/[`\s"]/g, "");

/** Where the columns of a heading line stand, by any of their names. */
export class Heading {
  readonly names: readonly string[];
  constructor(line: string) {
    this.names = line.split(",").map(plainHeading);
  }
  /** The place of a column under the first of its names that is there; -1 for none. */
  at(...names: readonly string[]): number {
    for (const name of names) {
      const place = this.names.indexOf(plainHeading(name));
      if (place >= 0) return place;
    }
    return -1;
  }
  /** @throws BillError where the column is missing */
  must(...names: readonly string[]): number {
    const place = this.at(...names);
    if (place < 0) throw new BillError(`账单缺少列：${names[0]}`);
    return place;
  }
}
