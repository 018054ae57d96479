extensions
  btree_gin
  pg_trgm

table addresses
  project_id uuid not null
  id uuid not null
  street text not null
  house_number text not null
  zip text not null
  city text not null
  created_at timestamp with time zone not null
  constraint addresses_pkey PRIMARY KEY (project_id, id)
  constraint addresses_zip_check CHECK ((zip ~ '^[0-9]{5}$'::text))

table audit_blocks
  first_position bigint not null
  last_position bigint not null
  project_ids uuid[] not null
  ids uuid[] not null
  hash bytea not null
  constraint audit_blocks_pkey PRIMARY KEY (last_position)
  constraint audit_blocks_first_position_key UNIQUE (first_position)
  constraint audit_blocks_check CHECK (((first_position >= 1) AND (first_position <= last_position)))
  constraint audit_blocks_check1 CHECK (((array_ndims(ids) = 1) AND (array_ndims(project_ids) = 1)))
  constraint audit_blocks_check2 CHECK (((cardinality(ids) = ((last_position - first_position) + 1)) AND (cardinality(project_ids) = cardinality(ids))))
  constraint audit_blocks_check3 CHECK (((array_position(ids, NULL::uuid) IS NULL) AND (array_position(project_ids, NULL::uuid) IS NULL)))
  constraint audit_blocks_hash_check CHECK ((octet_length(hash) = 32))

table audit_blocks_state
  only_row boolean not null default true
  chained xid8 not null
  has_earlier boolean not null
  last_position bigint not null
  last_hash bytea
  seal bytea
  constraint audit_blocks_state_pkey PRIMARY KEY (only_row)
  constraint audit_blocks_state_check CHECK (((last_position = 0) = (last_hash IS NULL)))
  constraint audit_blocks_state_check1 CHECK (((last_hash IS NULL) = (seal IS NULL)))
  constraint audit_blocks_state_last_hash_check CHECK ((octet_length(last_hash) = 32))
  constraint audit_blocks_state_last_position_check CHECK ((last_position >= 0))
  constraint audit_blocks_state_only_row_check CHECK (only_row)
  constraint audit_blocks_state_seal_check CHECK ((octet_length(seal) = 32))

table audit_chain
  only_row boolean not null default true
  last_position bigint not null
  last_hash bytea
  seal bytea
  constraint audit_chain_pkey PRIMARY KEY (only_row)
  constraint audit_chain_check CHECK (((last_position = 0) = (last_hash IS NULL)))
  constraint audit_chain_check1 CHECK (((last_hash IS NULL) = (seal IS NULL)))
  constraint audit_chain_only_row_check CHECK (only_row)

table audit_log
  project_id uuid not null
  id uuid not null
  occurred_at timestamp(0) with time zone not null
  credential_id uuid
  request_id text
  operation text not null
  resource text
  fields text[] not null default '{}'::text[]
  reason_encrypted bytea
  reason_digest bytea
  seal bytea not null
  erasure_seal bytea
  position bigint
  hash bytea
  transaction_id xid8 default pg_current_xact_id()
  constraint audit_log_pkey PRIMARY KEY (project_id, id)
  constraint audit_log_check CHECK ((("position" IS NULL) = (hash IS NULL)))
  constraint audit_log_check1 CHECK (((reason_encrypted IS NULL) OR (reason_digest IS NOT NULL)))
  constraint audit_log_check2 CHECK (((erasure_seal IS NULL) OR ((reason_encrypted IS NULL) AND (reason_digest IS NOT NULL))))
  constraint audit_log_erasure_seal_check CHECK ((octet_length(erasure_seal) = 32))
  constraint audit_log_hash_check CHECK ((octet_length(hash) = 32))
  constraint audit_log_operation_check CHECK ((operation <> ''::text))
  constraint audit_log_reason_digest_check CHECK ((octet_length(reason_digest) = 32))
  constraint audit_log_seal_check CHECK ((octet_length(seal) = 32))
  CREATE INDEX audit_log_earlier ON public.audit_log USING btree (id) WHERE (("position" IS NULL) AND (transaction_id IS NULL))
  CREATE INDEX audit_log_general ON public.audit_log USING btree (project_id, id) WHERE (resource IS NULL)
  CREATE UNIQUE INDEX audit_log_position ON public.audit_log USING btree ("position") WHERE ("position" IS NOT NULL)
  CREATE INDEX audit_log_resource ON public.audit_log USING btree (project_id, resource, id) WHERE (resource IS NOT NULL)
  CREATE INDEX audit_log_transaction ON public.audit_log USING btree (transaction_id) WHERE (transaction_id IS NOT NULL)

table credentials
  project_id uuid not null
  id uuid not null
  client_id text not null
  name text not null
  secret_hash bytea not null
  scopes text[] not null
  api_version text not null
  expires_at timestamp with time zone
  revoked_at timestamp with time zone
  created_at timestamp with time zone not null
  constraint credentials_pkey PRIMARY KEY (project_id, id)
  constraint credentials_client_id_key UNIQUE (client_id)
  constraint credentials_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id)
  constraint credentials_client_id_check CHECK ((client_id ~ '^[A-Za-z0-9_-]+$'::text))
  constraint credentials_scopes_check CHECK (((cardinality(scopes) > 0) AND (scopes <@ ARRAY['read:*'::text, 'write:*'::text])))
  constraint credentials_secret_hash_check CHECK ((octet_length(secret_hash) = 32))

