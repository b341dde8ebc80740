-- The page behind a receipt looks an order's applications up, and a file by its id alone.
create index invoice_application_orders_order on invoice_application_orders (service_provider_id, order_id);
create index invoice_files_id on invoice_files (id);
-- One number of the bureau's is one invoice.
create unique index invoices_invoice_no on invoices (service_provider_id, invoice_no) where invoice_no is not null;
