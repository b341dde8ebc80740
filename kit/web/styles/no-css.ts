/**
 * Stands in for the style writer of antd's cssinjs: everything that it would write is in the extracted CSS.
 * It marks the element that it gets, so it gets one that stands nowhere.
 */
export const updateCSS = (): HTMLStyleElement => document.createElement("style");
/** Nothing was written. */
export const removeCSS = (): void => undefined;
/** As updateCSS. */
export const injectCSS = updateCSS;
/** Nothing is kept by container. */
export const clearContainerCache = (): void => undefined;