table customer_changes
  project_id uuid not null
  customer_id uuid not null
  sequence integer not null
  type text not null
  occurred_at timestamp with time zone not null
  request_id text
  credential_id uuid
  fields text[] not null
  previous json not null
  constraint customer_changes_pkey PRIMARY KEY (project_id, customer_id, sequence)
  constraint customer_changes_project_id_customer_id_fkey FOREIGN KEY (project_id, customer_id) REFERENCES customers(project_id, id)
  constraint customer_changes_sequence_check CHECK ((sequence > 0))
  constraint customer_changes_type_check CHECK ((type = ANY (ARRAY['updated'::text, 'erased'::text])))

table customers with (fillfactor=90)
  project_id uuid not null
  id uuid not null
  type text not null
  company_name text
  first_name text not null
  last_name text not null
  email text not null
  vat_id text
  created_at timestamp with time zone not null
  updated_at timestamp with time zone not null
  erased_at timestamp with time zone
  search_text text not null generated always as ((' '::text || fold_for_search(((((((COALESCE(company_name, ''::text) || ' '::text) || first_name) || ' '::text) || last_name) || ' '::text) || email)))) stored
  constraint customers_pkey PRIMARY KEY (project_id, id)
  constraint customers_check CHECK (((type = 'company'::text) = (company_name IS NOT NULL)))
  constraint customers_check1 CHECK (((erased_at IS NULL) OR ((COALESCE(company_name, 'erased'::text) = 'erased'::text) AND (first_name = 'erased'::text) AND (last_name = 'erased'::text) AND (email = 'erased@erased.invalid'::text) AND (vat_id IS NULL))))
  constraint customers_type_check CHECK ((type = ANY (ARRAY['person'::text, 'company'::text])))
  CREATE INDEX customers_email ON public.customers USING btree (project_id, lower(email), id)
  CREATE INDEX customers_search ON public.customers USING gin (project_id, search_text gin_trgm_ops)
  CREATE INDEX customers_type ON public.customers USING btree (project_id, type, id)
  CREATE INDEX customers_updated_at ON public.customers USING btree (project_id, updated_at, id)

table encryption_check
  only_row boolean not null default true
  sample bytea not null
  constraint encryption_check_pkey PRIMARY KEY (only_row)
  constraint encryption_check_only_row_check CHECK (only_row)

table event_feed
  project_id uuid not null
  position bigint not null
  event_id uuid not null
  constraint event_feed_pkey PRIMARY KEY (project_id, "position")
  CREATE INDEX event_feed_event ON public.event_feed USING btree (project_id, event_id)

table event_feed_state
  only_row boolean not null default true
  published xid8 not null
  last_position bigint not null
  origin text
  constraint event_feed_state_pkey PRIMARY KEY (only_row)
  constraint event_feed_state_only_row_check CHECK (only_row)

table events
  project_id uuid not null
  id uuid not null
  subscription_id uuid
  sequence integer not null
  type text not null
  occurred_at timestamp with time zone not null
  request_id text
  data json not null
  revision integer not null default 1
  caused_by text not null default 'api'::text
  credential_id uuid
  transaction_id xid8 default pg_current_xact_id()
  resource_id uuid
  constraint events_pkey PRIMARY KEY (project_id, id)
  constraint events_project_id_subscription_id_sequence_key UNIQUE (project_id, subscription_id, sequence)
  constraint events_project_id_subscription_id_fkey FOREIGN KEY (project_id, subscription_id) REFERENCES subscriptions(project_id, id)
  constraint events_caused_by_check CHECK ((caused_by = ANY (ARRAY['api'::text, 'operator'::text, 'market'::text, 'time'::text])))
  constraint events_check CHECK (((credential_id IS NULL) OR (caused_by = 'api'::text)))
  constraint events_check1 CHECK ((num_nonnulls(subscription_id, resource_id) = 1))
  constraint events_sequence_check CHECK ((sequence > 0))
  CREATE UNIQUE INDEX events_resource ON public.events USING btree (project_id, resource_id, sequence) WHERE (resource_id IS NOT NULL)
  CREATE INDEX events_transaction ON public.events USING btree (transaction_id)

