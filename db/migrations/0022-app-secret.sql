-- 应用密钥: with it the merchant's own official account tells who stands before a page inside WeChat, so that it can pay there (JSAPI).
alter table channel_settings add column app_secret_sealed text, add column app_secret_tail text,
  add check ((app_secret_sealed is null) = (app_secret_tail is null));
