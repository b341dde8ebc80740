/** What is used of it. Its published types bring Node's along, which the browser's side must not see. */
declare module "papaparse" {
  const papaparse: {
    parse(
      text: string,
      options: { readonly delimitersToGuess: readonly string[] },
    ): { readonly data: string[][]; readonly errors: readonly { readonly type: string; readonly row?: number }[] };
  };
  export default papaparse;
}