table grid_fee_reductions
  project_id uuid not null
  id uuid not null
  subscription_id uuid not null
  module_1 boolean not null
  module_2 boolean not null
  module_3 boolean not null
  status text not null
  blocked json
  due_at timestamp with time zone
  ordered_at timestamp with time zone
  effective_from date
  effective_until date
  rejection_code text
  end_reason text
  revision integer not null
  created_at timestamp with time zone not null
  updated_at timestamp with time zone not null
  constraint grid_fee_reductions_pkey PRIMARY KEY (project_id, id)
  constraint grid_fee_reductions_project_id_subscription_id_fkey FOREIGN KEY (project_id, subscription_id) REFERENCES subscriptions(project_id, id)
  constraint grid_fee_reductions_check CHECK (((module_1 <> module_2) AND (module_1 OR (NOT module_3))))
  constraint grid_fee_reductions_check1 CHECK (((ordered_at IS NOT NULL) OR (status = ANY (ARRAY['intended'::text, 'ended'::text]))))
  constraint grid_fee_reductions_check2 CHECK (((effective_from IS NOT NULL) OR (status <> 'activated'::text)))
  constraint grid_fee_reductions_check3 CHECK ((effective_until >= effective_from))
  constraint grid_fee_reductions_check4 CHECK (((rejection_code IS NOT NULL) = (status = 'rejected'::text)))
  constraint grid_fee_reductions_check5 CHECK (((end_reason IS NOT NULL) = (status = 'ended'::text)))
  constraint grid_fee_reductions_check6 CHECK (((blocked IS NULL) OR (status <> ALL (ARRAY['rejected'::text, 'ended'::text]))))
  constraint grid_fee_reductions_end_reason_check CHECK ((end_reason = ANY (ARRAY['requested'::text, 'replaced'::text, 'supply_ended'::text])))
  constraint grid_fee_reductions_revision_check CHECK ((revision > 0))
  constraint grid_fee_reductions_status_check CHECK ((status = ANY (ARRAY['intended'::text, 'ordered'::text, 'activated'::text, 'rejected'::text, 'ended'::text])))
  CREATE UNIQUE INDEX grid_fee_reductions_in_force ON public.grid_fee_reductions USING btree (project_id, subscription_id) WHERE (status = 'activated'::text)
  CREATE INDEX grid_fee_reductions_open ON public.grid_fee_reductions USING btree (project_id, id) WHERE ((status = ANY (ARRAY['intended'::text, 'ordered'::text])) OR (blocked IS NOT NULL))
  CREATE INDEX grid_fee_reductions_status ON public.grid_fee_reductions USING btree (project_id, status, id)
  CREATE INDEX grid_fee_reductions_subscription ON public.grid_fee_reductions USING btree (project_id, subscription_id, id)
  CREATE UNIQUE INDEX grid_fee_reductions_under_way ON public.grid_fee_reductions USING btree (project_id, subscription_id) WHERE (status = ANY (ARRAY['intended'::text, 'ordered'::text]))
  CREATE INDEX grid_fee_reductions_updated_at ON public.grid_fee_reductions USING btree (project_id, updated_at, id)
  CREATE TRIGGER grid_fee_reductions_guard AFTER UPDATE ON public.grid_fee_reductions REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION guard_grid_fee_reduction_change()

table held_locations
  project_id uuid not null
  malo text not null
  subscription_id uuid not null
  constraint held_locations_pkey PRIMARY KEY (project_id, malo)
  constraint held_locations_project_id_subscription_id_fkey FOREIGN KEY (project_id, subscription_id) REFERENCES subscriptions(project_id, id)

table idempotency_keys
  project_id uuid not null
  key text not null
  fingerprint bytea not null
  method text not null
  path text not null
  status smallint not null
  headers json not null
  body text
  body_encrypted bytea
  request_id text not null
  created_at timestamp with time zone not null
  constraint idempotency_keys_pkey PRIMARY KEY (project_id, key)
  constraint idempotency_keys_fingerprint_check CHECK ((octet_length(fingerprint) = 32))
  constraint idempotency_keys_status_check CHECK (((status >= 200) AND (status <= 499)))
  CREATE INDEX idempotency_keys_created_at ON public.idempotency_keys USING btree (created_at)
  CREATE INDEX idempotency_keys_refused ON public.idempotency_keys USING btree (project_id, "substring"(body, 'sub_[0-9a-z]{26}'::text)) WHERE ((status >= 400) AND (path = '/subscriptions'::text))
  CREATE INDEX idempotency_keys_subject ON public.idempotency_keys USING btree (project_id, COALESCE((headers ->> 'location'::text), path) text_pattern_ops)

table lead_metadata
  project_id uuid not null
  key_hash uuid not null
  value_hash uuid not null
  lead_id uuid not null
  constraint lead_metadata_pkey PRIMARY KEY (project_id, key_hash, value_hash, lead_id)
  constraint lead_metadata_project_id_lead_id_fkey FOREIGN KEY (project_id, lead_id) REFERENCES leads(project_id, id)

table leads
  project_id uuid not null
  id uuid not null
  plan_id uuid not null
  zip text not null
  data json not null
  created_at timestamp with time zone not null
  personal json
  payment_method_encrypted bytea
  supplier_id uuid
  external_id text
  metadata json
  subscription_id uuid
  subscribed_at timestamp with time zone
  created_by uuid
  updated_at timestamp with time zone not null
  revision integer not null default 1
  constraint leads_pkey PRIMARY KEY (project_id, id)
  constraint leads_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id)
  constraint leads_project_id_plan_id_fkey FOREIGN KEY (project_id, plan_id) REFERENCES plans(project_id, id)
  constraint leads_project_id_subscription_id_fkey FOREIGN KEY (project_id, subscription_id) REFERENCES subscriptions(project_id, id)
  constraint leads_supplier_id_fkey FOREIGN KEY (supplier_id) REFERENCES suppliers(id)
  constraint leads_check CHECK (((subscription_id IS NULL) = (subscribed_at IS NULL)))
  constraint leads_external_id_check CHECK (((length(external_id) >= 1) AND (length(external_id) <= 200)))
  constraint leads_revision_check CHECK ((revision > 0))
  CREATE INDEX leads_converted ON public.leads USING btree (project_id, id) WHERE (subscription_id IS NOT NULL)
  CREATE INDEX leads_created_by ON public.leads USING btree (project_id, created_by, id)
  CREATE INDEX leads_email ON public.leads USING btree (project_id, lower(((personal -> 'customer'::text) ->> 'email'::text)), id)
  CREATE INDEX leads_external_id ON public.leads USING btree (project_id, external_id, id) WHERE (external_id IS NOT NULL)
  CREATE INDEX leads_open ON public.leads USING btree (project_id, id) WHERE (subscription_id IS NULL)
  CREATE INDEX leads_plan ON public.leads USING btree (project_id, plan_id, id)
  CREATE INDEX leads_subscribed_at ON public.leads USING btree (project_id, subscribed_at, id) WHERE (subscribed_at IS NOT NULL)
  CREATE UNIQUE INDEX leads_subscription ON public.leads USING btree (project_id, subscription_id) WHERE (subscription_id IS NOT NULL)

