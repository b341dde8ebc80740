-- Links of a merchant's differences are looked at after each match; there are few.
create index recon_differences_linked on recon_differences (service_provider_id, merchant_id, source) where resolution = 'linked';
