/** Named things as the options of a picker. */
export const choicesOf = (rows: readonly { readonly id: string; readonly name: string }[] | undefined) =>
  (rows ?? []).map(({ id, name }) => ({ value: id, label: name }));