table maintenance_clock
  only_row boolean not null default true
  seen_at timestamp with time zone not null
  rests_until timestamp with time zone not null
  constraint maintenance_clock_pkey PRIMARY KEY (only_row)
  constraint maintenance_clock_only_row_check CHECK (only_row)

table market_messages
  project_id uuid not null
  id uuid not null
  subscription_id uuid not null
  revision integer not null
  direction text not null
  kind text not null
  identifier text not null
  partner text not null
  document_number text not null
  process_number text not null
  answers text
  contents json not null
  state text not null
  occurred_at timestamp with time zone not null
  transmitted_at timestamp with time zone
  constraint market_messages_pkey PRIMARY KEY (project_id, id)
  constraint market_messages_project_id_subscription_id_direction_docume_key UNIQUE (project_id, subscription_id, direction, document_number)
  constraint market_messages_project_id_subscription_id_fkey FOREIGN KEY (project_id, subscription_id) REFERENCES subscriptions(project_id, id)
  constraint market_messages_check CHECK (
  CASE direction
      WHEN 'out'::text THEN (state = ANY (ARRAY['waiting'::text, 'transmitted'::text, 'obsolete'::text]))
      ELSE (state = ANY (ARRAY['received'::text, 'ignored'::text]))
  END)
  constraint market_messages_check1 CHECK (((transmitted_at IS NOT NULL) = (state = 'transmitted'::text)))
  constraint market_messages_direction_check CHECK ((direction = ANY (ARRAY['out'::text, 'in'::text])))
  CREATE INDEX market_messages_set_aside ON public.market_messages USING btree (project_id, state, id) WHERE (state = ANY (ARRAY['obsolete'::text, 'ignored'::text]))
  CREATE INDEX market_messages_waiting ON public.market_messages USING btree (project_id, id) WHERE (state = 'waiting'::text)

table market_processes
  project_id uuid not null
  id uuid not null
  subscription_id uuid not null
  due_at timestamp with time zone
  created_at timestamp with time zone not null
  memory json
  cancellation_period text
  constraint market_processes_pkey PRIMARY KEY (project_id, id)
  constraint market_processes_project_id_subscription_id_key UNIQUE (project_id, subscription_id)
  constraint market_processes_project_id_subscription_id_fkey FOREIGN KEY (project_id, subscription_id) REFERENCES subscriptions(project_id, id)
  constraint market_processes_check CHECK (((memory IS NOT NULL) OR (due_at IS NOT NULL)))
  CREATE INDEX market_processes_due ON public.market_processes USING btree (project_id, due_at) WHERE (due_at IS NOT NULL)

table meter_orders
  project_id uuid not null
  id uuid not null
  subscription_id uuid not null
  meter_id uuid not null
  status text not null
  blocked json
  due_at timestamp with time zone
  placed_at timestamp with time zone
  appointment_at timestamp with time zone
  installed_at timestamp with time zone
  activated_at timestamp with time zone
  cancelled_at timestamp with time zone
  revision integer not null
  created_at timestamp with time zone not null
  updated_at timestamp with time zone not null
  constraint meter_orders_pkey PRIMARY KEY (project_id, id)
  constraint meter_orders_project_id_meter_id_fkey FOREIGN KEY (project_id, meter_id) REFERENCES meters(project_id, id)
  constraint meter_orders_project_id_subscription_id_fkey FOREIGN KEY (project_id, subscription_id) REFERENCES subscriptions(project_id, id)
  constraint meter_orders_check CHECK (((placed_at IS NOT NULL) OR (status = ANY (ARRAY['created'::text, 'cancelled'::text]))))
  constraint meter_orders_check1 CHECK (((appointment_at IS NOT NULL) OR (status <> ALL (ARRAY['scheduled'::text, 'installed'::text, 'activated'::text]))))
  constraint meter_orders_check2 CHECK (((installed_at IS NOT NULL) OR (status <> ALL (ARRAY['installed'::text, 'activated'::text]))))
  constraint meter_orders_check3 CHECK (((activated_at IS NOT NULL) = (status = 'activated'::text)))
  constraint meter_orders_check4 CHECK (((cancelled_at IS NOT NULL) = (status = 'cancelled'::text)))
  constraint meter_orders_check5 CHECK (((blocked IS NULL) OR (status <> ALL (ARRAY['activated'::text, 'cancelled'::text]))))
  constraint meter_orders_revision_check CHECK ((revision > 0))
  constraint meter_orders_status_check CHECK ((status = ANY (ARRAY['created'::text, 'placed'::text, 'scheduled'::text, 'installed'::text, 'activated'::text, 'cancelled'::text])))
  CREATE UNIQUE INDEX meter_orders_open ON public.meter_orders USING btree (project_id, meter_id) WHERE (status <> ALL (ARRAY['activated'::text, 'cancelled'::text]))
  CREATE INDEX meter_orders_status ON public.meter_orders USING btree (project_id, status, id)
  CREATE INDEX meter_orders_subscription ON public.meter_orders USING btree (project_id, subscription_id, id)
  CREATE INDEX meter_orders_updated_at ON public.meter_orders USING btree (project_id, updated_at, id)
  CREATE TRIGGER meter_orders_guard AFTER UPDATE ON public.meter_orders REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION guard_meter_order_change()

