import { logoOf, type Poster, posterSvg } from "./poster.ts";
import { type PosterFormat, printSheets, saveSheets, type Sheet } from "./sheets.ts";

async function sheetOf(poster: Poster): Promise<Sheet> {
  const { id, storeName, storeNumber, cashierName, cashierCode } = poster;
  const name = cashierName === null ? storeName : `${storeName}-${cashierName}`;
  return { id, name: `收款码-${name}-${cashierCode ?? storeNumber}`, svg: posterSvg(poster, await logoOf(poster)) };
}
/** One poster as a file, several as a zip. */
export const savePosters = async (posters: readonly Poster[], format: PosterFormat): Promise<void> =>
  saveSheets(await Promise.all(posters.map(sheetOf)), format, `收款码-${posters.length}张`);
/** Prints posters, a page each. */
export const printPosters = async (posters: readonly Poster[]): Promise<void> => printSheets(await Promise.all(posters.map(sheetOf)));
