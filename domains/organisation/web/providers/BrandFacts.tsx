import type { ReactNode } from "react";
import { DEFAULT_LEVEL_NAMES, LEVEL_KEYS } from "@zhangfang/contract/level-names.ts";
import { Group } from "@zhangfang/web/show/over/Detail.tsx";
import { Picture } from "@zhangfang/web/show/Picture.tsx";
import type { ProviderFacts } from "./provider-facts.ts";

/** What the provider's tree and domain names show. */
export function BrandFacts({ provider: { brand, levelNames }, children }: { provider: ProviderFacts; children: ReactNode }): ReactNode {
  const renamed = LEVEL_KEYS.filter((key) => levelNames[key]).map((key) => `${DEFAULT_LEVEL_NAMES[key]}→${levelNames[key]}`);
  const pictures = [
    ["标志", brand.logoUrl],
    ["小标志", brand.littleLogoUrl],
    ["网页图标", brand.faviconUrl],
    ["登录页背景", brand.loginBackgroundUrl],
  ] as const;
  return (
    <Group
      title="品牌"
      pairs={[
        ["系统名称", brand.brandTitle ?? "账房"],
        ["自有域名", brand.hosts.join("、")],
        ["ICP 备案号", brand.icpNumber],
        ["浅色界面", swatch(brand.colourLight)],
        ["深色界面", swatch(brand.colourDark)],
        ["层级名称", renamed.join("、") || "默认"],
      ]}
    >
      {pictures.some(([, url]) => url) && (
        <div className="provider-pictures">
          {pictures.map(
            ([name, url]) =>
              url && (
                <figure key={name}>
                  <Picture url={url} name={name} />
                  <figcaption>{name}</figcaption>
                </figure>
              ),
          )}
        </div>
      )}
      {children}
    </Group>
  );
}

const swatch = (colour: string | null): ReactNode =>
  colour ? (
    <>
      <span className="colour-swatch" style={{ background: colour }} aria-hidden="true" />
      <span className="num">{colour}</span>
    </>
  ) : (
    "默认"
  );