table meters
  project_id uuid not null
  id uuid not null
  number text not null
  type text not null
  estimated_usage numeric not null
  malo text
  created_at timestamp with time zone not null
  constraint meters_pkey PRIMARY KEY (project_id, id)
  constraint meters_estimated_usage_check CHECK (((estimated_usage > (0)::numeric) AND (estimated_usage <= (100000)::numeric)))
  constraint meters_malo_check CHECK ((malo ~ '^[1-9][0-9]{10}$'::text))
  constraint meters_type_check CHECK ((type = ANY (ARRAY['smart'::text, 'modern'::text, 'analog'::text])))

table payment_methods
  project_id uuid not null
  id uuid not null
  type text not null
  iban_masked text not null
  details_encrypted bytea not null
  created_at timestamp with time zone not null
  constraint payment_methods_pkey PRIMARY KEY (project_id, id)
  constraint payment_methods_type_check CHECK ((type = 'sepa_debit'::text))

table plans
  project_id uuid not null
  id uuid not null
  name text not null
  slug text not null
  description text
  price numeric(9,2) not null
  currency text not null
  cancellation_period text not null
  products text[] not null
  active boolean not null
  created_at timestamp with time zone not null
  updated_at timestamp with time zone not null
  constraint plans_pkey PRIMARY KEY (project_id, id)
  constraint plans_project_id_slug_key UNIQUE (project_id, slug)
  constraint plans_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id)
  constraint plans_currency_check CHECK ((currency = 'EUR'::text))
  constraint plans_price_check CHECK ((price >= (0)::numeric))
  constraint plans_slug_check CHECK ((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text))

table product_orders
  project_id uuid not null
  id uuid not null
  subscription_id uuid not null
  position smallint not null
  type text not null
  details json
  created_at timestamp with time zone not null
  constraint product_orders_pkey PRIMARY KEY (project_id, id)
  constraint product_orders_project_id_subscription_id_type_key UNIQUE (project_id, subscription_id, type)
  constraint product_orders_project_id_subscription_id_fkey FOREIGN KEY (project_id, subscription_id) REFERENCES subscriptions(project_id, id)
  constraint product_orders_type_check CHECK ((type = ANY (ARRAY['smart-meter'::text, '14a_enwg'::text])))

table projects
  id uuid not null
  name text not null
  mode text not null
  created_at timestamp with time zone not null
  clock_at timestamp with time zone
  clock_target timestamp with time zone
  constraint projects_pkey PRIMARY KEY (id)
  constraint projects_check CHECK (((mode = 'sandbox'::text) OR (clock_at IS NULL)))
  constraint projects_check1 CHECK (((clock_target IS NULL) OR ((clock_at IS NOT NULL) AND (clock_target >= clock_at))))
  constraint projects_mode_check CHECK ((mode = ANY (ARRAY['live'::text, 'sandbox'::text])))
  constraint projects_name_check CHECK ((name <> ''::text))

table subscription_metadata
  project_id uuid not null
  key_hash uuid not null
  value_hash uuid not null
  subscription_id uuid not null
  constraint subscription_metadata_pkey PRIMARY KEY (project_id, key_hash, value_hash, subscription_id)
  constraint subscription_metadata_project_id_subscription_id_fkey FOREIGN KEY (project_id, subscription_id) REFERENCES subscriptions(project_id, id)

table subscription_transitions
  project_id uuid not null
  subscription_id uuid not null
  revision integer not null
  from_stage text not null
  to_stage text not null
  occurred_at timestamp with time zone not null
  constraint subscription_transitions_pkey PRIMARY KEY (project_id, subscription_id, revision)
  CREATE TRIGGER subscription_transitions_append_only BEFORE DELETE OR UPDATE ON public.subscription_transitions FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting()

