import { fieldOf } from "./fields.ts";

/** A field as it may be shown: a secret keeps what tells it from others, every other value stays as it is. */
export function maskOf(path: string, text: string): string {
  const field = fieldOf(path);
  if (!field?.secret || text === "") return text;
  if (field.form === "phone") return `${text.slice(0, 3)}****${text.slice(-4)}`;
  if (field.form === "mail") return `${text.slice(0, 1)}***${text.slice(text.indexOf("@"))}`;
  if (field.form === "id-number" || field.form === "card-number") return `****${text.slice(-4)}`;
  const signs = [...text];
  if (path.endsWith(".address")) return `${signs.slice(0, 6).join("")}****`;
  // 王明 王*, 王小明 王*明.
  return signs.length < 3 ? `${signs[0] ?? ""}*` : `${signs[0]}${"*".repeat(signs.length - 2)}${signs.at(-1)}`;
}
