import { type ReactNode, type SyntheticEvent, useState } from "react";
import { Link } from "react-router";
import { useThemeShown } from "@zhangfang/web/look/theme-choice.ts";
import type { Brand } from "../brand.ts";
import { plateOf, SIDE } from "./logo-plate.ts";

/** The provider's logo on a plate of the sidebar's own tone; an ink monogram where there is none. */
export function BrandMark({ brand, small }: { brand: Brand; small: boolean }): ReactNode {
  const [broken, setBroken] = useState(false);
  const [pixels, setPixels] = useState<Uint8ClampedArray>();
  const theme = useThemeShown();
  const url = small ? (brand.smallLogoUrl ?? brand.logoUrl) : (brand.logoUrl ?? brand.smallLogoUrl);
  const showName = !small && (!url || broken || url === brand.smallLogoUrl);
  return (
    <Link className="brand" to="/" title="返回首页">
      {url && !broken ? (
        <img
          className={pixels && plateOf(pixels, theme)}
          src={url}
          alt=""
          onError={() => setBroken(true)}
          onLoad={(event) => setPixels(pixelsOf(event))}
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

/** Its points, to tell how light it is. A logo of another origin keeps its secret. */
function pixelsOf({ currentTarget }: SyntheticEvent<HTMLImageElement>): Uint8ClampedArray | undefined {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIDE;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) return undefined;
  try {
    context.drawImage(currentTarget, 0, 0, SIDE, SIDE);
    return context.getImageData(0, 0, SIDE, SIDE).data;
  } catch {
    return undefined;
  }
}
