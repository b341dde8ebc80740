import type { ReactNode } from "react";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Picture } from "@zhangfang/web/show/Picture.tsx";
import { addProductPicture } from "../contract/index.ts";

/** Words that the server told, as a set to choose from. */
export const choices = (words: readonly string[] = []) => labelled(Object.fromEntries(words.map((word) => [word, word])));
export const named = (things: readonly { readonly id: string; readonly name: string }[] = []) =>
  labelled(Object.fromEntries(things.map(({ id, name }) => [id, name])));
/** A picture in a list: its small one, the whole one when pressed. */
export const Tile = ({ of, name, size = 36 }: { of: string | null; name: string; size?: number }): ReactNode =>
  of === null ? <span className="blank">—</span> : <Picture url={of.split("?")[0]!} tile={of} name={name} size={size} />;
/** Sends a picture of a form. @returns its address; what went wrong was said already */
export const uploadPicture = (base64: string): Promise<string | undefined> =>
  call(addProductPicture, { base64 }).then(
    ({ url }) => url,
    () => undefined,
  );
/** What a bar code field says: `6901234567892, BOX-1×24`. */
export const codesText = (codes: readonly { readonly barcode: string; readonly units: number }[]): string =>
  codes.map(({ barcode, units }) => (units === 1 ? barcode : `${barcode}×${units}`)).join("，");
export const codesOf = (text: string): { barcode: string; units: number }[] =>
  text
    .split(/[,，\s]+/)
    .filter(Boolean)
    .map((one) => {
      const [barcode = "", units = "1"] = one.split(/[×xX*](?=\d+$)/);
      return { barcode: barcode.toUpperCase(), units: Number(units) };
    });
