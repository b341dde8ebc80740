import type { ReactNode } from "react";
import { Icon, type IconName } from "@zhangfang/web/show/icons.tsx";
import { luresIn } from "../../contract/index.ts";
import { audienceOf, contentOf, type NoteFields } from "./note-fields.ts";
import { counted } from "./note-words.ts";
import type { useSpread } from "./Spread.tsx";

/** What is known before it goes out. */
export function Before({ form, spread }: { form: NoteFields; spread: ReturnType<typeof useSpread>["data"] }): ReactNode {
  const { kind } = form.values;
  const { text, title, digest, body } = contentOf(form);
  const lures = luresIn(kind === "text" ? text : [title, digest, body].join("\n"));
  const last = spread?.per === "month" ? (spread.spread.find(({ left }) => left === 1)?.people ?? 0) : 0;
  const none = spread?.spread.find(({ left }) => left === 0)?.people ?? 0;
  const next = spread?.others[0];
  const lines: (false | undefined | readonly [IconName, string, string])[] = [
    ["good", "花费 0.00 元", "只用额度，每人 1 条"],
    lures.length > 0 ? ["warning", "像是诱导分享", `微信可能不让发：${lures.join("、")}`] : ["good", "内容不含诱导分享", ""],
    last > 0 && ["warning", `${counted(last)} 人用掉最后 1 条`, next ? `之后「${next.name}」就发不到他们了` : "这个月再发就发不到他们了"],
    none > 0 && ["info", `${counted(none)} 人额度用完`, "这次不发给他们，也不占额度"],
    spread?.everybodySent && audienceOf(form).everybody && ["warning", "那一天已经发过全部粉丝", "微信每天只让发一次"],
    ["info", "发出后不能撤回", kind === "article" ? "可以删除图文，已收到的仍显示标题" : "文字和图片也不能删除"],
  ];
  return (
    <ul className="mass-before">
      {lines.map(
        (line) =>
          line && (
            <li key={line[1]} data-tone={line[0]}>
              <Icon name={line[0]} />
              <div>
                {line[1]}
                {line[2] !== "" && <small>{line[2]}</small>}
              </div>
            </li>
          ),
      )}
    </ul>
  );
}
