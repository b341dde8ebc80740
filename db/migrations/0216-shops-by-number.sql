-- Whose a platform's store is, over the merchants of a provider: asked by each mapping (one store at a moment, platforms.md 8.7) and by the
-- orders that an application of the provider's is told of.
create index other_stores_shop on other_stores (service_provider_id, platform, platform_store_id);
