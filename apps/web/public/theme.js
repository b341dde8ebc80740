// Before the first paint: the theme that was chosen, or the system's. The same key as kit/web/theme-choice.ts.
(function () {
  var chosen = null;
  try {
    chosen = localStorage.getItem("zhangfang_theme");
  } catch {
    /* no storage: the system decides */
  }
  var dark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
})();
