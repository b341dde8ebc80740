import { read, write } from "@zhangfang/contract/endpoint.ts";
import { day, done, id, instant } from "@zhangfang/contract/fields.ts";
import { z } from "zod";
import { role } from "./levels.ts";

/** The app whose items user_item answers (spec.md section 9). */
export const APP_ID = "Fy.Background";
/** Shown where no provider's brand is known. */
export const DEFAULT_TITLE = "账房";

export const getAccount = read({
  path: "/api/account",
  title: "当前账号",
  access: "signed-in",
  envelope: "bare",
  input: z.object({}),
  output: z.object({
    authorities: z.array(z.enum(role.values as unknown as ["ROLE_ADMIN"])),
    firstName: z.string(),
    login: z.string(),
    rootLogin: z.string(),
    id,
    avatar: z.string().nullable(),
    /** Who really acts and until when, in a session of log in as. */
    actingFor: z.object({ actorLogin: z.string(), until: instant, readOnly: z.boolean() }).nullable(),
  }),
});
const text = z.string().nullable();
const brand = {
  /** How far the demo world of this service is, in percent, while it is being made. */
  preparing: z.int().nullable(),
  name: text,
  littleLogoUrl: text,
  logoUrl: text,
  faviconUrl: text,
  /** The brand's colour in the light and in the dark theme, each read at 4.5:1 where it stands; null is the house's own. */
  colourLight: text,
  colourDark: text,
  icpNumber: text,
};
export const getConfig = read({
  path: "/sfpfacadeservicepc/api/config-query",
  title: "界面配置",
  access: "signed-in",
  envelope: "bare",
  input: z.object({}),
  output: z.object({
    ...brand,
    entityName: z.string(),
    feedbackUrl: text,
    /** What the provider calls its levels; what is left out has the house's name. */
    levelNames: z.record(z.string(), z.string()),
    /** Told to the provider's own accounts within 30 days of their contract's last day. */
    contractEnds: z.object({ until: day, daysLeft: z.int() }).nullable(),
  }),
});
/** The brand of the host that was asked, before anybody is known; unknown hosts get the default. */
export const getBrand = read({
  path: "/api/brand",
  title: "品牌",
  access: "public",
  input: z.object({}),
  output: z.object({ ...brand, loginBackgroundUrl: text }),
});

/** A node of the menu or a button (spec.md sections 2 and 3). `para` is JSON text: versions, icon, title, component, html. */
const authItem = z.object({
  id: z.int(),
  parentId: z.int(),
  name: z.string(),
  path: z.string(),
  type: z.enum(["menu", "page", "button"]),
  para: z.string().nullable(),
});
export const listUserItems = read({
  path: "/auth/api/auth/user_item",
  title: "菜单与权限",
  access: "signed-in",
  envelope: "code-data",
  input: z.object({ appId: z.literal(APP_ID, "未知的应用") }),
  output: z.array(authItem),
});

const key = z.string().regex(/^[a-z][\w.:-]{0,63}$/i, "名称格式不正确");
export const getPreference = read({
  path: "/api/preferences/:key",
  title: "读取偏好",
  access: "signed-in",
  input: z.object({ key }),
  output: z.object({ value: z.json().nullable() }),
});
/** Saved columns, page sizes and the like of one account; at most 16 KB each and 200 of them. */
export const setPreference = write({
  path: "/api/preferences/:key",
  verb: "PUT",
  title: "保存偏好",
  access: "signed-in",
  input: z.object({ key, value: z.json().refine((value) => JSON.stringify(value).length <= 16_384, "内容过长") }),
  output: done,
});
