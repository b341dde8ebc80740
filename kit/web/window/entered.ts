import type { KeyboardEvent } from "react";

/** Whether an input method composes: its keys choose among its own words. Safari says it of the last one by the code alone. */
export const composes = ({ nativeEvent }: KeyboardEvent): boolean => nativeEvent.isComposing || nativeEvent.keyCode === 229;

/** Whether somebody is done with a field: Enter, and not the one that ends what an input method composes. */
export const entered = (event: KeyboardEvent): boolean => event.key === "Enter" && !composes(event);
