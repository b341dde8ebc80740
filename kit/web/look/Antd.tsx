import { ConfigProvider } from "antd";
import zhCN from "antd/es/locale/zh_CN.js";
import "dayjs/locale/zh-cn.js";
import type { ReactNode } from "react";
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
