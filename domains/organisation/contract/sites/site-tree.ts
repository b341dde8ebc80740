/** What a site says. */
export interface SiteContent {
  readonly title: string;
  readonly tagline: string;
  readonly bannerUrl: string | null;
  readonly sections: { title: string; text: string }[];
  readonly phone: string;
  readonly email: string;
  readonly address: string;
  readonly icpNumber: string;
}
/** A piece of the page: text, or an element with nothing but these attributes. */
export type SiteNode =
  | string
  | {
      readonly tag: "div" | "header" | "main" | "section" | "footer" | "h1" | "h2" | "p" | "a" | "img" | "ul" | "li";
      readonly className?: string;
      readonly href?: string;
      readonly src?: string;
      readonly children?: readonly SiteNode[];
    };

/** The page of a site as a tree: the server writes it as HTML, the editor draws it, both the same. */
export function siteTree(content: SiteContent, { name, logoUrl }: { name: string; logoUrl: string | null }): SiteNode {
  const { title, tagline, bannerUrl, sections, phone, email, address, icpNumber } = content;
  const contacts: SiteNode[] = [
    ...(phone ? [line("电话", { tag: "a", href: `tel:${phone.replaceAll(/[^\d-]/g, "")}`, children: [phone] })] : []),
    ...(email ? [line("邮箱", { tag: "a", href: `mailto:${email}`, children: [email] })] : []),
    ...(address ? [line("地址", address)] : []),
  ];
  return {
    tag: "div",
    className: "site",
    children: [
      {
        tag: "header",
        className: "site-top",
        children: [
          logoUrl ? { tag: "img", src: logoUrl } : { tag: "p", className: "site-name", children: [name] },
          { tag: "a", className: "site-login", href: "/index.html#/login", children: ["登录"] },
        ],
      },
      {
        tag: "div",
        className: "site-banner",
        children: [
          ...(bannerUrl ? [{ tag: "img", src: bannerUrl } as const] : []),
          {
            tag: "div",
            className: "site-words",
            children: [{ tag: "h1", children: [title] }, ...(tagline ? [{ tag: "p", children: [tagline] } as const] : [])],
          },
        ],
      },
      {
        tag: "main",
        className: "site-main",
        children: sections.map((section) => ({
          tag: "section" as const,
          children: [
            { tag: "h2" as const, children: [section.title] },
            ...paragraphs(section.text).map((text) => ({ tag: "p" as const, children: [text] })),
          ],
        })),
      },
      {
        tag: "footer",
        className: "site-foot",
        children: [
          ...(contacts.length > 0 ? [{ tag: "ul", children: contacts } as const] : []),
          ...(icpNumber ? [{ tag: "a", href: "https://beian.miit.gov.cn/", children: [icpNumber] } as const] : []),
        ],
      },
    ],
  };
}
const line = (label: string, value: SiteNode): SiteNode => ({ tag: "li", children: [`${label}：`, value] });
const paragraphs = (text: string): string[] =>
  text
    .split(/\n+/)
    .map((one) => one.trim())
    .filter(Boolean);

/** How a site looks; by the width it has, so that the editor shows a phone's. */
export const SITE_CSS = `.site{container-type:inline-size;background:#fff;color:#1b1f27;font:16px/1.7 system-ui,"PingFang SC","Microsoft YaHei",sans-serif;overflow-wrap:anywhere}
.site *{box-sizing:border-box;margin:0}
.site a{color:#2148a8}
.site-top{display:flex;align-items:center;justify-content:space-between;gap:16px;padding:12px 20px;max-width:1120px;margin:0 auto}
.site-top img{max-height:40px;max-width:60%}
.site-name{font-weight:600;font-size:18px}
.site-banner{background:#1b1f27;color:#fff}
.site-banner img{display:block;width:100%;max-height:420px;object-fit:cover}
.site-words{padding:40px 20px;max-width:1120px;margin:0 auto}
.site-words h1{font-size:28px;line-height:1.3}
.site-words p{margin-top:12px;font-size:17px}
.site-main{display:grid;gap:32px;padding:32px 20px;max-width:1120px;margin:0 auto}
.site-main h2{font-size:21px;margin-bottom:8px}
.site-main p+p{margin-top:8px}
.site-foot{display:grid;gap:12px;padding:24px 20px;background:#f6f5f2;font-size:14px;justify-items:center;text-align:center}
.site-foot ul{list-style:none;padding:0}
@container (min-width:720px){.site-words{padding:72px 20px}.site-words h1{font-size:44px}.site-main{grid-template-columns:1fr 1fr;gap:40px}.site-foot ul{display:flex;gap:24px;flex-wrap:wrap;justify-content:center}}
`;
