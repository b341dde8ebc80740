import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { useThemeShown } from "@zhangfang/web/look/theme-choice.ts";
import type { Brand } from "../brand.ts";

/** The provider's logo on a plate of the sidebar's own tone; an ink monogram where there is none. */
export function BrandMark({ brand, small }: { brand: Brand; small: boolean }): ReactNode {
  const [broken, setBroken] = useState(false);
  const [plateIn, setPlateIn] = useState<(theme: "light" | "dark") => string>();
  const theme = useThemeShown();
  const url = small ? (brand.smallLogoUrl ?? brand.logoUrl) : (brand.logoUrl ?? brand.smallLogoUrl);
  const showName = !small && (!url || broken || url === brand.smallLogoUrl);
  return (
    <Link className="brand" to="/" title="返回首页">
      {url && !broken ? (
        <img
          className={plateIn?.(theme)}
          src={url}
          alt=""
          onError={() => setBroken(true)}
          onLoad={({ currentTarget }) => void platesFor(currentTarget).then((found) => setPlateIn(() => found))}
        />
      ) : (
        <span className="monogram" aria-hidden="true">
          {[...brand.title][0]}
        </span>
      )}
      <span className={showName ? "brand-name" : "sr-only"}>{brand.title}</span>
    </Link>
  );
}

/** Which plate it wants in each theme. A logo of another origin keeps its secret. */
async function platesFor(logo: HTMLImageElement): Promise<((theme: "light" | "dark") => string) | undefined> {
  // Most of what is waited for first is without it.
  const { pixelsOf, plateOf } = await import("./logo-plate.ts");
  const pixels = pixelsOf(logo);
  return pixels && ((theme) => plateOf(pixels, theme));
}
