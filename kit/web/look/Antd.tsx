import { ConfigProvider } from "antd";
import zhCN from "antd/es/locale/zh_CN.js";
import "dayjs/locale/zh-cn.js";
import type { FocusEvent, ReactNode } from "react";
import { themeOf } from "./theme.ts";
import { useThemeShown } from "./theme-choice.ts";

const picker = { ...zhCN.DatePicker, lang: { ...zhCN.DatePicker?.lang, yearSelect: "", monthSelect: "" } };
/** A calendar's year and month are called what they show. */
const LOCALE = { ...zhCN, DatePicker: picker as typeof zhCN.DatePicker };
/** Lists and calendars open in a landmark of their own, outside the root that drawers make inert. */
const popups = (): HTMLElement => document.getElementById("popups") ?? document.body;
const THEMES = { light: themeOf("light"), dark: themeOf("dark") };

/** What antd's parts need around them. It stands beside each of them, so that a page without any needs none of antd. */
export function Antd({ children }: { children: ReactNode }): ReactNode {
  return (
    <ConfigProvider
      theme={THEMES[useThemeShown()]}
      locale={LOCALE}
      getPopupContainer={popups}
      button={{ autoInsertSpace: false }}
      wave={{ disabled: true }}
    >
      {children}
    </ConfigProvider>
  );
}

/**
 * Around a calendar. A page that is left is hidden, not ended: its parts have let go of their elements when the browser, a moment later, takes the focus
 * from what is not seen any more, and antd's calendar asks them where the focus went (@rc-component/picker 1.12). So it does not hear of that one.
 * @example <DeafWhenHidden><DatePicker autoFocus defaultOpen … /></DeafWhenHidden>
 */
export function DeafWhenHidden({ children }: { children: ReactNode }): ReactNode {
  const keep = (event: FocusEvent): void => void (event.target.checkVisibility() || event.stopPropagation());
  return (
    <span className="box-less" onBlurCapture={keep}>
      {children}
    </span>
  );
}
