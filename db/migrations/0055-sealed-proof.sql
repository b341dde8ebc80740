-- One value that was sealed with the service's secret: whether the secret of today still opens what is stored. The service writes it once.
create table sealed_proof (
  only_one boolean primary key default true check (only_one),
  sealed text not null
);
insert into app.open_tables values ('sealed_proof', 'holds nothing but a word that everybody knows, sealed; asked before anybody is known');
