import { preference } from "../look/preferences.ts";

/** The account's choice: whether single letters do anything. A voice control or a trembling hand types them by chance (WCAG 2.1.4). */
export const LETTER_KEYS = "letter-keys";
/** Whether single letters do anything now. */
export const letterKeysOn = (): boolean => preference<boolean>(LETTER_KEYS) !== false;
