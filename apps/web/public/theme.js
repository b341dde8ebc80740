// Before the first paint, and when the system's changes: the theme that was chosen, or the system's. The same key as kit/web/theme-choice.ts.
(function () {
  var system = matchMedia("(prefers-color-scheme: dark)");
  function show() {
    var chosen = null;
    try {
      chosen = localStorage.getItem("zhangfang_theme");
    } catch {
      /* no storage: the system decides */
    }
    var dark = chosen === "dark" || (chosen !== "light" && system.matches);
    document.documentElement.dataset.theme = dark ? "dark" : "light";
  }
  show();
  system.addEventListener("change", show);
})();