table subscriptions with (fillfactor=90)
  project_id uuid not null
  id uuid not null
  number text not null
  external_id text
  status text not null
  stage text not null
  end_reason text
  plan_id uuid not null
  customer_id uuid not null
  address_id uuid not null
  meter_id uuid not null
  payment_method_id uuid not null
  supplier_id uuid
  lead_id uuid
  next_possible_start boolean not null
  intended_start_date date
  estimated_usage numeric not null
  malo text
  meter_number_normalised text not null
  zip text not null
  metadata json
  next_action json
  event_sequence integer not null
  created_by uuid not null
  created_at timestamp with time zone not null
  updated_at timestamp with time zone not null
  start_at timestamp with time zone
  terminated_at timestamp with time zone
  end_at timestamp with time zone
  revision integer not null default 1
  billing_address_id uuid
  requested_start_date date
  requested_start_reason text
  constraint subscriptions_pkey PRIMARY KEY (project_id, id)
  constraint subscriptions_project_id_address_id_fkey FOREIGN KEY (project_id, address_id) REFERENCES addresses(project_id, id)
  constraint subscriptions_project_id_billing_address_id_fkey FOREIGN KEY (project_id, billing_address_id) REFERENCES addresses(project_id, id)
  constraint subscriptions_project_id_customer_id_fkey FOREIGN KEY (project_id, customer_id) REFERENCES customers(project_id, id)
  constraint subscriptions_project_id_lead_id_fkey FOREIGN KEY (project_id, lead_id) REFERENCES leads(project_id, id)
  constraint subscriptions_project_id_meter_id_fkey FOREIGN KEY (project_id, meter_id) REFERENCES meters(project_id, id)
  constraint subscriptions_project_id_payment_method_id_fkey FOREIGN KEY (project_id, payment_method_id) REFERENCES payment_methods(project_id, id)
  constraint subscriptions_project_id_plan_id_fkey FOREIGN KEY (project_id, plan_id) REFERENCES plans(project_id, id)
  constraint subscriptions_supplier_id_fkey FOREIGN KEY (supplier_id) REFERENCES suppliers(id)
  constraint subscriptions_check CHECK (
  CASE status
      WHEN 'pending'::text THEN (stage = ANY (ARRAY['identifying'::text, 'cancelling'::text, 'registering'::text, 'confirmed'::text]))
      WHEN 'active'::text THEN (stage = ANY (ARRAY['supplying'::text, 'ending'::text]))
      ELSE (stage = 'ended'::text)
  END)
  constraint subscriptions_check1 CHECK (((end_reason IS NOT NULL) = (status = 'ended'::text)))
  constraint subscriptions_check2 CHECK ((next_possible_start OR (intended_start_date IS NOT NULL)))
  constraint subscriptions_check3 CHECK (((stage <> ALL (ARRAY['confirmed'::text, 'supplying'::text, 'ending'::text])) OR (start_at IS NOT NULL)))
  constraint subscriptions_check4 CHECK (((status <> 'ended'::text) OR (end_at IS NOT NULL)))
  constraint subscriptions_check5 CHECK (((end_at IS NULL) OR (start_at IS NULL) OR (end_at > start_at)))
  constraint subscriptions_end_reason_check CHECK ((end_reason = ANY (ARRAY['terminated'::text, 'moved_out'::text, 'withdrawn'::text, 'rejected'::text, 'superseded'::text])))
  constraint subscriptions_event_sequence_check CHECK ((event_sequence > 0))
  constraint subscriptions_external_id_check CHECK (((length(external_id) >= 1) AND (length(external_id) <= 200)))
  constraint subscriptions_meter_number_normalised_check CHECK ((meter_number_normalised <> ''::text))
  constraint subscriptions_number_check CHECK ((number ~ '^[2-9A-HJ-NP-Z]{8}$'::text))
  constraint subscriptions_requested_start_reason_check CHECK ((requested_start_reason = ANY (ARRAY['lead_time'::text, 'previous_contract'::text, 'grid_operator'::text])))
  constraint subscriptions_revision_check CHECK ((revision > 0))
  constraint subscriptions_stage_check CHECK ((stage = ANY (ARRAY['identifying'::text, 'cancelling'::text, 'registering'::text, 'confirmed'::text, 'supplying'::text, 'ending'::text, 'ended'::text])))
  constraint subscriptions_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'active'::text, 'ended'::text])))
  CREATE INDEX subscriptions_created_by ON public.subscriptions USING btree (project_id, created_by, id)
  CREATE INDEX subscriptions_customer ON public.subscriptions USING btree (project_id, customer_id, id)
  CREATE INDEX subscriptions_end_at ON public.subscriptions USING btree (project_id, end_at, id) WHERE (end_at IS NOT NULL)
  CREATE INDEX subscriptions_end_on ON public.subscriptions USING btree (project_id, date_bin('1 day'::interval, end_at, '2000-01-01 00:00:00+00'::timestamp with time zone), id) INCLUDE (end_at) WHERE (end_at IS NOT NULL)
  CREATE UNIQUE INDEX subscriptions_external_id ON public.subscriptions USING btree (project_id, external_id) WHERE (external_id IS NOT NULL)
  CREATE UNIQUE INDEX subscriptions_lead ON public.subscriptions USING btree (project_id, lead_id) WHERE (lead_id IS NOT NULL)
  CREATE INDEX subscriptions_malo ON public.subscriptions USING btree (project_id, malo, id) WHERE (malo IS NOT NULL)
  CREATE INDEX subscriptions_meter_number ON public.subscriptions USING btree (project_id, meter_number_normalised, id)
  CREATE INDEX subscriptions_next_actor ON public.subscriptions USING btree (project_id, ((next_action ->> 'actor'::text)), id) WHERE (next_action IS NOT NULL)
  CREATE INDEX subscriptions_next_code ON public.subscriptions USING btree (project_id, ((next_action ->> 'code'::text)), id) WHERE (next_action IS NOT NULL)
  CREATE UNIQUE INDEX subscriptions_number ON public.subscriptions USING btree (project_id, number)
  CREATE UNIQUE INDEX subscriptions_open_malo ON public.subscriptions USING btree (project_id, malo) WHERE ((malo IS NOT NULL) AND (status <> 'ended'::text))
  CREATE UNIQUE INDEX subscriptions_open_meter ON public.subscriptions USING btree (project_id, meter_number_normalised, zip) WHERE ((malo IS NULL) AND (status <> 'ended'::text))
  CREATE INDEX subscriptions_plan ON public.subscriptions USING btree (project_id, plan_id, id)
  CREATE INDEX subscriptions_stage ON public.subscriptions USING btree (project_id, stage, id)
  CREATE INDEX subscriptions_start_at ON public.subscriptions USING btree (project_id, start_at, id) WHERE (start_at IS NOT NULL)
  CREATE INDEX subscriptions_supplier ON public.subscriptions USING btree (project_id, supplier_id, id) WHERE (supplier_id IS NOT NULL)
  CREATE INDEX subscriptions_updated_at ON public.subscriptions USING btree (project_id, updated_at, id)
  CREATE INDEX subscriptions_updated_on ON public.subscriptions USING btree (project_id, date_bin('1 day'::interval, updated_at, '2000-01-01 00:00:00+00'::timestamp with time zone), id) INCLUDE (updated_at)
  CREATE INDEX subscriptions_waiting ON public.subscriptions USING btree (project_id, id) WHERE (next_action IS NOT NULL)
  CREATE INDEX subscriptions_with_end ON public.subscriptions USING btree (project_id, id) WHERE (end_at IS NOT NULL)
  CREATE INDEX subscriptions_with_supplier ON public.subscriptions USING btree (project_id, id) WHERE (supplier_id IS NOT NULL)
  CREATE INDEX subscriptions_without_external_id ON public.subscriptions USING btree (project_id, id) WHERE (external_id IS NULL)
  CREATE INDEX subscriptions_without_malo ON public.subscriptions USING btree (project_id, id) WHERE (malo IS NULL)
  CREATE TRIGGER subscriptions_guard AFTER UPDATE ON public.subscriptions REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION guard_subscription_change()
  CREATE TRIGGER subscriptions_second_supply AFTER INSERT ON public.subscriptions REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION refuse_second_supply()

