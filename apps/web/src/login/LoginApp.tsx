import "./login.css";
import { type ReactNode, useEffect, useState } from "react";
import { DEFAULT_TITLE, getBrand } from "@zhangfang/domains/accounts/contract/self.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { startSession } from "@zhangfang/web/api/session.ts";
import { type Brand, documentTitle, showFavicon } from "../brand.ts";
import { PreparingBar } from "../PreparingBar.tsx";
import { AutoLogin } from "./AutoLogin.tsx";
import { HalfWay } from "./HalfWay.tsx";
import { PasswordForm } from "./PasswordForm.tsx";
import { QrPane } from "./QrPane.tsx";

/** Takes the token and goes in; whoever came from a page goes back to it. */
function enter(token: string): void {
  startSession(token);
  location.replace("#/");
}

/** The login page: plain HTML, in the provider's name and logo. While somebody types, the rest of the product travels. */
export function LoginApp({ auto }: { auto: boolean }): ReactNode {
  const [brand, setBrand] = useState<Brand>();
  const [preparing, setPreparing] = useState<number | null>(null);
  const [way, setWay] = useState<"password" | "qr">("password");
  useEffect(() => {
    document.title = documentTitle(undefined, undefined);
    call(getBrand, {}, { quiet: true }).then(
      (given) => {
        const { logoUrl, littleLogoUrl: smallLogoUrl, faviconUrl, loginBackgroundUrl, icpNumber } = given;
        const found = { title: given.name ?? DEFAULT_TITLE, logoUrl, smallLogoUrl, faviconUrl, loginBackgroundUrl, icpNumber };
        setBrand(found);
        setPreparing(given.preparing);
        showFavicon(found);
        // Few have colours of their own; the others need not wait for what draws them.
        const colours = { light: given.colourLight, dark: given.colourDark };
        if (colours.light || colours.dark)
          import("@zhangfang/web/look/accent.ts").then(({ showAccent }) => showAccent(colours)).catch(() => {});
      },
      () => setBrand({ title: DEFAULT_TITLE }),
    );
    const idle = setTimeout(() => import("../SignedIn.tsx").catch(() => {}), 1500);
    return () => clearTimeout(idle);
  }, []);
  return (
    <div className="login" style={behind(brand?.loginBackgroundUrl)}>
      <main className="login-sheet">
        <header className="login-brand">
          {brand?.logoUrl ? <img src={brand.logoUrl} alt="" /> : <span className="login-seal">{brand && [...brand.title][0]}</span>}
          <h1>{brand?.title ?? "\u00a0"}</h1>
        </header>
        {preparing !== null && <PreparingBar percent={preparing} className="login-making" />}
        {auto ? (
          <AutoLogin enter={enter} />
        ) : (
          <>
            <HalfWay />
            <div className="login-ways" role="tablist" aria-label="登录方式">
              <WayTab id="password" way={way} choose={setWay} label="密码登录" />
              <WayTab id="qr" way={way} choose={setWay} label="扫码登录" />
            </div>
            <div role="tabpanel" id="pane" aria-labelledby={`way-${way}`}>
              {way === "password" ? <PasswordForm enter={enter} /> : <QrPane enter={enter} />}
            </div>
          </>
        )}
        {brand?.icpNumber && (
          <footer className="login-icp">
            <a href="https://beian.miit.gov.cn/" target="_blank" rel="noreferrer">
              {brand.icpNumber}
            </a>
          </footer>
        )}
      </main>
    </div>
  );
}

/** The provider's picture behind the sheet. */
const behind = (url: string | null | undefined) =>
  url && /^\/[\w./-]+$/.test(url) ? { background: `url("${url}") center / cover` } : undefined;

function WayTab({
  id,
  way,
  choose,
  label,
}: {
  id: "password" | "qr";
  way: string;
  choose: (way: "password" | "qr") => void;
  label: string;
}): ReactNode {
  const chosen = way === id;
  const other = id === "password" ? "qr" : "password";
  return (
    <button
      type="button"
      role="tab"
      id={`way-${id}`}
      aria-selected={chosen}
      aria-controls="pane"
      tabIndex={chosen ? 0 : -1}
      onClick={() => choose(id)}
      onKeyDown={(event) => {
        if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
        choose(other);
        document.getElementById(`way-${other}`)?.focus();
      }}
    >
      {label}
    </button>
  );
}
