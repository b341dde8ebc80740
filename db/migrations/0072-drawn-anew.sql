-- Pictures are drawn anew as WebP when they come; those that are here stay as they are.
alter table brand_pictures drop constraint brand_pictures_content_type_check,
  add constraint brand_pictures_content_type_check check (content_type in ('image/png', 'image/jpeg', 'image/webp'));
alter table order_pictures drop constraint order_pictures_content_type_check,
  add constraint order_pictures_content_type_check check (content_type in ('image/png', 'image/jpeg', 'image/webp')),
  -- The same picture smaller, WebP; a picture from before has none.
  add column small bytea check (length(small) <= 180000), add column middle bytea check (length(middle) <= 180000);
alter table config_pictures drop constraint config_pictures_content_type_check,
  add constraint config_pictures_content_type_check check (content_type in ('image/png', 'image/jpeg', 'image/webp'));
alter table device_files drop constraint device_files_content_type_check,
  add constraint device_files_content_type_check check (content_type in ('image/png', 'image/jpeg', 'image/webp', 'text/plain'));
alter table ad_materials drop constraint ad_materials_content_type_check,
  add constraint ad_materials_content_type_check check (content_type in ('image/png', 'image/jpeg', 'image/webp', 'video/mp4'));
