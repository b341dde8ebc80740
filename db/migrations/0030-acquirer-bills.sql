-- Bills of acquirers beside the direct channels': a merchant's day at each acquirer stands by itself.
alter table bill_settings drop constraint bill_settings_source_check,
  add constraint bill_settings_source_check check (source in ('wechat', 'alipay') or source ~ '^acquirer-[1-68]$');
alter table bill_files drop constraint bill_files_source_check,
  add constraint bill_files_source_check check (source in ('wechat', 'alipay') or source ~ '^acquirer-[1-68]$');
alter table recon_days drop constraint recon_days_source_check,
  add constraint recon_days_source_check check (source in ('wechat', 'alipay') or source ~ '^acquirer-[1-68]$');
