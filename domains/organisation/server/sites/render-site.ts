import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { siteTree, type SiteContent, type SiteNode } from "../../contract/index.ts";

/** A page that is served as it stands: no script, no frame, styles and pictures of our own alone. */
export const SITE_CSP =
  "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'";
const LINK = /^(?:tel:[\d-]{1,20}|mailto:[^\s<>"'&]{3,120}|\/index\.html#\/login|https:\/\/beian\.miit\.gov\.cn\/)$/;
const PICTURE = /^\/[\w./-]{1,200}$/;

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** A piece of the page as HTML: everything that somebody typed is text, and an address is one of ours or is left out. */
export function htmlOf(node: SiteNode): string {
  if (typeof node === "string") return escaped(node);
  const { tag, className, href, src, children = [] } = node;
  if (tag === "img") return src && PICTURE.test(src) ? `<img src="${escaped(src)}" alt="">` : "";
  const attributes = [className && ` class="${escaped(className)}"`, href && LINK.test(href) && ` href="${escaped(href)}"`].filter(Boolean);
  return `<${tag}${attributes.join("")}>${children.map(htmlOf).join("")}</${tag}>`;
}

/** The whole page. */
export function sitePage(content: SiteContent, brand: { name: string; logoUrl: string | null }): string {
  return `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="description" content="${escaped(content.tagline)}"><title>${escaped(content.title)}</title><link rel="stylesheet" href="/site.css"></head><body>${htmlOf(siteTree(content, brand))}</body></html>`;
}

/**
 * The published site of a host as HTML, for whoever asks; nothing where there is none, its provider is closed or the domain
 * name is no longer the provider's.
 * @param atRoot only where it stands at / too
 */
export async function renderSite(services: Services, host: string, atRoot = false): Promise<string | undefined> {
  const found = await withScope(
    services.pool,
    platformScope("official site"),
    (tx) =>
      tx
        .selectFrom("official_sites as s")
        .innerJoin("provider_hosts as h", (join) =>
          join.onRef("h.host", "=", "s.host").onRef("h.service_provider_id", "=", "s.service_provider_id"),
        )
        .innerJoin("service_providers as p", "p.id", "s.service_provider_id")
        .select(["s.published", "s.at_root", "p.logo_url", "p.brand_title", "p.short_name"])
        .where("s.host", "=", host.toLowerCase().slice(0, 260))
        .where("s.published", "is not", null)
        .where("p.state", "=", "active")
        .where("p.contract_state", "in", ["signed", "expired"])
        .executeTakeFirst(),
    { readOnly: true },
  );
  if (!found || (atRoot && !found.at_root)) return undefined;
  return sitePage(found.published as unknown as SiteContent, { name: found.brand_title ?? found.short_name, logoUrl: found.logo_url });
}