table suppliers
  id uuid not null
  name text not null
  code text
  code_type text
  country text not null
  sandbox boolean not null default false
  search_name text not null
  created_at timestamp with time zone not null
  updated_at timestamp with time zone not null
  constraint suppliers_pkey PRIMARY KEY (id)
  constraint suppliers_check CHECK (((code IS NULL) = (code_type IS NULL)))
  constraint suppliers_code_check CHECK ((code ~ '^[0-9]{13}$'::text))
  constraint suppliers_code_type_check CHECK ((code_type = ANY (ARRAY['BDEW'::text, 'DVGW'::text, 'GLN'::text])))
  constraint suppliers_country_check CHECK ((country ~ '^[A-Z]{2}$'::text))
  constraint suppliers_name_check CHECK ((name <> ''::text))
  CREATE UNIQUE INDEX suppliers_code ON public.suppliers USING btree (code) WHERE (code IS NOT NULL)
  CREATE UNIQUE INDEX suppliers_name_without_code ON public.suppliers USING btree (search_name) WHERE (code IS NULL)
  CREATE INDEX suppliers_search ON public.suppliers USING gin (search_name gin_trgm_ops)
  CREATE INDEX suppliers_search_name ON public.suppliers USING btree (search_name)

table tokens
  hash bytea not null
  kind text not null
  project_id uuid not null
  credential_id uuid not null
  family_id uuid not null
  scopes text[] not null
  issued_at timestamp with time zone not null
  expires_at timestamp with time zone not null
  spent_at timestamp with time zone
  revoked_at timestamp with time zone
  constraint tokens_pkey PRIMARY KEY (hash)
  constraint tokens_project_id_credential_id_fkey FOREIGN KEY (project_id, credential_id) REFERENCES credentials(project_id, id)
  constraint tokens_check CHECK (((spent_at IS NULL) OR (kind = 'refresh'::text)))
  constraint tokens_hash_check CHECK ((octet_length(hash) = 32))
  constraint tokens_kind_check CHECK ((kind = ANY (ARRAY['access'::text, 'refresh'::text])))
  CREATE INDEX tokens_expiry ON public.tokens USING btree (expires_at)
  CREATE INDEX tokens_family ON public.tokens USING btree (family_id)

table webhook_deliveries
  project_id uuid not null
  id uuid not null
  endpoint_id uuid not null
  event_id uuid not null
  subject_id uuid not null
  position bigint not null
  state text not null
  due_at timestamp with time zone
  leased_until timestamp with time zone
  attempt_count integer not null default 0
  attempts json not null default '[]'::json
  created_at timestamp with time zone not null
  constraint webhook_deliveries_pkey PRIMARY KEY (project_id, id)
  constraint webhook_deliveries_project_id_endpoint_id_fkey FOREIGN KEY (project_id, endpoint_id) REFERENCES webhook_endpoints(project_id, id) ON DELETE CASCADE
  constraint webhook_deliveries_project_id_event_id_fkey FOREIGN KEY (project_id, event_id) REFERENCES events(project_id, id)
  constraint webhook_deliveries_check CHECK (((state = 'pending'::text) = (due_at IS NOT NULL)))
  constraint webhook_deliveries_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text])))
  CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (project_id, endpoint_id, due_at) WHERE (due_at IS NOT NULL)
  CREATE INDEX webhook_deliveries_event ON public.webhook_deliveries USING btree (project_id, event_id)
  CREATE INDEX webhook_deliveries_kind ON public.webhook_deliveries USING btree (project_id, endpoint_id, lower(state), id)
  CREATE INDEX webhook_deliveries_order ON public.webhook_deliveries USING btree (project_id, endpoint_id, subject_id, "position") WHERE (state = 'pending'::text)
  CREATE INDEX webhook_deliveries_settled ON public.webhook_deliveries USING btree (created_at) WHERE (due_at IS NULL)

table webhook_endpoints
  project_id uuid not null
  id uuid not null
  url text not null
  types text[] not null
  description text
  enabled boolean not null
  disabled_reason text
  api_version text not null
  secret_encrypted bytea not null
  previous_secret_encrypted bytea
  previous_secret_expires_at timestamp with time zone
  position bigint not null
  failing_since timestamp with time zone
  last_success_at timestamp with time zone
  created_at timestamp with time zone not null
  updated_at timestamp with time zone not null
  deleted_at timestamp with time zone
  constraint webhook_endpoints_pkey PRIMARY KEY (project_id, id)
  constraint webhook_endpoints_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id)
  constraint webhook_endpoints_check CHECK ((enabled = (disabled_reason IS NULL)))
  constraint webhook_endpoints_check1 CHECK (((previous_secret_encrypted IS NULL) = (previous_secret_expires_at IS NULL)))
  constraint webhook_endpoints_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['requested'::text, 'failing'::text, 'gone'::text])))
  constraint webhook_endpoints_types_check CHECK ((cardinality(types) > 0))

