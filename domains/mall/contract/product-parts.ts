/** What a product is told apart by. */
export function partsOfProduct(key: string): { readonly merchantId: string; readonly goodsNo: string } {
  return { merchantId: key.slice(0, 36), goodsNo: key.slice(37) };
}
