import { domain } from "@zhangfang/server/calls/domain.ts";
import { adoptBaseGoodRoute, offerBaseGoodsRoute, takeBackBaseGoodsRoute } from "./base/offer-base.ts";
import { getBaseGoodRoute, getBaseGoodsRoute, summariseBaseGoodsRoute } from "./base/read-base.ts";
import { getSaleGoodRoute, getSaleGoodsRoute, summariseSaleGoodsRoute } from "./base/sale-goods.ts";
import { addBaseGoodRoute, spreadBaseGood, updateBaseGoodRoute } from "./base/write-base.ts";
import { getTillCatalogRoute, purgeTombstones } from "./catalog/till-catalog.ts";
import { productExports } from "./export-products.ts";
import { addProductPictureRoute, getProductPictureRoute, purgeProductPictures } from "./goods/pictures.ts";
import { productFinder } from "./goods/find-products.ts";
import { getProductRoute, getProductsRoute, summariseProductsRoute } from "./goods/read-products.ts";
import { setProductSaleRoute } from "./goods/set-sale.ts";
import { addProductRoute, removeProductRoute, setScalePatternRoute, updateProductRoute } from "./goods/write-products.ts";
import { knowGoods } from "./know-goods.ts";
import { priceImport } from "./import/import-prices.ts";
import { newProductImport, updateProductImport } from "./import/import-products.ts";
import { cancelPriceRoute, changePriceRoute } from "./prices/change-price.ts";
import { turnPricesJob } from "./prices/turn-prices.ts";
import { moveStockRoute, setShelfSaleRoute, setWarningRoute } from "./shelf/move-stock.ts";
import { getShelfItemRoute, getShelfRoute, summariseShelfRoute } from "./shelf/read-shelf.ts";
import { returnGoodsRoute } from "./shelf/return-goods.ts";
import { takeSold } from "./shelf/take-sold.ts";
import { addTagRoute, getTagRoute, getTagsRoute, removeTagRoute, renameTagRoute, tagProductsRoute } from "./tags/tags.ts";
import { verifyProducts } from "./verify-products.ts";

// For the mall, which orders before it is paid.
export { backOnShelf, reserveStock } from "./shelf/hold-stock.ts";

export const products = domain({
  routes: [
    getProductsRoute,
    summariseProductsRoute,
    getProductRoute,
    addProductRoute,
    updateProductRoute,
    setProductSaleRoute,
    removeProductRoute,
    changePriceRoute,
    cancelPriceRoute,
    setScalePatternRoute,
    addProductPictureRoute,
    getProductPictureRoute,
    getShelfRoute,
    summariseShelfRoute,
    getShelfItemRoute,
    setShelfSaleRoute,
    moveStockRoute,
    setWarningRoute,
    returnGoodsRoute,
    getTagsRoute,
    getTagRoute,
    addTagRoute,
    renameTagRoute,
    removeTagRoute,
    tagProductsRoute,
    getBaseGoodsRoute,
    summariseBaseGoodsRoute,
    getBaseGoodRoute,
    addBaseGoodRoute,
    updateBaseGoodRoute,
    offerBaseGoodsRoute,
    takeBackBaseGoodsRoute,
    adoptBaseGoodRoute,
    getSaleGoodsRoute,
    summariseSaleGoodsRoute,
    getSaleGoodRoute,
    getTillCatalogRoute,
  ],
  jobs: [turnPricesJob, spreadBaseGood, purgeTombstones, purgeProductPictures],
  exports: productExports,
  imports: [newProductImport, updateProductImport, priceImport],
  finders: [productFinder],
  goods: knowGoods,
  hearers: { 商品出库: takeSold },
  verify: { name: "products", run: verifyProducts },
});
