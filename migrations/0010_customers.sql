-- Customers as a resource of their own: listed, searched, changed with a history, and erased (GDPR art. 17).

-- Lets a trigram index begin with the project.
create extension if not exists btree_gin;

-- A text as customers are searched: lower case, umlauts and their spellings with `e` as the bare vowel (ä, ae → a), without
-- diacritics, punctuation as one blank. What is stored and what someone types go through it alike; the result holds no
-- wildcard of LIKE. Like `foldName` of src/domain/supplier-name.ts, but here, so that whatever writes a row is searched.
create function fold_for_search(value text) returns text language sql immutable strict parallel safe as $$
  select trim(regexp_replace(
    regexp_replace(
      replace(replace(
        translate(
          regexp_replace(lower(normalize(value, nfkd)), '[\u0300-\u036f\u00ad\u200b-\u200f\ufeff]+', '', 'g'),
          'æœøłđðı', 'aoolddi'
        ),
        'ß', 'ss'), 'þ', 'th'),
      '([aou])e+', '\1', 'g'
    ),
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f]+', ' ', 'g'
  ))
$$;

alter table customers
  -- When everything personal was removed; the row stays, because the contract does.
  add column erased_at timestamptz,
  -- Begins with a blank, as every word in it does.
  add column search_text text not null generated always as (
    ' ' || fold_for_search(coalesce(company_name, '') || ' ' || first_name || ' ' || last_name || ' ' || email)
  ) stored,
  -- Nothing personal comes back into an erased row.
  add check (
    erased_at is null or (
      coalesce(company_name, 'erased') = 'erased' and first_name = 'erased' and last_name = 'erased'
      and email = 'erased@erased.invalid' and vat_id is null
    )
  );
create index customers_type on customers (project_id, type, id);
create index customers_updated_at on customers (project_id, updated_at, id);
-- A short list of what is pending: whoever makes it overflow pays for it.
create index customers_search on customers using gin (project_id, search_text gin_trgm_ops)
  with (gin_pending_list_limit = 512);

-- What was changed of a customer, and by whom; its events carry nothing personal.
create table customer_changes (
  project_id uuid not null,
  customer_id uuid not null,
  sequence integer not null check (sequence > 0),
  type text not null check (type in ('updated', 'erased')),
  occurred_at timestamptz not null,
  request_id text,
  credential_id uuid,
  -- JSON Pointers of what was changed.
  fields text[] not null,
  -- What it was before; `{}` once the customer is erased.
  previous json not null,
  primary key (project_id, customer_id, sequence),
  foreign key (project_id, customer_id) references customers (project_id, id)
);

-- Finds the answers kept about one resource: by what a request created, or else by its path.
create index idempotency_keys_subject
  on idempotency_keys (project_id, coalesce(headers ->> 'location', path) text_pattern_ops);
