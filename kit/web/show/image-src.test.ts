import { expect, test } from "vitest";
import { imageSrc } from "./image-src.ts";

test("WeChat's images go through the local path", () =>
  expect(imageSrc("https://mmbiz.qpic.cn/mmbiz_jpg/a/0?wx_fmt=jpeg")).toBe("/wxImgfilter/mmbiz.qpic.cn/mmbiz_jpg/a/0?wx_fmt=jpeg"));
test.each(["/files/a.png", "https://cdn.example.cn/a.png", "https://mmbiz.qpic.cn.evil.example/a", "data:image/png;base64,AA"])(
  "%s stays as it is",
  (url) => expect(imageSrc(url)).toBe(url),
);
