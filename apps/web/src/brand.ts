/** What a provider calls the product and shows as its mark. */
export interface Brand {
  readonly title: string;
  readonly logoUrl?: string | null;
  readonly smallLogoUrl?: string | null;
  readonly faviconUrl?: string | null;
  readonly loginBackgroundUrl?: string | null;
  readonly icpNumber?: string | null;
  readonly entityName?: string;
  readonly feedbackUrl?: string | null;
}

/** Before anybody is known. */
const GENERIC_TITLE = "智慧商业服务平台";

/** `<page title> - <entity name>`; before login the generic title. */
export function documentTitle(page: string | undefined, entityName: string | undefined): string {
  return [page, entityName].filter(Boolean).join(" - ") || GENERIC_TITLE;
}

/** Shows the provider's icon, or its small mark, as the page's. */
export function showFavicon({ faviconUrl, smallLogoUrl }: Brand): void {
  const url = faviconUrl ?? smallLogoUrl;
  const link = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  if (link && url) link.href = url;
}
