import { openFiles } from "@zhangfang/server/files/files.ts";
import { openZip } from "@zhangfang/server/lists/zip-writer.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { step as steps } from "../../contract/codes.ts";
import { type Dossier, FIELDS, listOf } from "../../contract/words.ts";

const isPicture = (form: string): boolean => form === "picture" || form === "pictures";
/** A dossier as a zip: 资料.txt step by step, and each picture under the name of its field. A picture that is gone is named as missing. */
export async function packageZip({ config }: Pick<Services, "config">, dossier: Dossier, title: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const zip = openZip(async (bytes) => void pieces.push(Buffer.from(bytes)));
  const lines: string[] = [title, ""];
  const pictures: { readonly name: string; readonly id: string }[] = [];
  for (const step of steps.values) {
    const fields = FIELDS.filter((field) => field.step === step && field.when(dossier) && listOf(dossier, field.path).length > 0);
    if (fields.length === 0) continue;
    lines.push(`【${steps.label(step)}】`);
    for (const { path, label, form, options } of fields) {
      const texts = listOf(dossier, path);
      if (!isPicture(form)) {
        lines.push(`${label}：${texts.map((text) => options?.label(text) ?? text).join("、")}`);
        continue;
      }
      const named = texts.map((id, at) => ({ id, name: `${step}-${label}${texts.length > 1 ? ` ${at + 1}` : ""}.jpg` }));
      pictures.push(...named);
      lines.push(`${label}：见 ${named.map(({ name }) => name).join("、")}`);
    }
    lines.push("");
  }
  const found = await Promise.all(pictures.map(async ({ name, id }) => ({ name, bytes: await readAll(config, id) })));
  const missing = found.filter(({ bytes }) => bytes === undefined).map(({ name }) => name);
  if (missing.length > 0) lines.push(`已按期清除、不在包里的图片：${missing.join("、")}`);
  await zip.begin("资料.txt");
  // Windows' editor reads it by its mark.
  await zip.add(Buffer.from(`\uFEFF${lines.join("\r\n")}\r\n`));
  for (const { name, bytes } of found) {
    if (!bytes) continue;
    await zip.begin(name);
    await zip.add(bytes);
  }
  await zip.end();
  return Buffer.concat(pieces);
}
async function readAll(config: Services["config"], id: string): Promise<Buffer | undefined> {
  try {
    const { stream } = await openFiles(config).read(id);
    const pieces: Buffer[] = [];
    for await (const piece of stream) pieces.push(piece as Buffer);
    return Buffer.concat(pieces);
  } catch {
    return undefined;
  }
}
