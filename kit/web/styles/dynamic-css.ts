/** Stands in for rc-util's style writer: constructed style sheets need no <style> element, which the content security policy refuses. */
const sheets = new Map<string, CSSStyleSheet>();

/** Writes or replaces the sheet of a key. */
export function updateCSS(css: string, key: string): null {
  let sheet = sheets.get(key);
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheets.set(key, sheet);
    document.adoptedStyleSheets.push(sheet);
  }
  sheet.replaceSync(css);
  return null;
}
/** Takes the sheet of a key away. */
export function removeCSS(key: string): void {
  const sheet = sheets.get(key);
  if (!sheet) return;
  sheets.delete(key);
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
}
/** Adds a sheet that nobody takes away. */
export const injectCSS = (css: string): null => updateCSS(css, css);
/** Nothing is kept by container. */
export const clearContainerCache = (): void => undefined;
