import type { ReactNode } from "react";
import { imageSrc } from "@zhangfang/web/show/image-src.ts";
import type { NoteContent } from "../../contract/index.ts";

const CALLS_IT = { none: "", centre: "去领券", member: "看我的会员页", url: "点这里" } as const;
/** What a follower sees of it in WeChat, which prints white. */
export function NotePhone({ kind, content, at }: { kind: "text" | "picture" | "article"; content: NoteContent; at: string }): ReactNode {
  const picture = content.picture && <img src={imageSrc(content.picture)} alt="" />;
  return (
    <div className="mass-phone">
      <p className="mass-phone-at num">{at}</p>
      {kind === "text" && (
        <p className="mass-bubble">
          {content.text || "文字会出现在这里"}
          {content.link.to !== "none" && <span className="mass-bubble-link">{CALLS_IT[content.link.to]}</span>}
        </p>
      )}
      {kind === "picture" && <div className="mass-shot">{picture || <span>图片</span>}</div>}
      {kind === "article" && (
        <div className="mass-card">
          <div className="mass-cover">{picture || <span>封面 900 × 383</span>}</div>
          <b>{content.title || "标题"}</b>
          <p>{content.digest || content.body.slice(0, 54) || "摘要"}</p>
          {content.link.to !== "none" && <span className="mass-bubble-link">阅读原文 · {CALLS_IT[content.link.to]}</span>}
        </div>
      )}
    </div>
  );
}
