import { createElement, type ReactNode, useEffect, useState } from "react";
import { injectCSS } from "@zhangfang/web/styles/dynamic-css.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { SITE_CSS, siteTree, type SiteContent, type SiteNode } from "../../contract/sites/site-tree.ts";

const WIDTHS = { phone: "手机", desk: "电脑" } as const;

/** How the page will look: the same tree that the server writes, drawn here; nothing in it can be pressed. */
export function SitePreview({ content, brand }: { content: SiteContent; brand: { name: string; logoUrl: string | null } }): ReactNode {
  const [width, setWidth] = useState<keyof typeof WIDTHS>("phone");
  useEffect(() => void injectCSS(SITE_CSS), []);
  return (
    <section className="site-preview" aria-label="预览">
      <div className="site-widths" role="group" aria-label="预览宽度">
        {(["phone", "desk"] as const).map((one) => (
          <Button key={one} small aria-pressed={width === one} tone={width === one ? "primary" : "plain"} onClick={() => setWidth(one)}>
            {WIDTHS[one]}
          </Button>
        ))}
      </div>
      <div className={`site-frame site-frame-${width}`} inert>
        {drawn(siteTree(content, brand), 0)}
      </div>
    </section>
  );
}

function drawn(node: SiteNode, key: number): ReactNode {
  if (typeof node === "string") return node;
  const { tag, className, href, src, children = [] } = node;
  if (tag === "img") return createElement("img", { key, src, alt: "" });
  // Headings of the preview are none of the page around it.
  const shown = tag === "h1" || tag === "h2" ? { role: "presentation" } : {};
  return createElement(tag, { key, className, href, ...shown }, ...children.map(drawn));
}
