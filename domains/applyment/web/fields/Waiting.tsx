import { Button } from "@zhangfang/web/show/Button.tsx";
import { type Field, listOf } from "../../contract/rules/dossier.ts";
import type { FieldValue, Said } from "./FieldRow.tsx";

interface Waiting {
  readonly typed: Readonly<Record<string, { readonly refused?: string }>>;
  readonly conflicts: Readonly<Record<string, { readonly theirs: FieldValue; readonly byName: string }>>;
  readonly keepMine: (path: string) => void;
  readonly takeTheirs: (path: string) => void;
}
/** Why what is typed in a field is not kept: the server does not take it, or two people wrote; then both are seen, and somebody chooses. */
export function waitingOf({ typed, conflicts, keepMine, takeTheirs }: Waiting, field: Field): readonly Said[] {
  const { path } = field;
  const [refused, conflict] = [typed[path]?.refused, conflicts[path]];
  if (!conflict) return refused === undefined ? [] : [{ tone: "bad", text: `没有保存上：${refused}` }];
  const isPicture = field.form === "picture" || field.form === "pictures";
  const words = listOf({ [path]: conflict.theirs }, path).map((text) => field.options?.label(text) ?? text);
  const said = words.length === 0 ? "清空了这一栏" : isPicture ? "换了图片" : `刚写了「${words.join("、")}」`;
  const text = (
    <span role="alert">
      {conflict.byName} {said}，你写的还没有保存。
      <Button tone="link" onClick={() => keepMine(path)}>
        用我写的
      </Button>{" "}
      <Button tone="link" onClick={() => takeTheirs(path)}>
        用对方的
      </Button>
    </span>
  );
  return [{ tone: "warn", text }];
}
