interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML(text: string): string }): unknown;
  readonly defaultPolicy?: unknown;
}

// ECharts empties its boxes with innerHTML = "", which Trusted Types refuse. Nothing but emptiness is let through.
const trusted = (window as { trustedTypes?: TrustedTypes }).trustedTypes;
if (trusted && !trusted.defaultPolicy) {
  trusted.createPolicy("default", {
    createHTML: (text) => {
      if (text !== "") throw new TypeError("markup from text is refused");
      return text;
    },
  });
}