CREATE OR REPLACE FUNCTION public.fold_for_search(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
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
$function$

CREATE OR REPLACE FUNCTION public.guard_grid_fee_reduction_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (
    select from before join after using (project_id, id)
    where after.revision <> before.revision + 1 or (before.status, after.status) not in (
      values
        ('intended', 'intended'), ('intended', 'ordered'), ('intended', 'ended'),
        ('ordered', 'ordered'), ('ordered', 'activated'), ('ordered', 'rejected'), ('ordered', 'ended'),
        ('activated', 'activated'), ('activated', 'ended')
    )
  ) then
    raise check_violation using message = 'the life of a grid-fee reduction has no such step';
  end if;
  return null;
end
$function$

CREATE OR REPLACE FUNCTION public.guard_meter_order_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (
    select from before join after using (project_id, id)
    where after.revision <> before.revision + 1 or (before.status, after.status) not in (
      values
        ('created', 'created'), ('created', 'placed'), ('created', 'cancelled'),
        ('placed', 'placed'), ('placed', 'scheduled'), ('placed', 'cancelled'),
        ('scheduled', 'scheduled'), ('scheduled', 'placed'), ('scheduled', 'installed'), ('scheduled', 'cancelled'),
        ('installed', 'installed'), ('installed', 'activated'), ('installed', 'cancelled')
    )
  ) then
    raise check_violation using message = 'the life of a meter order has no such step';
  end if;
  return null;
end
$function$

CREATE OR REPLACE FUNCTION public.guard_subscription_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
begin
  if exists (
    select from before join after using (project_id, id) where after.revision <> before.revision + 1
  ) then
    raise check_violation using message = 'a subscription changes by exactly one revision at a time';
  end if;
  if exists (
    select from before join after using (project_id, id)
    where before.stage <> after.stage and (before.stage, after.stage) not in (
      values
        ('identifying', 'cancelling'), ('identifying', 'registering'), ('identifying', 'ended'),
        ('cancelling', 'identifying'), ('cancelling', 'registering'), ('cancelling', 'ended'),
        ('registering', 'identifying'), ('registering', 'cancelling'), ('registering', 'confirmed'),
        ('registering', 'ended'),
        ('confirmed', 'supplying'), ('confirmed', 'ended'),
        ('supplying', 'ending'),
        ('ending', 'supplying'), ('ending', 'ended')
    )
  ) then
    raise check_violation using message = 'the lifecycle of a subscription has no such step';
  end if;
  insert into subscription_transitions (project_id, subscription_id, revision, from_stage, to_stage, occurred_at)
  select after.project_id, after.id, after.revision, before.stage, after.stage, after.updated_at
  from before join after using (project_id, id)
  where before.stage <> after.stage;

  perform case when malo is null then pg_advisory_xact_lock(place) else pg_advisory_xact_lock_shared(place) end
  from (
    select after.malo,
      hashtextextended(after.project_id || '/' || after.meter_number_normalised || '/' || after.zip, 0) as place
    from before join after using (project_id, id)
    where after.status <> 'ended'
      and (before.malo, before.meter_number_normalised, before.zip)
        is distinct from (after.malo, after.meter_number_normalised, after.zip)
    order by place, malo nulls first
  ) as places;
  if found and exists (
    select from before join after using (project_id, id)
    where after.status <> 'ended'
      and (before.malo, before.meter_number_normalised, before.zip)
        is distinct from (after.malo, after.meter_number_normalised, after.zip)
      and (
        exists (
          select from subscriptions as other
          where other.project_id = after.project_id and other.id <> after.id
            and other.meter_number_normalised = after.meter_number_normalised and other.zip = after.zip
            and other.status <> 'ended' and (other.malo is null or after.malo is null)
        )
        or exists (
          select from held_locations as held
          where held.project_id = after.project_id and held.malo = after.malo and held.subscription_id <> after.id
        )
      )
  ) then
    raise unique_violation using message = 'the place of supply has an open subscription';
  end if;
  return null;
end
$function$

CREATE OR REPLACE FUNCTION public.refuse_rewriting()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise check_violation using message = format('%s is append-only', tg_table_name);
end
$function$

CREATE OR REPLACE FUNCTION public.refuse_second_supply()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
begin
  -- The room for locks is bounded; a bulk load gets the whole table instead.
  if (select count(*) from inserted) > 1000 then
    lock table subscriptions in share row exclusive mode;
  else
    perform case when malo is null then pg_advisory_xact_lock(place) else pg_advisory_xact_lock_shared(place) end
    from (
      select malo, hashtextextended(project_id || '/' || meter_number_normalised || '/' || zip, 0) as place
      from inserted
      order by place, malo nulls first
    ) as places;
  end if;
  if exists (
    select from inserted
    cross join lateral (
      select from subscriptions as other
      where inserted.malo is not null
        and other.project_id = inserted.project_id
        and other.meter_number_normalised = inserted.meter_number_normalised and other.zip = inserted.zip
        and other.malo is null and other.status <> 'ended'
      limit 1
    ) as taken
  ) or exists (
    select from inserted
    cross join lateral (
      select from subscriptions as other
      where inserted.malo is null
        and other.project_id = inserted.project_id
        and other.meter_number_normalised = inserted.meter_number_normalised and other.zip = inserted.zip
        and other.malo is not null and other.status <> 'ended'
      limit 1
    ) as taken
  ) or exists (
    select from inserted
    cross join lateral (
      select from held_locations as held
      where held.project_id = inserted.project_id and held.malo = inserted.malo
      limit 1
    ) as taken
  ) then
    raise unique_violation using message = 'the place of supply has an open subscription';
  end if;
  return null;
end
$function$
