// Generated from openapi/openapi.json by `npm run generate`; not to be edited.

export interface paths {
    "/oauth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get an access token
         * @description Exchanges client credentials (`grant_type=client_credentials`) or a refresh token (`grant_type=refresh_token`) for an access token of 60 minutes, or of less where the credential expires sooner, and a new refresh token. `scope` narrows the access token; with a refresh token it can never exceed what was granted at first. A refresh token works once: using a spent one is taken for theft and revokes all tokens of its family at once. A JSON object is accepted in place of a form.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a token
         * @description Revokes a token as RFC 7009 says. A refresh token takes all tokens of its family with it; an access token goes alone. A token that is unknown, expired or revoked already is answered with success as well. The revocation is effective within a second in every process. A JSON object is accepted in place of a form.
         */
        post: operations["revokeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/introspect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask about a token
         * @description Tells whether a token is active, and what it allows, as RFC 7662 says. Any credential of a project may ask about any token of that project; tokens of other projects are answered like unknown ones. A JSON object is accepted in place of a form.
         */
        post: operations["introspectToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-authorization-server": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Discover the endpoints
         * @description Describes this authorization server to OAuth clients that configure themselves (RFC 8414).
         */
        get: operations["getAuthorizationServerMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read liveness
         * @description Answers as long as the process lives, whatever the database does.
         */
        get: operations["readHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read readiness
         * @description Whether the database is reachable and takes writes, its migrations are applied, and the service is not shutting down.
         */
        get: operations["readReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List subscriptions
         * @description The subscriptions of the project, newest first. The first page answers with `X-Event-Cursor`: `GET /events?after=` that cursor tells everything that happens after this page was read, without gap or overlap.
         */
        get: operations["listSubscriptions"];
        put?: never;
        /**
         * Sign up a customer
         * @description Creates a subscription with its customer, delivery address, meter and payment method. All of it is stored before the answer is sent, or nothing is. Send an `Idempotency-Key`, so that a repeated request cannot sign up twice. With `validate_only=true` the same is checked and nothing stored: the answer is 200 with everything that a sign-up would be refused for, and an `Idempotency-Key` and `expand[]` have no effect. Only what cannot be read as a JSON object (also a key that occurs twice or is `__proto__`, nesting deeper than 64 levels, more values than a body may have, U+0000, half of a surrogate pair, a number that cannot be kept exactly), an unknown parameter, and more than 100 wrong members are refused as without it.
         */
        post: operations["createSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscriptions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a subscription
         * @description The subscription as it stands, or with `as_of` as it stood at an instant.
         */
        get: operations["readSubscription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a subscription, or correct its data
         * @description Payment method, billing address and metadata can be changed at any time. Meter, market location, address, names, intended start and previous supplier can be corrected until the grid operator has confirmed; the process then goes on by itself with the new data. Naming a member of `next_action.fields` with the same value as before says that it is right; whatever else is named as it is already changes nothing: no event, no `updated_at`, and the same entity tag.
         */
        patch: operations["updateSubscription"];
        trace?: never;
    };
    "/subscriptions/{id}/terminate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Terminate or withdraw
         * @description Ends a subscription: `ordinary` with the cancellation period that the plan had at the sign-up, `move_out` on a day with at most six weeks’ notice, `withdrawal` within 14 days of conclusion, or until the next working day where the last is none, before or after the start. The first two are taken from `stage: confirmed` on; until then there is only the withdrawal. What the customer sent or handed in on an earlier day counts from that day, `notice_date`. The grid operator is told in time; before his confirmation a termination can be undone.
         */
        post: operations["terminateSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscriptions/{id}/undo-termination": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a termination back
         * @description Until the grid operator has confirmed the end. Where he knows of it already he is asked to forget it first; the subscription stays `ending` until he agrees.
         */
        post: operations["undoTermination"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscriptions/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Go on after an operator has cleared something up
         * @description Takes the step again that `next_action` of the actor `operator` waits for.
         */
        post: operations["retrySubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscriptions/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a subscription’s story
         * @description Every transition, message, edit and event with who caused it, oldest first.
         */
        get: operations["readTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List leads
         * @description The leads of the project, newest first; `filter[subscription][is_null]=true` finds those that have become no subscription, erased ones (`erased`) too.
         */
        get: operations["listLeads"];
        put?: never;
        /**
         * Create a lead
         * @description Keeps what is known of somebody who may sign up: any members of a sign-up, at least `plan` and `address.zip`. What is sent is checked as a sign-up checks it. A sign-up that names the lead as `lead` converts it, once; `lead.created` and `lead.converted` tell of it, without personal data, which can be read here.
         */
        post: operations["createLead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a lead
         * @description The lead as it stands.
         */
        get: operations["readLead"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a lead
         * @description Adds what has become known: `customer`, `address`, `meter`, `payment_method` and `metadata` are merged member by member, the others replaced; null empties. A body that names only what is there already leaves `updated_at` and the entity tag as they are. Once the lead is converted or erased nothing of it changes.
         */
        patch: operations["updateLead"];
        trace?: never;
    };
    "/meter-orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List meter orders
         * @description The meter orders of the project, newest first.
         */
        get: operations["listMeterOrders"];
        put?: never;
        /**
         * Order a smart meter
         * @description Has the metering operator exchange the meter of a subscription for a smart one. The order is placed as soon as the grid operator has confirmed the supply. A sign-up with the product order `smart-meter` makes one too, unless its meter is smart already.
         */
        post: operations["createMeterOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/meter-orders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a meter order
         * @description The meter order as it stands.
         */
        get: operations["readMeterOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/meter-orders/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a meter order
         * @description Possible until the smart meter is installed. In a live project an order that the metering operator has stays as it is, `blocked` by `transmit_order`, until he was told; a fitter who comes all the same has installed it. The end of the subscription cancels it as well.
         */
        post: operations["cancelMeterOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/grid-fee-reductions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List grid-fee reductions
         * @description The grid-fee reductions of the project, newest first.
         */
        get: operations["listGridFeeReductions"];
        put?: never;
        /**
         * Ask for a grid-fee reduction
         * @description Asks the grid operator for modules of § 14a EnWG, as soon as he has confirmed the supply; with module 3 also not before the meter is smart. It takes effect on a day to come, and takes the place of the one that is in force then: a change of modules is never retroactive. The customer must have a controllable device of more than 4.2 kW, and for module 2 a market location of its own for it; the grid operator knows, and rejects it otherwise.
         */
        post: operations["createGridFeeReduction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/grid-fee-reductions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a grid-fee reduction
         * @description The grid-fee reduction as it stands.
         */
        get: operations["readGridFeeReduction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/grid-fee-reductions/{id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a grid-fee reduction
         * @description What is not in force yet ends at once. What is in force stays so until `effective_until`: the grid operator needs two working days. In a live project that holds for all that he was asked for, and it is `blocked` by `transmit_order` until he was told and goes on until he has agreed. The end of the subscription ends it as well.
         */
        post: operations["endGridFeeReduction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the project’s clock
         * @description A sandbox project has a time of its own. A live project has no such clock, and is answered 404.
         */
        get: operations["readSandboxClock"];
        put?: never;
        /**
         * Advance the project’s clock
         * @description Moves the project’s time forward and answers when everything due until then has happened, in order: answers of the simulated market, deadlines, starts and ends of supply; their events can be read. From the first advance on the clock stands still between advances.
         */
        post: operations["advanceSandboxClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the feed of events
         * @description All events of the project, oldest first, in the order in which they were committed; of each subscription in the order of its `sequence`. Nothing is ever missed between two cursors: an event gets its place only when no older one can still appear. Start without `after`, or with the `X-Event-Cursor` of `GET /subscriptions`, and go on with `next_page`.
         */
        get: operations["readEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an event
         * @description The event as it was written.
         */
        get: operations["readEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints
         * @description All webhook endpoints of the project, newest first, with how sending goes.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Create a webhook endpoint
         * @description From now on events are sent to this URL, signed as Standard Webhooks says. The answer shows the `secret`, this once. A project has at most 20 endpoints. What happened before can be sent by a replay.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook endpoint
         * @description The webhook endpoint as it stands, without its secret, and how sending goes.
         */
        get: operations["readWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description Nothing is sent there any more; what waited for it is dropped. Its deliveries are removed soon afterwards.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change, disable or enable a webhook endpoint
         * @description Changes what the body names. Another `url`, or `enabled: true` for one that was disabled, starts anew: `failing_since` is null again, and what waits is sent at once; what has failed for good meanwhile is sent by a replay of `failed`.
         */
        patch: operations["updateWebhookEndpoint"];
        trace?: never;
    };
    "/webhook-endpoints/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret of a webhook endpoint
         * @description Answers a new secret, this once. Until `overlap` is over (a day when absent, at most `P7D`), each delivery carries the signatures of both; a secret before the present one signs no longer. `PT0S` ends the present one at once.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook deliveries
         * @description What became of each event at each endpoint, newest first. Kept 30 days from its creation on, and as long as it is pending.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook delivery
         * @description The delivery with all its attempts.
         */
        get: operations["readWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-deliveries/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a webhook delivery again
         * @description Has it attempted as soon as possible, whatever became of it: a pending one before its time, a succeeded or failed one from the first attempt on. The receiver knows it by its `webhook-id`.
         */
        post: operations["resendWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send events to an endpoint again
         * @description Sends one `event`, the events `from` an instant `to` another that the endpoint’s types name, or all that has `failed` and has not come through since, each event once; about 20000 deliveries at once, or as many as are written in some seconds, of a time up to the end of a second. Failed deliveries are made pending again, pending ones stay, and of the others there are new ones. With `has_more` ask again, for a time from `next_from` on.
         */
        post: operations["replayWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a webhook endpoint
         * @description Sends a signed event of the type `webhook_endpoint.test` at once, also to a disabled endpoint, and answers what came of it within 20 s. The event is not stored and not repeated; its `sequence` is null, and of the endpoint it has the `id` alone. At most 8 tests of a project are on their way at once in each process of the service; any other is refused `rate_limited`.
         */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List and search customers
         * @description The customers of the project, newest first, also with `search`. Each sign-up has a customer of its own: a person who signed up twice is listed twice. The filter on `email` pays no regard to case.
         */
        get: operations["listCustomers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a customer
         * @description The customer as it stands; once erased with placeholders and `erased_at`.
         */
        get: operations["readCustomer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a customer
         * @description Changes what the body names, at any time. While the grid operator has not confirmed a subscription of the customer, its market process goes on with a corrected name by itself, and naming it as it is says that it is right: the same as `customer` of `PATCH /subscriptions/{id}`. Later a name is changed here only. `company_name` of a company only.
         */
        patch: operations["updateCustomer"];
        trace?: never;
    };
    "/customers/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what was changed of a customer
         * @description Every change since the sign-up with who made it and what was there before, oldest first; corrections by `PATCH /subscriptions/{id}` too.
         */
        get: operations["readCustomerTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export everything held about a person
         * @description What a person can ask for (GDPR art. 15 and 20), as it stood at one instant: the customer with its history, subscriptions with their timelines and messages, addresses, meters, payment methods, events, deliveries, kept requests and leads. It shows the full IBAN, which nothing else does, and therefore needs `write:*` beside `read:*`. It covers this customer only: find others of the same person with `filter[email][eq]`. It is sent while it is read, without `Content-Length`; whenever it cannot be completed, as when the customer is erased meanwhile, it is refused, or the connection is cut where part of it was sent: ask again. An open lead that is changed, and a message that is handed over, while it is sent may be shown as they are then.
         */
        get: operations["exportCustomer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/customers/{id}/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase a person
         * @description Removes everything personal for good (GDPR art. 17), in one commit: of the customer and its history, and of all its subscriptions with their addresses, meters, payment methods, metadata, external ids (free again), events, messages, leads and kept requests with an `Idempotency-Key` (do not put anything personal into the key of this request: it is kept for 30 days). What remains is the contract under its number; subscriptions and leads keep their `updated_at`: who mirrors them follows `customer.erased`. Refused while a subscription is pending or active. Erases this customer only: each sign-up has one of its own, find others of the same person with `filter[email][eq]` before. Once more it answers the same.
         */
        post: operations["eraseCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/addresses/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an address
         * @description A delivery or billing address. It is corrected with `PATCH /subscriptions/{id}`.
         */
        get: operations["readAddress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/meters/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a meter
         * @description A meter; `malo` is filled in once the market location was found. It is corrected with `PATCH /subscriptions/{id}`.
         */
        get: operations["readMeter"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payment_methods/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a payment method
         * @description A payment method, its IBAN masked. Another one is set with `PATCH /subscriptions/{id}`.
         */
        get: operations["readPaymentMethod"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads/{id}/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase a person who has not signed up
         * @description Removes everything personal of a lead for good (GDPR art. 17), in one commit: customer, address, meter, payment method, wishes, metadata, external id (free again), and what events and kept requests with an `Idempotency-Key` repeat of these. Finds this lead only: find others of the same person with `filter[customer.email][eq]`. Once converted it is erased with its customer. An erased lead can neither be changed nor be named by a sign-up. Once more it answers the same.
         */
        post: operations["eraseLead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List plans
         * @description All plans of the project, newest first.
         */
        get: operations["listPlans"];
        put?: never;
        /**
         * Create a plan
         * @description Creates a plan that sign-ups can name at once.
         */
        post: operations["createPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plans/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a plan
         * @description The plan as it stands.
         */
        get: operations["readPlan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change or archive a plan
         * @description Changes what the body names, for all subscriptions that name the plan; but those there are keep the `cancellation_period` that they were signed up with. A body that names only what is there already leaves `updated_at` and the entity tag as they are. `active: false` archives the plan: running subscriptions keep it, new sign-ups are refused.
         */
        patch: operations["updatePlan"];
        trace?: never;
    };
    "/suppliers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List and search suppliers
         * @description All suppliers that a customer may come from, newest first; with `search`, those that fit it, best first. The suppliers of the simulated market are listed in sandbox projects only.
         */
        get: operations["listSuppliers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/suppliers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a supplier
         * @description The supplier as it stands.
         */
        get: operations["readSupplier"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idempotency-keys/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what became of a request
         * @description Tells how the request with this `Idempotency-Key` was answered, for 30 days. 404: no such request has been answered in that time, and nothing of it is stored; or the customer or lead whom it was about has been erased since.
         */
        get: operations["readIdempotencyKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who changed what, and why
         * @description One entry for each change by a request or by an operator’s command, newest first, written in the commit of the change. Send `X-Reason` with a request to have it kept here. What the market and the passing of time did is told by events. `audit verify` shows the operator that no entry was changed, removed or moved.
         */
        get: operations["listAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plans/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read who changed it
         * @description The entries of the audit log about it, oldest first; also after it was deleted.
         */
        get: operations["readPlanTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read who changed it
         * @description The entries of the audit log about it, oldest first; also after it was deleted.
         */
        get: operations["readWebhookEndpointTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leads/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read who changed it
         * @description The entries of the audit log about it, oldest first; also after it was deleted.
         */
        get: operations["readLeadTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/meter-orders/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what became of it, and who did it
         * @description Every step, oldest first, with who caused it and why.
         */
        get: operations["readMeterOrderTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/grid-fee-reductions/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what became of it, and who did it
         * @description Every step, oldest first, with who caused it and why.
         */
        get: operations["readGridFeeReductionTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    event: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive an event
         * @description Sent to each endpoint that wants the type. Verify the signature over the body as it came, deal with each `webhook-id` once, and answer at once.
         */
        post: operations["receiveEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        Address: {
            /**
             * @description Always `address`.
             * @example address
             * @enum {string}
             */
            object: "address";
            /**
             * @description Unique address identifier.
             * @example adr_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            id: string;
            /**
             * Format: visible-text
             * @description Street.
             * @example Heidestraße
             */
            street: string;
            /**
             * Format: visible-text
             * @description House number with its addition.
             * @example 17a
             */
            house_number: string;
            /**
             * Format: postcode
             * @description German postcode, 5 digits.
             * @example 51147
             */
            zip: string;
            /**
             * Format: visible-text
             * @description Town.
             * @example Köln
             */
            city: string;
            /**
             * Format: date-time
             * @description Creation time.
             * @example 2026-11-21T09:30:00Z
             */
            created_at: string;
        };
        /** @description Where the electricity is delivered. */
        AddressInput: {
            /**
             * Format: visible-text
             * @description Street.
             * @example Heidestraße
             */
            street: string;
            /**
             * Format: visible-text
             * @description House number with its addition.
             * @example 17a
             */
            house_number: string;
            /**
             * Format: postcode
             * @description German postcode, 5 digits.
             * @example 51147
             */
            zip: string;
            /**
             * Format: visible-text
             * @description Town.
             * @example Köln
             */
            city: string;
        };
        AuditEntry: {
            /**
             * @description Always `audit_entry`.
             * @example audit_entry
             * @enum {string}
             */
            object: "audit_entry";
            /**
             * @description Unique entry identifier.
             * @example aud_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            id: string;
            /**
             * Format: date-time
             * @description When it was done: wall time, also in sandbox projects.
             * @example 2026-11-21T09:30:00Z
             */
            created_at: string;
            /** @description Who did it. */
            actor: {
                /**
                 * @description `operator`: by a command of the service.
                 * @example credential
                 * @enum {string}
                 */
                type: "credential" | "operator";
                /**
                 * @description The credential whose token was used.
                 * @example crd_01k9zr5x3hf8b9m2t4v6w8y0ac
                 */
                credential: string | null;
            };
            /** @description The request; events that came of it carry it too. Null for commands. */
            request_id: string | null;
            /**
             * @description The `operationId` of this reference, or the command.
             * @example terminateSubscription
             */
            operation: string;
            /**
             * @description ID of what was created or changed; null when that is no resource.
             * @example sub_01kb9x8m0ke5b8dcjrg2k8q3zv
             */
            resource: string | null;
            /** @description The members that the request named, of what existed before. */
            fields: string[];
            /** @description The `X-Reason` that was sent; null when none was, or when it is erased. */
            reason: string | null;
        };
        AuditLog: {
            /** @enum {string} */
            object: "list";
            items: components["schemas"]["AuditEntry"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last one. */
            next_page: string | null;
        };
        /** @description Where bills go; null: to the delivery address. */
        BillingAddressInput: {
            /**
             * Format: visible-text
             * @description Street.
             * @example Heidestraße
             */
            street: string;
            /**
             * Format: visible-text
             * @description House number with its addition.
             * @example 17a
             */
            house_number: string;
            /**
             * Format: postcode
             * @description German postcode, 5 digits.
             * @example 51147
             */
            zip: string;
            /**
             * Format: visible-text
             * @description Town.
             * @example Köln
             */
            city: string;
        } | null;
        Customer: {
            /**
             * @description Always `customer`.
             * @example customer
             * @enum {string}
             */
            object: "customer";
            /**
             * @description Unique customer identifier.
             * @example cus_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            id: string;
            /**
             * @description Which variant; `person` when absent.
             * @example person
             * @enum {string}
             */
            type: "person" | "company";
            /**
             * Format: visible-text
             * @description Name of the company.
             * @example Muster GmbH
             */
            company_name: string | null;
            /**
             * Format: visible-text
             * @description First name; of a company, that of its contact.
             * @example Erika
             */
            first_name: string;
            /**
             * Format: visible-text
             * @description Last name; of a company, that of its contact.
             * @example Mustermann
             */
            last_name: string;
            /**
             * Format: idn-email
             * @description E-mail address, of letters of any script.
             * @example erika@example.com
             */
            email: string;
            /**
             * Format: vat-id
             * @description VAT identification number.
             * @example DE123456789
             */
            vat_id: string | null;
            /**
             * Format: date-time
             * @description Creation time.
             * @example 2026-11-21T09:30:00Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of last update.
             * @example 2026-11-21T09:30:00Z
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When everything personal was removed; names and e-mail are placeholders then. Null until then.
             * @example 2026-11-21T09:30:00Z
             */
            erased_at: string | null;
        };
        CustomerErasure: {
            /**
             * @description Always `customer_erasure`.
             * @example customer_erasure
             * @enum {string}
             */
            object: "customer_erasure";
            /**
             * @description ID of the customer.
             * @example cus_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            customer: string;
            /**
             * Format: date-time
             * @description When everything personal was removed, in the project’s time.
             * @example 2026-11-21T09:30:00Z
             */
            erased_at: string;
            /** @description Contracts that were supplied; one that never was need not be kept and is not named. */
            kept: {
                /**
                 * @description The record that is kept, without anything personal.
                 * @example subscription sub_01k9zr5x3hf8b9m2t4v6w8y0ac (number, plan, dates, status, amounts)
                 */
                what: string;
                /**
                 * @description The law that demands it.
                 * @example § 147 AO, § 257 HGB: accounting records
                 */
                reason: string;
                /**
                 * Format: date
                 * @description The last day on which it has to be kept.
                 * @example 2035-12-31
                 */
                until: string;
            }[];
        };
        CustomerExport: {
            /**
             * @description Always `customer_export`.
             * @example customer_export
             * @enum {string}
             */
            object: "customer_export";
            /**
             * Format: date-time
             * @description The project’s time of the export.
             * @example 2026-11-21T09:30:00Z
             */
            exported_at: string;
            customer: components["schemas"]["Customer"];
            /** @description Every change of the customer. */
            history: components["schemas"]["CustomerTimelineEntry"][];
            /** @description With metadata and product orders. */
            subscriptions: components["schemas"]["Subscription"][];
            /** @description The whole timeline of each subscription, with the contents of every market message. */
            timelines: {
                /**
                 * @description ID of the subscription.
                 * @example sub_01k9zr5x3hf8b9m2t4v6w8y0ac
                 */
                subscription: string;
                entries: components["schemas"]["TimelineEntry"][];
            }[];
            /** @description Of delivery and billing, earlier ones too. */
            addresses: components["schemas"]["Address"][];
            meters: components["schemas"]["Meter"][];
            /** @description Earlier ones too, each with its full IBAN. */
            payment_methods: components["schemas"]["PaymentMethod"][];
            /** @description Every event of the subscriptions, of the customer and of the leads, as `GET /events/{id}` reads it. */
            events: components["schemas"]["Event"][];
            webhook_deliveries: string[];
            /** @description The requests whose answers are kept for repetition. */
            idempotency_keys: {
                /**
                 * @description The key, without the quotes that it was sent in.
                 * @example signup-4711
                 */
                key: string;
                /**
                 * @description Method of the request.
                 * @example POST
                 */
                method: string;
                /**
                 * @description Path of the request.
                 * @example /subscriptions
                 */
                path: string;
                /**
                 * Format: date-time
                 * @description When it was answered.
                 * @example 2026-11-21T09:30:00Z
                 */
                created_at: string;
            }[];
            /** @description The leads that the subscriptions came from, and those of an e-mail address of the customer that became nothing, with their full bank details. */
            leads: components["schemas"]["Lead"][];
            meter_orders: components["schemas"]["MeterOrder"][];
            grid_fee_reductions: components["schemas"]["GridFeeReduction"][];
            /** @description Who changed any of these, when and why. */
            audit_entries: components["schemas"]["AuditEntry"][];
        };
        /** @description A person, or a company with its contact. `company_name` is required of a company and not allowed of a person. */
        CustomerInput: {
            /**
             * @description Which variant; `person` when absent.
             * @example person
             * @enum {string}
             */
            type?: "person";
            /**
             * Format: visible-text
             * @description First name; of a company, that of its contact.
             * @example Erika
             */
            first_name: string;
            /**
             * Format: visible-text
             * @description Last name; of a company, that of its contact.
             * @example Mustermann
             */
            last_name: string;
            /**
             * Format: idn-email
             * @description E-mail address, of letters of any script.
             * @example erika@example.com
             */
            email: string;
            /**
             * Format: vat-id
             * @description VAT identification number.
             * @example DE123456789
             */
            vat_id?: string;
        } | {
            /**
             * @description Which variant; `person` when absent.
             * @example company
             * @enum {string}
             */
            type: "company";
            /**
             * Format: visible-text
             * @description Name of the company.
             * @example Muster GmbH
             */
            company_name: string;
            /**
             * Format: visible-text
             * @description First name; of a company, that of its contact.
             * @example Erika
             */
            first_name: string;
            /**
             * Format: visible-text
             * @description Last name; of a company, that of its contact.
             * @example Mustermann
             */
            last_name: string;
            /**
             * Format: idn-email
             * @description E-mail address, of letters of any script.
             * @example erika@example.com
             */
            email: string;
            /**
             * Format: vat-id
             * @description VAT identification number.
             * @example DE123456789
             */
            vat_id?: string;
        };
        CustomerList: {
            /** @enum {string} */
            object: "list";
            items: components["schemas"]["Customer"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last one. */
            next_page: string | null;
        };
        CustomerTimeline: {
            /** @enum {string} */
            object: "list";
            items: components["schemas"]["CustomerTimelineEntry"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last one. */
            next_page: string | null;
        };
        CustomerTimelineEntry: {
            /**
             * @description Always `customer_timeline_entry`.
             * @example customer_timeline_entry
             * @enum {string}
             */
            object: "customer_timeline_entry";
            /**
             * @description Counts the changes of one customer from 1 without gaps.
             * @example 1
             */
            sequence: number;
            /**
             * @description What was done.
             * @example updated
             * @enum {string}
             */
            type: "updated" | "erased";
            /**
             * Format: date-time
             * @description When, in the project’s time.
             * @example 2026-11-21T09:30:00Z
             */
            timestamp: string;
            actor: {
                /**
                 * @description Who did it: a caller of the API, or an operator.
                 * @example api
                 * @enum {string}
                 */
                type: "api" | "operator";
                /**
                 * @description The credential of a caller.
                 * @example crd_01k9zr5x3hf8b9m2t4v6w8y0ac
                 */
                credential: string | null;
            };
            /** @description The request that did it. */
            request_id: string | null;
            /**
             * @description JSON Pointers of what was changed.
             * @example [
             *       "/email"
             *     ]
             */
            fields: string[];
            /** @description What the changed members were before; empty once the customer is erased. */
            previous_attributes: {
                [key: string]: unknown;
            };
        };
        CustomerUpdate: {
            /**
             * Format: visible-text
             * @description First name; of a company, that of its contact.
             * @example Erika
             */
            first_name?: string;
            /**
             * Format: visible-text
             * @description Last name; of a company, that of its contact.
             * @example Mustermann
             */
            last_name?: string;
            /**
             * Format: visible-text
             * @description Name of the company.
             * @example Muster GmbH
             */
            company_name?: string;
            /**
             * Format: idn-email
             * @description E-mail address, of letters of any script.
             * @example erika@example.com
             */
            email?: string;
            /**
             * Format: vat-id
             * @description VAT identification number; null removes it.
             * @example DE123456789
             */
            vat_id?: string | null;
        };
        Event: {
            /**
             * @description Always `event`.
             * @example event
             * @enum {string}
             */
            object: "event";
            /**
             * @description Unique event identifier.
             * @example evt_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            id: string;
            /**
             * @description What has happened; further types may be added.
             * @example subscription.created
             * @enum {string}
             */
            type: "subscription.created" | "subscription.updated" | "subscription.confirmed" | "subscription.activated" | "subscription.action_required" | "subscription.action_resolved" | "subscription.terminated" | "subscription.termination_undone" | "subscription.ended" | "lead.created" | "lead.converted" | "meter_order.created" | "meter_order.placed" | "meter_order.scheduled" | "meter_order.installed" | "meter_order.activated" | "meter_order.cancelled" | "meter_order.blocked" | "grid_fee_reduction.created" | "grid_fee_reduction.updated" | "grid_fee_reduction.ordered" | "grid_fee_reduction.activated" | "grid_fee_reduction.rejected" | "grid_fee_reduction.ended" | "grid_fee_reduction.blocked" | "customer.updated" | "customer.erased" | "webhook_endpoint.disabled";
            /**
             * Format: date-time
             * @description When it happened, in the project’s time.
             * @example 2026-11-21T09:30:00Z
             */
            timestamp: string;
            /**
             * @description Counts the events of one subscription, or of one other resource, from 1 without gaps.
             * @example 3
             */
            sequence: number;
            /** @description The request that caused it; null when the market or the passing of time did. */
            request_id: string | null;
            data: components["schemas"]["EventData"];
        };
        EventCustomer: {
            /**
             * @description Always `customer`.
             * @example customer
             * @enum {string}
             */
            object: "customer";
            /**
             * @description Unique customer identifier.
             * @example cus_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            id: string;
            /**
             * Format: date-time
             * @description Time of last update.
             * @example 2026-11-21T09:30:00Z
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When everything personal was removed; names and e-mail are placeholders then. Null until then.
             * @example 2026-11-21T09:30:00Z
             */
            erased_at: string | null;
        };
        /** @description `subscription`, or the resource that the type begins with, as `GET` read it right after: of a `lead` without personal data, which are null; of a `customer` only which it is, since events carry nothing personal: read it, or its timeline. */
        EventData: {
            subscription?: components["schemas"]["Subscription"];
            lead?: components["schemas"]["Lead"];
            meter_order?: components["schemas"]["MeterOrder"];
            grid_fee_reduction?: components["schemas"]["GridFeeReduction"];
            customer?: components["schemas"]["EventCustomer"];
            webhook_endpoint?: components["schemas"]["WebhookEndpoint"];
            /** @description What the changed members were before, but for `updated_at` (of several events of one step, which all show what came of it, `subscription.action_…` tell of `next_action` alone and the others of the rest); empty where events carry nothing of it, as of a customer. */
            previous_attributes: {
                [key: string]: unknown;
            };
            /**
             * @description JSON Pointers of what an edit named, and `/meter/malo` where correcting the place made it unknown.
             * @example [
             *       "/meter/number"
             *     ]
             */
            fields?: string[];
            /**
             * @description Why the market moved the requested start or the end; `withdrawal`: the customer withdraws.
             * @example lead_time
             * @enum {string}
             */
            reason?: "lead_time" | "previous_contract" | "grid_operator" | "withdrawal";
            /** @description Days between the confirmed end of the previous contract and the requested or confirmed start, when that has come to lie later. The default supplier supplies the customer then by law, at his price (substitute supply, § 38 EnWG). Nobody has to act; tell the customer. Told with each change of these days, and with the confirmation. */
            substitute_supply?: {
                /**
                 * Format: date
                 * @description The day on which the previous contract ends, the first of them.
                 * @example 2027-01-31
                 */
                from: string;
                /**
                 * Format: date
                 * @description The day on which our supply starts.
                 * @example 2027-02-01
                 */
                until: string;
            };
        };
        EventFeed: {
            /**
             * @description Always `list`.
             * @example list
             * @enum {string}
             */
            object: "list";
            items: components["schemas"]["Event"][];
            /** @description Whether more can be read at once; where the types asked for are rare, also when there are no items yet. */
            has_more: boolean;
            /** @description The cursor to read on from, as `after`; also when there was nothing. */
            next_page: string;
        };
        GridFeeReduction: {
            /**
             * @description Always `grid_fee_reduction`.
             * @example grid_fee_reduction
             * @enum {string}
             */
            object: "grid_fee_reduction";
            /**
             * @description Unique grid-fee reduction identifier.
             * @example gfr_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            id: string;
            /**
             * @description The subscription whose grid fees are reduced.
             * @example sub_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            subscription: string;
            /** @description Flat yearly reduction. */
            module_1: boolean;
            /** @description Reduced work price. */
            module_2: boolean;
            /** @description Time-variable work price. */
            module_3: boolean;
            /**
             * @description `intended`: waits for the supply, or for the smart meter; `ordered`: the grid operator was asked; `activated`: in force from `effective_from` on.
             * @example intended
             * @enum {string}
             */
            status: "intended" | "ordered" | "activated" | "rejected" | "ended";
            /** @description What must happen before it can go on; null when nothing holds it up. */
            blocked: {
                /**
                 * @description What holds it up; further codes may be added.
                 * @example transmit_order
                 * @enum {string}
                 */
                code: "transmit_order" | "no_gateway_coverage" | "fitting_refused" | "fitter_not_let_in" | "metering_operator_unanswered" | "smart_meter_missing" | "grid_operator_unanswered";
                /**
                 * @description Who has to act.
                 * @example customer
                 * @enum {string}
                 */
                actor: "customer" | "partner" | "operator" | "metering_operator";
                /** @description The same for people. */
                message: string;
                /**
                 * Format: date-time
                 * @description Since when.
                 * @example 2026-11-21T09:30:00Z
                 */
                since: string;
            } | null;
            /**
             * Format: date-time
             * @description By when the partner should have answered, or have done what he promised; null: nothing is awaited.
             * @example 2026-11-21T09:30:00Z
             */
            due_at: string | null;
            /**
             * Format: date-time
             * @description When the grid operator was asked.
             * @example 2026-11-21T09:30:00Z
             */
            ordered_at: string | null;
            /**
             * Format: date
             * @description The first day with it, in Europe/Berlin, once the grid operator has agreed.
             * @example 2027-02-01
             */
            effective_from: string | null;
            /**
             * Format: date
             * @description The first day without it, once one is asked for.
             * @example 2027-02-01
             */
            effective_until: string | null;
            /** @description Why the grid operator refused it; null unless he did. */
            rejection: {
                /**
                 * @description Why; further codes may be added.
                 * @example module_not_possible
                 * @enum {string}
                 */
                code: "module_not_possible" | "no_controllable_device" | "no_separate_market_location";
                /** @description The same for people. */
                message: string;
            } | null;
            /**
             * @description Why it ended: asked for, replaced by another one, or with the supply; null until then.
             * @example requested
             * @enum {string|null}
             */
            end_reason: "requested" | "replaced" | "supply_ended" | null;
            /**
             * Format: date-time
             * @description Creation time.
             * @example 2026-11-21T09:30:00Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of last update.
             * @example 2026-11-21T09:30:00Z
             */
            updated_at: string;
        };
        GridFeeReductionList: {
            /** @enum {string} */
            object: "list";
            items: components["schemas"]["GridFeeReduction"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last one. */
            next_page: string | null;
        };
        /** @description Module 1, module 2, or modules 1 and 3. */
        GridFeeReductionRequest: {
            /**
             * @description The subscription; it must not have ended.
             * @example sub_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            subscription: string;
            /** @description Flat yearly reduction. */
            module_1?: boolean;
            /** @description Reduced work price; the controllable device needs a meter and market location of its own. */
            module_2?: boolean;
            /** @description Time-variable work price; with module 1 and a smart meter. */
            module_3?: boolean;
        };
        IdempotencyKey: {
            /**
             * @description Always `idempotency_key`.
             * @example idempotency_key
             * @enum {string}
             */
            object: "idempotency_key";
            /**
             * @description The key, without the quotes that it was sent in.
             * @example signup-4711
             */
            key: string;
            /**
             * @description Method of the request.
             * @example POST
             */
            method: string;
            /**
             * @description Path of the request.
             * @example /subscriptions
             */
            path: string;
            /**
             * @description Status it was answered with.
             * @example 201
             */
            response_status: number;
            /**
             * @description Path of what it created; null when it created nothing.
             * @example /subscriptions/sub_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            location: string | null;
            /**
             * @description ID of the request.
             * @example req_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            request_id: string;
            /**
             * Format: date-time
             * @description When it was answered.
             * @example 2026-11-21T09:30:00Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Until when the same answer can be had again.
             * @example 2026-11-21T09:30:00Z
             */
            expires_at: string;
        };
        Lead: {
            /**
             * @description Always `lead`.
             * @example lead
             * @enum {string}
             */
            object: "lead";
            /**
             * @description Unique lead identifier.
             * @example lead_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            id: string;
            /**
             * @description ID of the plan.
             * @example pln_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            plan: string;
            /** @description What is known of the customer; null: nothing. */
            customer: {
                /**
                 * @description Which variant; `company_name` goes with `company` only.
                 * @example person
                 * @enum {string|null}
                 */
                type: "person" | "company" | null;
                /**
                 * Format: visible-text
                 * @description Name of the company.
                 * @example Muster GmbH
                 */
                company_name: string | null;
                /**
                 * Format: visible-text
                 * @description First name; of a company, that of its contact.
                 * @example Erika
                 */
                first_name: string | null;
                /**
                 * Format: visible-text
                 * @description Last name; of a company, that of its contact.
                 * @example Mustermann
                 */
                last_name: string | null;
                /**
                 * Format: idn-email
                 * @description E-mail address, of letters of any script.
                 * @example erika@example.com
                 */
                email: string | null;
                /**
                 * Format: vat-id
                 * @description VAT identification number.
                 * @example DE123456789
                 */
                vat_id: string | null;
            } | null;
            /** @description Where the electricity would be delivered. */
            address: {
                /**
                 * Format: visible-text
                 * @description Street.
                 * @example Heidestraße
                 */
                street: string | null;
                /**
                 * Format: visible-text
                 * @description House number with its addition.
                 * @example 17a
                 */
                house_number: string | null;
                /**
                 * Format: postcode
                 * @description German postcode, 5 digits.
                 * @example 51147
                 */
                zip: string;
                /**
                 * Format: visible-text
                 * @description Town.
                 * @example Köln
                 */
                city: string | null;
            };
            /** @description What is known of the meter; null: nothing. */
            meter: {
                /**
                 * Format: visible-text
                 * @description Number on the meter, kept as given.
                 * @example 1EMH0012345678
                 */
                number: string | null;
                /**
                 * @description What kind of meter it is.
                 * @example smart
                 * @enum {string|null}
                 */
                type: "smart" | "modern" | "analog" | null;
                /**
                 * @description Estimated yearly usage in kWh.
                 * @example 3500
                 */
                estimated_usage: number | null;
                /**
                 * Format: market-location
                 * @description Market location identifier (Marktlokations-ID), 11 digits with a valid check digit.
                 * @example 41373559241
                 */
                malo: string | null;
            } | null;
            /** @description How the customer would pay; null: not known. */
            payment_method: {
                /**
                 * @description Which kind; the member of that name holds its data.
                 * @example sepa_debit
                 * @enum {string|null}
                 */
                type: "sepa_debit" | null;
                sepa_debit: {
                    /**
                     * @description Masked: country, check digits and the last four characters.
                     * @example DE89**************3000
                     */
                    iban: string | null;
                    /**
                     * Format: visible-text
                     * @description Name of the account’s holder.
                     * @example Erika Mustermann
                     */
                    account_holder: string | null;
                } | null;
            } | null;
            /**
             * @description True asks for the next possible date; false for exactly `intended_start_date`.
             * @example true
             */
            next_possible_start: boolean | null;
            /**
             * @description ID of the previous supplier, or null.
             * @example mp_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            previous_supplier: string | null;
            /**
             * Format: date
             * @description A day after that on which it is sent, in Europe/Berlin, and at most 12 months ahead. The sign-up needs it where `next_possible_start` is false.
             * @example 2027-02-01
             */
            intended_start_date: string | null;
            /** @description Additional orders; null: not known. */
            product_orders: components["schemas"]["OrderedProduct"][] | null;
            /**
             * Format: visible-text
             * @description The caller’s own key, meant for the sign-up to come; several leads may have it.
             * @example order-4711
             */
            external_id: string | null;
            /**
             * @description ID of the subscription that it has become; null until then.
             * @example sub_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            subscription: string | null;
            /**
             * Format: date-time
             * @description When it has become that subscription; null until then.
             * @example 2026-11-21T09:30:00Z
             */
            subscribed_at: string | null;
            /**
             * @description An address for this lead’s checkout, below `PUBLIC_URL`. The service answers nothing there: a checkout that is put in front of it can serve it.
             * @example https://example.com/checkout/lead_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            link: string;
            /**
             * @description Whether everything personal has been removed for good: it neither changes nor becomes a subscription any more.
             * @example false
             */
            erased: boolean;
            /**
             * @description ID of the credential that has brought it.
             * @example crd_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            created_by: string | null;
            /**
             * Format: date-time
             * @description Creation time.
             * @example 2026-11-21T09:30:00Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of last update.
             * @example 2026-11-21T09:30:00Z
             */
            updated_at: string;
            /**
             * @description Free-form data of the caller, at most 10,240 bytes as compact UTF-8 JSON; comes back as sent.
             * @example {
             *       "channel": "web"
             *     }
             */
            metadata: {
                [key: string]: unknown;
            } | null;
        };
        /** @description Where the electricity would be delivered. */
        LeadAddressInput: {
            /**
             * Format: visible-text
             * @description Street.
             * @example Heidestraße
             */
            street?: string;
            /**
             * Format: visible-text
             * @description House number with its addition.
             * @example 17a
             */
            house_number?: string;
            /**
             * Format: postcode
             * @description German postcode, 5 digits.
             * @example 51147
             */
            zip: string;
            /**
             * Format: visible-text
             * @description Town.
             * @example Köln
             */
            city?: string;
        };
        /** @description What is known of the customer. `company_name` is allowed of a company only. */
        LeadCustomerInput: {
            /**
             * @description Which variant; `company_name` goes with `company` only.
             * @example person
             * @enum {string}
             */
            type?: "person";
            /**
             * Format: visible-text
             * @description First name; of a company, that of its contact.
             * @example Erika
             */
            first_name?: string;
            /**
             * Format: visible-text
             * @description Last name; of a company, that of its contact.
             * @example Mustermann
             */
            last_name?: string;
            /**
             * Format: idn-email
             * @description E-mail address, of letters of any script.
             * @example erika@example.com
             */
            email?: string;
            /**
             * Format: vat-id
             * @description VAT identification number.
             * @example DE123456789
             */
            vat_id?: string;
        } | {
            /**
             * @description Which variant; `company_name` goes with `company` only.
             * @example company
             * @enum {string}
             */
            type: "company";
            /**
             * Format: visible-text
             * @description Name of the company.
             * @example Muster GmbH
             */
            company_name?: string;
            /**
             * Format: visible-text
             * @description First name; of a company, that of its contact.
             * @example Erika
             */
            first_name?: string;
            /**
             * Format: visible-text
             * @description Last name; of a company, that of its contact.
             * @example Mustermann
             */
            last_name?: string;
            /**
             * Format: idn-email
             * @description E-mail address, of letters of any script.
             * @example erika@example.com
             */
            email?: string;
            /**
             * Format: vat-id
             * @description VAT identification number.
             * @example DE123456789
             */
            vat_id?: string;
        };
        LeadInput: {
            /**
             * @description Plan ID.
             * @example pln_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            plan: string;
            customer?: components["schemas"]["LeadCustomerInput"];
            address: components["schemas"]["LeadAddressInput"];
            meter?: components["schemas"]["LeadMeterInput"];
            payment_method?: components["schemas"]["LeadPaymentMethodInput"];
            /**
             * @description True asks for the next possible date; false for exactly `intended_start_date`.
             * @example true
             */
            next_possible_start?: boolean;
            /**
             * @description ID of the previous supplier, see `GET /suppliers`. Absent: nobody has to be cancelled.
             * @example mp_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            previous_supplier?: string;
            /**
             * Format: date
             * @description A day after that on which it is sent, in Europe/Berlin, and at most 12 months ahead. The sign-up needs it where `next_possible_start` is false.
             * @example 2027-02-01
             */
            intended_start_date?: string;
            /** @description Additional product orders. */
            product_orders?: components["schemas"]["ProductOrder"][];
            /**
             * Format: visible-text
             * @description The caller’s own key, meant for the sign-up to come; several leads may have it.
             * @example order-4711
             */
            external_id?: string;
            /**
             * @description Free-form data of the caller, at most 10,240 bytes as compact UTF-8 JSON; comes back as sent.
             * @example {
             *       "channel": "web"
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            } | null;
        };
        LeadList: {
            /** @enum {string} */
            object: "list";
            items: components["schemas"]["Lead"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last one. */
            next_page: string | null;
        };
        /** @description What is known of the meter. */
        LeadMeterInput: {
            /**
             * Format: visible-text
             * @description Number on the meter, kept as given.
             * @example 1EMH0012345678
             */
            number?: string;
            /**
             * @description What kind of meter it is.
             * @example smart
             * @enum {string}
             */
            type?: "smart" | "modern" | "analog";
            /**
             * @description Estimated yearly usage in kWh.
             * @example 3500
             */
            estimated_usage?: number;
            /**
             * Format: market-location
             * @description Market location identifier (Marktlokations-ID), 11 digits with a valid check digit.
             * @example 41373559241
             */
            malo?: string;
        };
        /** @description How the customer would pay. */
        LeadPaymentMethodInput: {
            /**
             * @description Which kind; the member of that name holds its data.
             * @example sepa_debit
             * @enum {string}
             */
            type?: "sepa_debit";
            sepa_debit?: {
                /**
                 * Format: iban
                 * @description IBAN of any SEPA country; blanks and lower case are accepted.
                 * @example DE89370400440532013000
                 */
                iban?: string;
                /**
                 * Format: visible-text
                 * @description Name of the account’s holder.
                 * @example Erika Mustermann
                 */
                account_holder?: string;
            };
        };
        LeadUpdate: {
            /**
             * @description Plan ID.
             * @example pln_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            plan?: string;
            /** @description Members of the customer; null in place of the object empties all. */
            customer?: {
                /**
                 * @description Which variant; `company_name` goes with `company` only.
                 * @example person
                 * @enum {string|null}
                 */
                type?: "person" | "company" | null;
                /**
                 * Format: visible-text
                 * @description Name of the company.
                 * @example Muster GmbH
                 */
                company_name?: string | null;
                /**
                 * Format: visible-text
                 * @description First name; of a company, that of its contact.
                 * @example Erika
                 */
                first_name?: string | null;
                /**
                 * Format: visible-text
                 * @description Last name; of a company, that of its contact.
                 * @example Mustermann
                 */
                last_name?: string | null;
                /**
                 * Format: idn-email
                 * @description E-mail address, of letters of any script.
                 * @example erika@example.com
                 */
                email?: string | null;
                /**
                 * Format: vat-id
                 * @description VAT identification number.
                 * @example DE123456789
                 */
                vat_id?: string | null;
            } | null;
            /** @description Members of the address. */
            address?: {
                /**
                 * Format: visible-text
                 * @description Street.
                 * @example Heidestraße
                 */
                street?: string | null;
                /**
                 * Format: visible-text
                 * @description House number with its addition.
                 * @example 17a
                 */
                house_number?: string | null;
                /**
                 * Format: postcode
                 * @description German postcode, 5 digits.
                 * @example 51147
                 */
                zip?: string;
                /**
                 * Format: visible-text
                 * @description Town.
                 * @example Köln
                 */
                city?: string | null;
            };
            /** @description Members of the meter; null in place of the object empties all. */
            meter?: {
                /**
                 * Format: visible-text
                 * @description Number on the meter, kept as given.
                 * @example 1EMH0012345678
                 */
                number?: string | null;
                /**
                 * @description What kind of meter it is.
                 * @example smart
                 * @enum {string|null}
                 */
                type?: "smart" | "modern" | "analog" | null;
                /**
                 * @description Estimated yearly usage in kWh.
                 * @example 3500
                 */
                estimated_usage?: number | null;
                /**
                 * Format: market-location
                 * @description Market location identifier (Marktlokations-ID), 11 digits with a valid check digit.
                 * @example 41373559241
                 */
                malo?: string | null;
            } | null;
            /** @description Members of the payment method; null in place of the object empties all. */
            payment_method?: {
                /**
                 * @description Which kind; the member of that name holds its data.
                 * @example sepa_debit
                 * @enum {string|null}
                 */
                type?: "sepa_debit" | null;
                sepa_debit?: {
                    /**
                     * Format: iban
                     * @description IBAN of any SEPA country; blanks and lower case are accepted.
                     * @example DE89370400440532013000
                     */
                    iban?: string | null;
                    /**
                     * Format: visible-text
                     * @description Name of the account’s holder.
                     * @example Erika Mustermann
                     */
                    account_holder?: string | null;
                } | null;
            } | null;
            /**
             * @description True asks for the next possible date; false for exactly `intended_start_date`.
             * @example true
             */
            next_possible_start?: boolean | null;
            /**
             * @description ID of the previous supplier, see `GET /suppliers`. Absent: nobody has to be cancelled.
             * @example mp_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            previous_supplier?: string | null;
            /**
             * Format: date
             * @description A day after that on which it is sent, in Europe/Berlin, and at most 12 months ahead. The sign-up needs it where `next_possible_start` is false.
             * @example 2027-02-01
             */
            intended_start_date?: string | null;
            /** @description Replaces all orders. */
            product_orders?: components["schemas"]["ProductOrder"][] | null;
            /**
             * Format: visible-text
             * @description The caller’s own key, meant for the sign-up to come; several leads may have it.
             * @example order-4711
             */
            external_id?: string | null;
            /**
             * @description Merged key by key with what is there; a key with null is removed, and null in place of the object removes all.
             * @example {
             *       "channel": null,
             *       "campaign": "spring"
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            } | null;
        };
        Meter: {
            /**
             * @description Always `meter`.
             * @example meter
             * @enum {string}
             */
            object: "meter";
            /**
             * @description Unique meter identifier.
             * @example mtr_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            id: string;
            /**
             * Format: visible-text
             * @description Number on the meter, kept as given.
             * @example 1EMH0012345678
             */
            number: string;
            /**
             * @description What kind of meter it is.
             * @example smart
             * @enum {string}
             */
            type: "smart" | "modern" | "analog";
            /**
             * @description Estimated yearly usage in kWh.
             * @example 3500
             */
            estimated_usage: number;
            /**
             * Format: market-location
             * @description Market location identifier (Marktlokations-ID), 11 digits with a valid check digit.
             * @example 41373559241
             */
            malo: string | null;
            /**
             * Format: date-time
             * @description Creation time.
             * @example 2026-11-21T09:30:00Z
             */
            created_at: string;
        };
        /** @description The meter; with `malo` the switch starts without an identification. */
        MeterInput: {
            /**
             * Format: visible-text
             * @description Number on the meter, kept as given.
             * @example 1EMH0012345678
             */
            number: string;
            /**
             * @description What kind of meter it is.
             * @example smart
             * @enum {string}
             */
            type: "smart" | "modern" | "analog";
            /**
             * @description Estimated yearly usage in kWh.
             * @example 3500
             */
            estimated_usage: number;
            /**
             * Format: market-location
             * @description Market location identifier (Marktlokations-ID), 11 digits with a valid check digit.
             * @example 41373559241
             */
            malo?: string;
        };
        MeterOrder: {
            /**
             * @description Always `meter_order`.
             * @example meter_order
             * @enum {string}
             */
            object: "meter_order";
            /**
             * @description Unique meter order identifier.
             * @example mor_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            id: string;
            /**
             * @description The subscription whose meter it is.
             * @example sub_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            subscription: string;
            /**
             * @description The meter that is exchanged for a smart one.
             * @example mtr_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            meter: string;
            /**
             * @description `placed`: the metering operator has it; `scheduled`: the fitter comes at `appointment_at`; `installed`: it hangs; `activated`: it delivers values, and the meter is `smart`.
             * @example created
             * @enum {string}
             */
            status: "created" | "placed" | "scheduled" | "installed" | "activated" | "cancelled";
            /** @description What must happen before it can go on; null when nothing holds it up. */
            blocked: {
                /**
                 * @description What holds it up; further codes may be added.
                 * @example transmit_order
                 * @enum {string}
                 */
                code: "transmit_order" | "no_gateway_coverage" | "fitting_refused" | "fitter_not_let_in" | "metering_operator_unanswered" | "smart_meter_missing" | "grid_operator_unanswered";
                /**
                 * @description Who has to act.
                 * @example customer
                 * @enum {string}
                 */
                actor: "customer" | "partner" | "operator" | "metering_operator";
                /** @description The same for people. */
                message: string;
                /**
                 * Format: date-time
                 * @description Since when.
                 * @example 2026-11-21T09:30:00Z
                 */
                since: string;
            } | null;
            /**
             * Format: date-time
             * @description By when the partner should have answered, or have done what he promised; null: nothing is awaited.
             * @example 2026-11-21T09:30:00Z
             */
            due_at: string | null;
            /**
             * Format: date-time
             * @description When the metering operator got the order.
             * @example 2026-11-21T09:30:00Z
             */
            placed_at: string | null;
            /**
             * Format: date-time
             * @description When the fitter comes, or came.
             * @example 2026-11-21T09:30:00Z
             */
            appointment_at: string | null;
            /**
             * Format: date-time
             * @description When the smart meter was fitted.
             * @example 2026-11-21T09:30:00Z
             */
            installed_at: string | null;
            /**
             * Format: date-time
             * @description When it delivered values.
             * @example 2026-11-21T09:30:00Z
             */
            activated_at: string | null;
            /**
             * Format: date-time
             * @description When it was cancelled, or the subscription ended.
             * @example 2026-11-21T09:30:00Z
             */
            cancelled_at: string | null;
            /**
             * Format: date-time
             * @description Creation time.
             * @example 2026-11-21T09:30:00Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of last update.
             * @example 2026-11-21T09:30:00Z
             */
            updated_at: string;
        };
        MeterOrderList: {
            /** @enum {string} */
            object: "list";
            items: components["schemas"]["MeterOrder"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last one. */
            next_page: string | null;
        };
        MeterOrderRequest: {
            /**
             * @description The subscription; it must not have ended.
             * @example sub_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            subscription: string;
        };
        NormalisedSignUp: {
            /**
             * @description ID of the plan.
             * @example pln_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            plan: string;
            customer: {
                /**
                 * @description Which variant; `person` when absent.
                 * @example person
                 * @enum {string}
                 */
                type: "person" | "company";
                /**
                 * Format: visible-text
                 * @description Name of the company.
                 * @example Muster GmbH
                 */
                company_name: string | null;
                /**
                 * Format: visible-text
                 * @description First name; of a company, that of its contact.
                 * @example Erika
                 */
                first_name: string;
                /**
                 * Format: visible-text
                 * @description Last name; of a company, that of its contact.
                 * @example Mustermann
                 */
                last_name: string;
                /**
                 * Format: idn-email
                 * @description E-mail address, of letters of any script.
                 * @example erika@example.com
                 */
                email: string;
                /**
                 * Format: vat-id
                 * @description VAT identification number.
                 * @example DE123456789
                 */
                vat_id: string | null;
            };
            address: {
                /**
                 * Format: visible-text
                 * @description Street.
                 * @example Heidestraße
                 */
                street: string;
                /**
                 * Format: visible-text
                 * @description House number with its addition.
                 * @example 17a
                 */
                house_number: string;
                /**
                 * Format: postcode
                 * @description German postcode, 5 digits.
                 * @example 51147
                 */
                zip: string;
                /**
                 * Format: visible-text
                 * @description Town.
                 * @example Köln
                 */
                city: string;
            };
            meter: {
                /**
                 * Format: visible-text
                 * @description Number on the meter, kept as given.
                 * @example 1EMH0012345678
                 */
                number: string;
                /**
                 * @description What the number is matched by: upper case, no blanks or dashes.
                 * @example 1EMH0012345678
                 */
                number_normalised: string;
                /**
                 * @description What kind of meter it is.
                 * @example smart
                 * @enum {string}
                 */
                type: "smart" | "modern" | "analog";
                /**
                 * @description Estimated yearly usage in kWh.
                 * @example 3500
                 */
                estimated_usage: number;
                /**
                 * Format: market-location
                 * @description Market location identifier (Marktlokations-ID), 11 digits with a valid check digit.
                 * @example 41373559241
                 */
                malo: string | null;
            };
            payment_method: {
                /**
                 * @description Which kind.
                 * @example sepa_debit
                 * @enum {string}
                 */
                type: "sepa_debit";
                sepa_debit: {
                    /**
                     * @description Normalised and masked.
                     * @example DE89**************3000
                     */
                    iban: string;
                    /**
                     * Format: visible-text
                     * @description Name of the account’s holder.
                     * @example Erika Mustermann
                     */
                    account_holder: string;
                };
            };
            /**
             * @description True asks for the next possible date; false for exactly `intended_start_date`.
             * @example true
             */
            next_possible_start: boolean;
            /**
             * @description ID of the previous supplier, or null.
             * @example mp_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            previous_supplier: string | null;
            /**
             * Format: date
             * @description A day after today in Europe/Berlin, at most 12 months ahead. Required when `next_possible_start` is false.
             * @example 2027-02-01
             */
            intended_start_date: string | null;
            /**
             * @description ID of the lead, or null.
             * @example lead_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            lead: string | null;
            product_orders: components["schemas"]["OrderedProduct"][];
            /**
             * Format: visible-text
             * @description The caller’s own key, unique in the project until its customer is erased.
             * @example order-4711
             */
            external_id: string | null;
            /**
             * @description Free-form data of the caller, at most 10,240 bytes as compact UTF-8 JSON; comes back as sent.
             * @example {
             *       "channel": "web"
             *     }
             */
            metadata: {
                [key: string]: unknown;
            } | null;
        };
        /** @description An additional order; `14a_enwg` holds the details of an order of that type. */
        OrderedProduct: {
            /**
             * @description What is ordered.
             * @example smart-meter
             * @enum {string}
             */
            type: "smart-meter";
        } | {
            /**
             * @description What is ordered.
             * @example 14a_enwg
             * @enum {string}
             */
            type: "14a_enwg";
            /** @description Modules of the grid-fee reduction: 1, 2, or 1 and 3. */
            "14a_enwg": {
                /** @description Flat yearly reduction. */
                module_1?: boolean;
                /** @description Reduced work price; needs a meter of its own. */
                module_2?: boolean;
                /** @description Time-variable work price; with module 1 and a smart meter. */
                module_3?: boolean;
            };
        };
        PaymentMethod: {
            /**
             * @description Always `payment_method`.
             * @example payment_method
             * @enum {string}
             */
            object: "payment_method";
            /**
             * @description Unique payment method identifier.
             * @example pm_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            id: string;
            /**
             * @description Which kind.
             * @example sepa_debit
             * @enum {string}
             */
            type: "sepa_debit";
            sepa_debit: {
                /**
                 * @description Masked: country, check digits and the last four characters.
                 * @example DE89**************3000
                 */
                iban: string;
                /**
                 * Format: visible-text
                 * @description Name of the account’s holder.
                 * @example Erika Mustermann
                 */
                account_holder: string;
            };
            /**
             * Format: date-time
             * @description Creation time.
             * @example 2026-11-21T09:30:00Z
             */
            created_at: string;
        };
        /** @description How the customer pays. */
        PaymentMethodInput: {
            /**
             * @description Which kind; the member of that name holds its data.
             * @example sepa_debit
             * @enum {string}
             */
            type: "sepa_debit";
            sepa_debit: {
                /**
                 * Format: iban
                 * @description IBAN of any SEPA country; blanks and lower case are accepted.
                 * @example DE89370400440532013000
                 */
                iban: string;
                /**
                 * Format: visible-text
                 * @description Name of the account’s holder.
                 * @example Erika Mustermann
                 */
                account_holder: string;
            };
        };
        Plan: {
            /**
             * @description Always `plan`.
             * @example plan
             * @enum {string}
             */
            object: "plan";
            /**
             * @description Unique plan identifier.
             * @example pln_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            id: string;
            /**
             * Format: visible-text
             * @description What the plan is called.
             * @example Ökostrom 12
             */
            name: string;
            /**
             * @description Short name for URLs, unique in the project; made of the name when absent.
             * @example oekostrom-12
             */
            slug: string;
            /**
             * @description What customers should know about it.
             * @example Ökostrom mit zwölf Monaten Preisgarantie.
             */
            description: string | null;
            /**
             * @description What is supplied: electricity for consumption.
             * @example consumption
             * @enum {string}
             */
            type: "consumption";
            /**
             * Format: price
             * @description Base fee in EUR per month, gross, at most two decimals.
             * @example 12.9
             */
            price: number;
            /**
             * @description Currency of the price.
             * @example EUR
             * @enum {string}
             */
            currency: "EUR";
            /**
             * Format: cancellation-period
             * @description Notice of an ordinary termination: an ISO 8601 period of years and months, each below 100, and weeks and days, each below 1000.
             * @example P1M
             */
            cancellation_period: string;
            /**
             * @description The product orders that a sign-up with this plan may make.
             * @example [
             *       "smart-meter",
             *       "14a_enwg"
             *     ]
             */
            products: ("smart-meter" | "14a_enwg")[];
            /**
             * @description Whether sign-ups may name it; false archives it.
             * @example true
             */
            active: boolean;
            /**
             * Format: date-time
             * @description Creation time.
             * @example 2026-11-21T09:30:00Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of last update.
             * @example 2026-11-21T09:30:00Z
             */
            updated_at: string;
        };
        PlanChange: {
            /**
             * Format: visible-text
             * @description What the plan is called.
             * @example Ökostrom 12
             */
            name?: string;
            /**
             * @description Short name for URLs, unique in the project; made of the name when absent.
             * @example oekostrom-12
             */
            slug?: string;
            /**
             * @description What customers should know about it.
             * @example Ökostrom mit zwölf Monaten Preisgarantie.
             */
            description?: string | null;
            /**
             * Format: price
             * @description Base fee in EUR per month, gross, at most two decimals.
             * @example 12.9
             */
            price?: number;
            /**
             * Format: cancellation-period
             * @description Notice of an ordinary termination: an ISO 8601 period of years and months, each below 100, and weeks and days, each below 1000.
             * @example P1M
             */
            cancellation_period?: string;
            /**
             * @description The product orders that a sign-up with this plan may make.
             * @example [
             *       "smart-meter",
             *       "14a_enwg"
             *     ]
             */
            products?: ("smart-meter" | "14a_enwg")[];
            /**
             * @description Whether sign-ups may name it; false archives it.
             * @example true
             */
            active?: boolean;
        };
        PlanCreation: {
            /**
             * Format: visible-text
             * @description What the plan is called.
             * @example Ökostrom 12
             */
            name: string;
            /**
             * @description Short name for URLs, unique in the project; made of the name when absent.
             * @example oekostrom-12
             */
            slug?: string;
            /**
             * @description What customers should know about it.
             * @example Ökostrom mit zwölf Monaten Preisgarantie.
             */
            description?: string | null;
            /**
             * @description What is supplied; `consumption` when absent.
             * @example consumption
             * @enum {string}
             */
            type?: "consumption";
            /**
             * Format: price
             * @description Base fee in EUR per month, gross, at most two decimals.
             * @example 12.9
             */
            price: number;
            /**
             * @description Currency of the price; `EUR` when absent.
             * @example EUR
             * @enum {string}
             */
            currency?: "EUR";
            /**
             * Format: cancellation-period
             * @description Notice of an ordinary termination: an ISO 8601 period of years and months, each below 100, and weeks and days, each below 1000.
             * @example P1M
             */
            cancellation_period?: string;
            /**
             * @description The product orders that a sign-up with this plan may make.
             * @example [
             *       "smart-meter",
             *       "14a_enwg"
             *     ]
             */
            products?: ("smart-meter" | "14a_enwg")[];
            /**
             * @description Whether sign-ups may name it; false archives it.
             * @example true
             */
            active?: boolean;
        };
        PlanList: {
            /** @enum {string} */
            object: "list";
            items: components["schemas"]["Plan"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last one. */
            next_page: string | null;
        };
        /** @description A refusal, as RFC 9457 with extension members. */
        Problem: {
            /** @description URL of the page about the code. */
            type: string;
            title: string;
            status: number;
            detail: string;
            /**
             * @description One of the codes listed at `/docs/errors`.
             * @example invalid_iban
             */
            code: string;
            request_id: string;
            /** @description Every wrong member of the request; of a 409 or 422 those that the present state does not permit, if any. */
            errors: {
                /**
                 * @description JSON Pointer into the body, `?name` for a query parameter, `#Name` for a header.
                 * @example /payment_method/sepa_debit/iban
                 */
                field: string;
                /** @example invalid_iban */
                code: string;
                message: string;
            }[];
            /**
             * Format: date
             * @description Of `start_date_too_early` only: the first day that can be chosen.
             * @example 2027-03-01
             */
            earliest_start_date?: string;
            /**
             * Format: date
             * @description Of `start_leaves_gap` only: the first day without the previous contract.
             * @example 2027-03-01
             */
            previous_contract_end?: string;
            /**
             * Format: date
             * @description Of `end_date_too_early` only: the first day that can be asked for.
             * @example 2027-03-01
             */
            earliest_end_date?: string;
            /** @description Of `customer_has_running_supply` only: those that must have ended first. */
            subscriptions?: string[];
        };
        /** @description An additional order; `14a_enwg` holds the details of an order of that type. */
        ProductOrder: {
            /**
             * @description What is ordered.
             * @example smart-meter
             * @enum {string}
             */
            type: "smart-meter";
        } | {
            /**
             * @description What is ordered.
             * @example 14a_enwg
             * @enum {string}
             */
            type: "14a_enwg";
            /** @description Modules of the grid-fee reduction: 1, 2, or 1 and 3. */
            "14a_enwg": {
                /** @description Flat yearly reduction. */
                module_1?: boolean;
                /** @description Reduced work price; needs a meter of its own. */
                module_2?: boolean;
                /** @description Time-variable work price; with module 1 and a smart meter. */
                module_3?: boolean;
            };
        };
        ResourceTimeline: {
            /** @enum {string} */
            object: "list";
            items: components["schemas"]["ResourceTimelineEntry"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last one. */
            next_page: string | null;
        };
        ResourceTimelineEntry: {
            /**
             * @description Always `timeline_entry`.
             * @example timeline_entry
             * @enum {string}
             */
            object: "timeline_entry";
            /**
             * @description Every step has its event.
             * @example event
             * @enum {string}
             */
            type: "event";
            /**
             * Format: date-time
             * @description When it happened, in the project’s time.
             * @example 2026-11-21T09:30:00Z
             */
            timestamp: string;
            actor: {
                /**
                 * @description Who caused it: a caller of the API, an operator, a market partner, or the passing of time.
                 * @example api
                 * @enum {string}
                 */
                type: "api" | "operator" | "market" | "time";
                /**
                 * @description The credential of a caller.
                 * @example crd_01k9zr5x3hf8b9m2t4v6w8y0ac
                 */
                credential: string | null;
            };
            /** @description The request that caused it. */
            request_id: string | null;
            /** @description The `X-Reason` of that request; null when there was none. */
            reason: string | null;
            event: {
                /**
                 * @description The event that tells of it.
                 * @example evt_01k9zr5x3hf8b9m2t4v6w8y0ac
                 */
                id: string;
                /**
                 * @description Its type.
                 * @example meter_order.placed
                 */
                type: string;
                /**
                 * @description Counts the events of the resource from 1 without gaps.
                 * @example 2
                 */
                sequence: number;
                /** @description What changed members were before. */
                previous_attributes: {
                    [key: string]: unknown;
                };
            };
        };
        SandboxClock: {
            /**
             * @description Always `sandbox_clock`.
             * @example sandbox_clock
             * @enum {string}
             */
            object: "sandbox_clock";
            /**
             * Format: date-time
             * @description The project’s present.
             * @example 2026-11-21T09:30:00Z
             */
            now: string;
            /** @description Whether it goes with wall time; from the first advance on it stands, and moves by advances only. */
            ticking: boolean;
            /**
             * Format: date-time
             * @description Where an advance under way leads; null otherwise.
             * @example 2026-11-21T09:30:00Z
             */
            advancing_to: string | null;
        };
        /** @description One of the two. */
        SandboxClockAdvance: {
            /**
             * Format: instant
             * @description The instant to go to, not before the present.
             * @example 2026-11-21T09:30:00Z
             */
            advance_to?: string;
            /**
             * Format: positive-duration
             * @description How far to go, an ISO 8601 duration; days and longer are counted in Europe/Berlin.
             * @example P1D
             */
            advance_by?: string;
        };
        SecretRotation: {
            /**
             * Format: overlap
             * @description How long the present secret signs too, ISO 8601, at most `P7D`; `P1D` when absent, `PT0S`: no longer.
             * @example P1D
             */
            overlap?: string;
        };
        SignUp: {
            /**
             * @description Plan ID.
             * @example pln_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            plan: string;
            customer: components["schemas"]["CustomerInput"];
            address: components["schemas"]["AddressInput"];
            meter: components["schemas"]["MeterInput"];
            payment_method: components["schemas"]["PaymentMethodInput"];
            /**
             * @description True asks for the next possible date; false for exactly `intended_start_date`.
             * @example true
             */
            next_possible_start: boolean;
            /**
             * @description ID of the previous supplier, see `GET /suppliers`. Absent: nobody has to be cancelled.
             * @example mp_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            previous_supplier?: string;
            /**
             * Format: date
             * @description A day after today in Europe/Berlin, at most 12 months ahead. Required when `next_possible_start` is false.
             * @example 2027-02-01
             */
            intended_start_date?: string;
            /**
             * @description Lead ID, used to track attribution.
             * @example lead_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            lead?: string;
            /** @description Additional product orders. */
            product_orders?: components["schemas"]["ProductOrder"][];
            /**
             * Format: visible-text
             * @description The caller’s own key, unique in the project until its customer is erased.
             * @example order-4711
             */
            external_id?: string;
            /**
             * @description Free-form data of the caller, at most 10,240 bytes as compact UTF-8 JSON; comes back as sent.
             * @example {
             *       "channel": "web"
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            } | null;
        };
        SignUpCheck: {
            /**
             * @description Always `sign_up_check`.
             * @example sign_up_check
             * @enum {string}
             */
            object: "sign_up_check";
            /** @description Whether a sign-up with this body would be created now. */
            valid: boolean;
            /** @description Everything that a sign-up would be refused for, conflicts with what is stored included; empty when it is valid. */
            errors: components["schemas"]["SignUpRemark"][];
            /** @description What will come otherwise than expected. */
            warnings: components["schemas"]["SignUpRemark"][];
            /**
             * Format: date
             * @description The first day of supply that the market can be asked for today; a previous supplier’s contract may end later. Null while `previous_supplier` is wrong.
             * @example 2026-11-24
             */
            earliest_start_date: string | null;
            /**
             * Format: date
             * @description `requested_start_date` of the subscription that would be created; null where it has none, or the body is not well-formed.
             * @example 2026-11-24
             */
            requested_start_date: string | null;
            /** @description What would bring supply sooner, or spare the switch a detour. */
            faster: components["schemas"]["SignUpRemark"][];
            /** @description The body as it would be stored; null while a member is wrong in itself. */
            normalised: components["schemas"]["NormalisedSignUp"] | null;
        };
        SignUpRemark: {
            /**
             * @description JSON Pointer into the body.
             * @example /meter/malo
             */
            field: string;
            /** @description One of the codes listed at `/docs/errors`. */
            code: string;
            /** @description The same for people. */
            message: string;
        };
        Subscription: {
            /**
             * @description Always `subscription`.
             * @example subscription
             * @enum {string}
             */
            object: "subscription";
            /**
             * @description Unique subscription identifier.
             * @example sub_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            id: string;
            /** @description ID of the plan. The object itself with `expand[]`. */
            plan: string | components["schemas"]["Plan"];
            /** @description ID of the customer. The object itself with `expand[]`. */
            customer: string | components["schemas"]["Customer"];
            /** @description ID of the address. The object itself with `expand[]`. */
            address: string | components["schemas"]["Address"];
            /** @description ID of the meter. The object itself with `expand[]`. */
            meter: string | components["schemas"]["Meter"];
            /** @description ID of the payment method. The object itself with `expand[]`. */
            payment_method: string | components["schemas"]["PaymentMethod"];
            /** @description ID of the billing address, or null where it is the delivery address. The object itself with `expand[]`. */
            billing_address: string | components["schemas"]["Address"] | null;
            /** @description ID of the previous supplier, or null. The object itself with `expand[]`. */
            supplier: string | components["schemas"]["Supplier"] | null;
            /**
             * @description Human-readable identifier, unique in the project.
             * @example K7M2P9QX
             */
            number: string;
            /**
             * @description Subscription status.
             * @example pending
             * @enum {string}
             */
            status: "pending" | "active" | "ended";
            /**
             * @description Where the subscription stands, finer than `status`.
             * @example identifying
             * @enum {string}
             */
            stage: "identifying" | "cancelling" | "registering" | "confirmed" | "supplying" | "ending" | "ended";
            /**
             * @description Why it ended; null until then.
             * @example terminated
             * @enum {string|null}
             */
            end_reason: "terminated" | "moved_out" | "withdrawn" | "rejected" | "superseded" | null;
            /** @description What must happen before the subscription can go on; null while nothing is asked of anybody. */
            next_action: {
                /**
                 * @description What is the matter; `/docs/market.md` has the table of all codes.
                 * @example market_location_not_found
                 * @enum {string}
                 */
                code: "market_location_not_found" | "market_location_ambiguous" | "market_location_taken" | "market_location_shut_down" | "power_of_attorney_doubted" | "previous_contract_bound" | "previous_supplier_unaware" | "previous_supplier_objects" | "not_a_move_in" | "concurrent_registration" | "identification_unanswered" | "cancellation_unanswered" | "registration_unanswered" | "deregistration_unanswered" | "reversal_unanswered" | "revocation_unanswered" | "revocation_refused" | "balancing_group_authority_missing" | "new_connection" | "identification_refused" | "cancellation_refused" | "cancelled_too_early" | "registration_refused" | "deregistration_refused" | "ended_too_early" | "message_not_processed" | "confirmed_too_late" | "confirmed_too_early" | "internal_error" | "transmit_message";
                /**
                 * @description Who has to act.
                 * @example customer
                 * @enum {string}
                 */
                actor: "customer" | "partner" | "operator" | "grid_operator" | "previous_supplier";
                /** @description The same for people. */
                message: string;
                /** @description JSON Pointers of what `PATCH` may correct; naming one as it is says that it is right. */
                fields: string[];
                /** @description The request that resolves it; null where only waiting, or an operator’s command, does. */
                resolve: {
                    /**
                     * @description Method.
                     * @example PATCH
                     * @enum {string}
                     */
                    method: "PATCH" | "POST";
                    /**
                     * @description Path.
                     * @example /subscriptions/sub_01k9zr5x3hf8b9m2t4v6w8y0ac
                     */
                    path: string;
                } | null;
                /**
                 * Format: date-time
                 * @description By when the actor should have acted; null without a limit.
                 * @example 2026-11-21T09:30:00Z
                 */
                due_at: string | null;
                /**
                 * Format: date-time
                 * @description When the service goes on by itself; null where it does not.
                 * @example 2026-11-21T09:30:00Z
                 */
                retry_at: string | null;
            } | null;
            /**
             * @description Estimated yearly usage in kWh.
             * @example 3500
             */
            estimated_usage: number;
            /**
             * @description True asks for the next possible date; false for exactly `intended_start_date`.
             * @example true
             */
            next_possible_start: boolean;
            /**
             * Format: date
             * @description A day after today in Europe/Berlin, at most 12 months ahead. Required when `next_possible_start` is false.
             * @example 2027-02-01
             */
            intended_start_date: string | null;
            /**
             * Format: date
             * @description The first day of supply that the market is asked for at present; null before anything was asked.
             * @example 2027-02-01
             */
            requested_start_date: string | null;
            /**
             * @description Why the requested day is not `intended_start_date`: the market’s lead time, the contract with the previous supplier, or the grid operator’s answer. Null where it is, or where the next possible start was asked for. While a registration is taken back after a correction, this and the requested day are still those of that registration.
             * @example lead_time
             * @enum {string|null}
             */
            requested_start_reason: "lead_time" | "previous_contract" | "grid_operator" | null;
            /**
             * @description ID of the lead, or null.
             * @example lead_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            lead: string | null;
            /** @description The additional orders, as they were made. */
            product_orders: components["schemas"]["OrderedProduct"][];
            /**
             * Format: visible-text
             * @description The caller’s own key, unique in the project until its customer is erased.
             * @example order-4711
             */
            external_id: string | null;
            /**
             * Format: date-time
             * @description Creation time.
             * @example 2026-11-21T09:30:00Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of last update.
             * @example 2026-11-21T09:30:00Z
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When delivery started or will start; null until the grid operator has confirmed, and once he has revoked the start.
             * @example 2026-11-21T09:30:00Z
             */
            start_at: string | null;
            /**
             * Format: date-time
             * @description When the termination was accepted, or the withdrawal, also of what was terminated before; null until then.
             * @example 2026-11-21T09:30:00Z
             */
            terminated_at: string | null;
            /**
             * Format: date-time
             * @description When the subscription ended or will end, exclusive; null while that is open.
             * @example 2026-11-21T09:30:00Z
             */
            end_at: string | null;
            /**
             * @description ID of the credential that signed up.
             * @example crd_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            created_by: string;
            /**
             * @description Free-form data of the caller, at most 10,240 bytes as compact UTF-8 JSON; comes back as sent.
             * @example {
             *       "channel": "web"
             *     }
             */
            metadata: {
                [key: string]: unknown;
            } | null;
        };
        SubscriptionList: {
            /** @enum {string} */
            object: "list";
            items: components["schemas"]["Subscription"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last one. */
            next_page: string | null;
        };
        SubscriptionUpdate: {
            payment_method?: components["schemas"]["PaymentMethodInput"];
            billing_address?: components["schemas"]["BillingAddressInput"];
            /**
             * @description Merged key by key with what is there; a key with null is removed, and null in place of the object removes all.
             * @example {
             *       "channel": null,
             *       "campaign": "spring"
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /** @description Corrects the meter number or the market location, until the grid operator has confirmed. Another number makes the market location unknown: it is searched, unless `malo` is sent along to keep it. */
            meter?: {
                /**
                 * Format: visible-text
                 * @description Number on the meter, kept as given.
                 * @example 1EMH0012345678
                 */
                number?: string;
                /**
                 * Format: market-location
                 * @description Market location identifier (Marktlokations-ID), 11 digits with a valid check digit.
                 * @example 41373559241
                 */
                malo?: string;
            };
            /** @description Corrects members of the delivery address, until the grid operator has confirmed. Another address makes the market location unknown: it is searched, unless `meter.malo` is sent along to keep it. */
            address?: {
                /**
                 * Format: visible-text
                 * @description Street.
                 * @example Heidestraße
                 */
                street?: string;
                /**
                 * Format: visible-text
                 * @description House number with its addition.
                 * @example 17a
                 */
                house_number?: string;
                /**
                 * Format: postcode
                 * @description German postcode, 5 digits.
                 * @example 51147
                 */
                zip?: string;
                /**
                 * Format: visible-text
                 * @description Town.
                 * @example Köln
                 */
                city?: string;
            };
            /** @description Corrects names, until the grid operator has confirmed. `company_name` of a company only. */
            customer?: {
                /**
                 * Format: visible-text
                 * @description First name; of a company, that of its contact.
                 * @example Erika
                 */
                first_name?: string;
                /**
                 * Format: visible-text
                 * @description Last name; of a company, that of its contact.
                 * @example Mustermann
                 */
                last_name?: string;
                /**
                 * Format: visible-text
                 * @description Name of the company.
                 * @example Muster GmbH
                 */
                company_name?: string;
            };
            /**
             * Format: date
             * @description A day after today in Europe/Berlin, at most 12 months ahead. Of a subscription with `next_possible_start` it counts only where `next_action.fields` asks for it; where that is because the previous contract still runs, no day before its end is taken.
             * @example 2027-02-01
             */
            intended_start_date?: string;
            /**
             * @description ID of the supplier to cancel, see `GET /suppliers`; null: nobody has to be cancelled. Until the grid operator has confirmed.
             * @example mp_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            previous_supplier?: string | null;
        };
        Supplier: {
            /**
             * @description Always `supplier`.
             * @example supplier
             * @enum {string}
             */
            object: "supplier";
            /**
             * @description Unique supplier identifier.
             * @example mp_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            id: string;
            /**
             * @description What the supplier is called.
             * @example Stadtwerke Musterstadt GmbH
             */
            name: string;
            /**
             * @description Its code number in the energy market, 13 digits; null when it is not known.
             * @example 9900123456789
             */
            code: string | null;
            /**
             * @description Who issued the code; null without one.
             * @example BDEW
             * @enum {string|null}
             */
            code_type: "BDEW" | "DVGW" | "GLN" | null;
            /**
             * @description Where it is at home, ISO 3166-1 alpha-2.
             * @example DE
             */
            country: string;
            /**
             * Format: date-time
             * @description Creation time.
             * @example 2026-11-21T09:30:00Z
             */
            created_at: string;
        };
        SupplierList: {
            /** @enum {string} */
            object: "list";
            items: components["schemas"]["Supplier"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last one. */
            next_page: string | null;
        };
        Termination: {
            /**
             * @description Why: with the plan’s notice, because the customer moves out, or by withdrawing within 14 days of conclusion.
             * @example ordinary
             * @enum {string}
             */
            reason: "ordinary" | "move_out" | "withdrawal";
            /**
             * Format: date
             * @description The first day without supply; `end_at` is its 00:00 in Europe/Berlin. Absent: the earliest possible; at most ten years after it. Required with `move_out`, not allowed with `withdrawal`.
             * @example 2027-03-01
             */
            intended_end_date?: string;
            /**
             * Format: date
             * @description The day, in Europe/Berlin, on which the customer sent his withdrawal (§ 355 (1) BGB), or on which his termination reached you (§ 130 (1) BGB): the withdrawal period, or the notice, is counted by it. Absent: today. Neither before the conclusion nor in the future.
             * @example 2027-01-29
             */
            notice_date?: string;
        };
        Timeline: {
            /** @enum {string} */
            object: "list";
            items: components["schemas"]["TimelineEntry"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last one. */
            next_page: string | null;
        };
        TimelineEntry: {
            /**
             * @description Always `timeline_entry`.
             * @example timeline_entry
             * @enum {string}
             */
            object: "timeline_entry";
            /**
             * @description Which of the members below is filled.
             * @example event
             * @enum {string}
             */
            type: "event" | "transition" | "message";
            /**
             * Format: date-time
             * @description When it happened, in the project’s time.
             * @example 2026-11-21T09:30:00Z
             */
            timestamp: string;
            /**
             * @description Counts the steps of the life; what belongs together shares one.
             * @example 3
             */
            revision: number;
            actor: {
                /**
                 * @description Who caused it: a caller of the API, an operator, a market partner, the passing of time, or the service itself.
                 * @example api
                 * @enum {string}
                 */
                type: "api" | "operator" | "market" | "time" | "service";
                /**
                 * @description The credential of a caller.
                 * @example crd_01k9zr5x3hf8b9m2t4v6w8y0ac
                 */
                credential: string | null;
            };
            /** @description The request that caused it. */
            request_id: string | null;
            /** @description The `X-Reason` of that request; null when there was none. */
            reason: string | null;
            /** @description A step of the lifecycle; null in entries of other types. */
            transition: {
                /**
                 * @description The stage before.
                 * @example identifying
                 * @enum {string}
                 */
                from: "identifying" | "cancelling" | "registering" | "confirmed" | "supplying" | "ending" | "ended";
                /**
                 * @description The stage from then on.
                 * @example identifying
                 * @enum {string}
                 */
                to: "identifying" | "cancelling" | "registering" | "confirmed" | "supplying" | "ending" | "ended";
            } | null;
            /** @description What was told; null in entries of other types. */
            event: {
                /**
                 * @description The event that tells of it.
                 * @example evt_01k9zr5x3hf8b9m2t4v6w8y0ac
                 */
                id: string;
                /**
                 * @description What has happened; further types may be added.
                 * @example subscription.created
                 * @enum {string}
                 */
                type: "subscription.created" | "subscription.updated" | "subscription.confirmed" | "subscription.activated" | "subscription.action_required" | "subscription.action_resolved" | "subscription.terminated" | "subscription.termination_undone" | "subscription.ended";
                /**
                 * @description Counts the events of the resource from 1 without gaps.
                 * @example 2
                 */
                sequence: number;
                /** @description What changed members were before. */
                previous_attributes: {
                    [key: string]: unknown;
                };
                /**
                 * @description JSON Pointers of what an edit named, and `/meter/malo` where correcting the place made it unknown.
                 * @example [
                 *       "/meter/number"
                 *     ]
                 */
                fields: string[] | null;
                /**
                 * @description Why the market moved the requested start or the end; `withdrawal`: the customer withdraws.
                 * @example lead_time
                 * @enum {string|null}
                 */
                reason: "lead_time" | "previous_contract" | "grid_operator" | "withdrawal" | null;
                /** @description Days between the confirmed end of the previous contract and the requested or confirmed start, when that has come to lie later. The default supplier supplies the customer then by law, at his price (substitute supply, § 38 EnWG). Nobody has to act; tell the customer. Told with each change of these days, and with the confirmation. */
                substitute_supply: {
                    /**
                     * Format: date
                     * @description The day on which the previous contract ends, the first of them.
                     * @example 2027-01-31
                     */
                    from: string;
                    /**
                     * Format: date
                     * @description The day on which our supply starts.
                     * @example 2027-02-01
                     */
                    until: string;
                } | null;
            } | null;
            /** @description A message of the market; null in entries of other types. */
            message: {
                /**
                 * @description Unique message identifier.
                 * @example msg_01k9zr5x3hf8b9m2t4v6w8y0ac
                 */
                id: string;
                /**
                 * @description `out`: from us to the partner.
                 * @example out
                 * @enum {string}
                 */
                direction: "out" | "in";
                /**
                 * @description What it is; further kinds may be added.
                 * @example identification_request
                 * @enum {string}
                 */
                kind: "identification_request" | "identification_match" | "identification_failure" | "registration" | "registration_confirmation" | "registration_rejection" | "existing_assignment" | "deregistration" | "deregistration_confirmation" | "deregistration_rejection" | "grid_operator_end" | "grid_operator_end_consent" | "grid_operator_end_refusal" | "end_inquiry" | "end_inquiry_consent" | "end_inquiry_refusal" | "end_notice" | "start_revocation" | "cancellation" | "cancellation_confirmation" | "cancellation_rejection" | "reversal" | "reversal_confirmation" | "reversal_rejection" | "acknowledgement" | "processing_error" | "syntax_error" | "master_data";
                /**
                 * @description The check identifier (PID) of an EDIFACT message, or the operation of the REST API.
                 * @example 55001
                 */
                identifier: string;
                /**
                 * @description The format that the market knows it in.
                 * @example REST
                 * @enum {string}
                 */
                format: "REST" | "UTILMD" | "APERAK" | "CONTRL";
                /**
                 * @description What the market calls it, in German.
                 * @example Anmeldung
                 */
                name: string;
                /**
                 * @description Who it is exchanged with; `either` where it cannot be told which of both.
                 * @example grid_operator
                 * @enum {string}
                 */
                partner: "grid_operator" | "other_supplier" | "either";
                /** @description The number of the document, given by its sender. */
                document_number: string;
                /** @description The number of the process, by which answers name it. */
                process_number: string;
                /** @description The `process_number` of what it answers; null when it answers nothing. */
                answers: string | null;
                /**
                 * @description Of what goes out `waiting`, `transmitted`, or `obsolete` when it was not sent any more; of what came in `received`, or `ignored` where nothing waited for it.
                 * @example waiting
                 * @enum {string}
                 */
                state: "waiting" | "transmitted" | "obsolete" | "received" | "ignored";
                /** @description What it says, which depends on its kind. */
                contents: {
                    [key: string]: unknown;
                };
            } | null;
        };
        WebhookDelivery: {
            /**
             * @description Always `webhook_delivery`.
             * @example webhook_delivery
             * @enum {string}
             */
            object: "webhook_delivery";
            /**
             * @description Unique delivery identifier.
             * @example whd_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            id: string;
            /**
             * @description The endpoint it goes to.
             * @example whe_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            endpoint: string;
            /**
             * @description The event; the header `webhook-id` of every attempt.
             * @example evt_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            event: string;
            /**
             * @description The type of the event.
             * @example subscription.created
             */
            event_type: string;
            /**
             * @description The subscription that the event belongs to; null: to another resource.
             * @example sub_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            subscription: string | null;
            /**
             * @description What has become of it.
             * @example pending
             * @enum {string}
             */
            state: "pending" | "succeeded" | "failed";
            /** @description Every attempt, oldest first; of more than 100 the last ones. */
            attempts: {
                /**
                 * Format: date-time
                 * @description When it was attempted.
                 * @example 2026-11-21T09:30:00Z
                 */
                at: string;
                /**
                 * @description The status that was answered; null when there was no answer.
                 * @example 200
                 */
                status_code: number | null;
                /**
                 * @description How long it took, in milliseconds.
                 * @example 48
                 */
                latency_ms: number;
                /**
                 * @description Why it failed; `status`: it was answered, but not with 2xx; null when it succeeded.
                 * @example status
                 * @enum {string|null}
                 */
                error: "status" | "redirect" | "timeout" | "connection_failed" | "connection_closed" | "name_not_found" | "forbidden_target" | "tls_failed" | "invalid_answer" | null;
            }[];
            /**
             * Format: date-time
             * @description When it is attempted next, unless an earlier one of its subscription is pending or the endpoint is disabled; null when it is not pending.
             * @example 2026-11-21T09:30:00Z
             */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description Creation time.
             * @example 2026-11-21T09:30:00Z
             */
            created_at: string;
        };
        WebhookDeliveryList: {
            /** @enum {string} */
            object: "list";
            items: components["schemas"]["WebhookDelivery"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last one. */
            next_page: string | null;
        };
        WebhookEndpoint: {
            /**
             * @description Always `webhook_endpoint`.
             * @example webhook_endpoint
             * @enum {string}
             */
            object: "webhook_endpoint";
            /**
             * @description Unique webhook endpoint identifier.
             * @example whe_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            id: string;
            /**
             * @description Where events are sent to: an https URL of the public internet, without user name, password and fragment, at most 2000 characters, port 443 or one that the operator allows. Sandbox projects may use http on port 80.
             * @example https://example.com/webhooks
             */
            url: string;
            /**
             * @description The types of events that are sent, also `subscription.*`; `*`: all.
             * @example [
             *       "subscription.*"
             *     ]
             */
            types: string[];
            /**
             * @description What the endpoint is for.
             * @example Our CRM
             */
            description: string | null;
            /**
             * @description Whether events are sent. What happens meanwhile is sent when it is enabled again.
             * @example true
             */
            enabled: boolean;
            /**
             * @description The version of the interface that its events are written in.
             * @example 2026-11-21
             * @enum {string}
             */
            api_version: "2026-11-21";
            /**
             * Format: date-time
             * @description Until then the secret before the last rotation signs too; null: it does not.
             * @example 2026-11-21T09:30:00Z
             */
            previous_secret_expires_at: string | null;
            /** @description How sending goes. It is no part of the state that `If-Match` means. */
            status: {
                /**
                 * @description Events that wait to be sent, counted up to 10000.
                 * @example 0
                 */
                backlog: number;
                /**
                 * Format: date-time
                 * @description Since when every attempt fails; null: the last one succeeded.
                 * @example 2026-11-21T09:30:00Z
                 */
                failing_since: string | null;
                /**
                 * Format: date-time
                 * @description When an attempt last succeeded; null: never yet.
                 * @example 2026-11-21T09:30:00Z
                 */
                last_success_at: string | null;
                /**
                 * @description `requested`: by `enabled: false`; `failing`: nothing but failures for five days; `gone`: it answered 410; null: it is enabled.
                 * @example requested
                 * @enum {string|null}
                 */
                disabled_reason: "requested" | "failing" | "gone" | null;
            };
            /**
             * Format: date-time
             * @description Creation time.
             * @example 2026-11-21T09:30:00Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change by a request.
             * @example 2026-11-21T09:30:00Z
             */
            updated_at: string;
        };
        WebhookEndpointChange: {
            /**
             * @description Where events are sent to: an https URL of the public internet, without user name, password and fragment, at most 2000 characters, port 443 or one that the operator allows. Sandbox projects may use http on port 80.
             * @example https://example.com/webhooks
             */
            url?: string;
            /**
             * @description The types of events that are sent, also `subscription.*`; `*`: all.
             * @example [
             *       "subscription.*"
             *     ]
             */
            types?: string[];
            /**
             * @description What the endpoint is for.
             * @example Our CRM
             */
            description?: string | null;
            /**
             * @description Whether events are sent. What happens meanwhile is sent when it is enabled again.
             * @example true
             */
            enabled?: boolean;
            /**
             * @description The version of the interface that its events are written in.
             * @example 2026-11-21
             * @enum {string}
             */
            api_version?: "2026-11-21";
        };
        WebhookEndpointCreation: {
            /**
             * @description Where events are sent to: an https URL of the public internet, without user name, password and fragment, at most 2000 characters, port 443 or one that the operator allows. Sandbox projects may use http on port 80.
             * @example https://example.com/webhooks
             */
            url: string;
            /**
             * @description The types of events that are sent, also `subscription.*`; `*`: all.
             * @example [
             *       "subscription.*"
             *     ]
             */
            types?: string[];
            /**
             * @description What the endpoint is for.
             * @example Our CRM
             */
            description?: string | null;
            /**
             * @description Whether events are sent. What happens meanwhile is sent when it is enabled again.
             * @example true
             */
            enabled?: boolean;
            /**
             * @description The version of the interface that its events are written in.
             * @example 2026-11-21
             * @enum {string}
             */
            api_version?: "2026-11-21";
        };
        WebhookEndpointList: {
            /** @enum {string} */
            object: "list";
            items: components["schemas"]["WebhookEndpoint"][];
            /** @description Whether another page follows. */
            has_more: boolean;
            /** @description The `cursor` of the next page; null on the last one. */
            next_page: string | null;
        };
        WebhookEndpointWithSecret: {
            /**
             * @description Always `webhook_endpoint`.
             * @example webhook_endpoint
             * @enum {string}
             */
            object: "webhook_endpoint";
            /**
             * @description Unique webhook endpoint identifier.
             * @example whe_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            id: string;
            /**
             * @description Where events are sent to: an https URL of the public internet, without user name, password and fragment, at most 2000 characters, port 443 or one that the operator allows. Sandbox projects may use http on port 80.
             * @example https://example.com/webhooks
             */
            url: string;
            /**
             * @description The types of events that are sent, also `subscription.*`; `*`: all.
             * @example [
             *       "subscription.*"
             *     ]
             */
            types: string[];
            /**
             * @description What the endpoint is for.
             * @example Our CRM
             */
            description: string | null;
            /**
             * @description Whether events are sent. What happens meanwhile is sent when it is enabled again.
             * @example true
             */
            enabled: boolean;
            /**
             * @description The version of the interface that its events are written in.
             * @example 2026-11-21
             * @enum {string}
             */
            api_version: "2026-11-21";
            /**
             * Format: date-time
             * @description Until then the secret before the last rotation signs too; null: it does not.
             * @example 2026-11-21T09:30:00Z
             */
            previous_secret_expires_at: string | null;
            /** @description How sending goes. It is no part of the state that `If-Match` means. */
            status: {
                /**
                 * @description Events that wait to be sent, counted up to 10000.
                 * @example 0
                 */
                backlog: number;
                /**
                 * Format: date-time
                 * @description Since when every attempt fails; null: the last one succeeded.
                 * @example 2026-11-21T09:30:00Z
                 */
                failing_since: string | null;
                /**
                 * Format: date-time
                 * @description When an attempt last succeeded; null: never yet.
                 * @example 2026-11-21T09:30:00Z
                 */
                last_success_at: string | null;
                /**
                 * @description `requested`: by `enabled: false`; `failing`: nothing but failures for five days; `gone`: it answered 410; null: it is enabled.
                 * @example requested
                 * @enum {string|null}
                 */
                disabled_reason: "requested" | "failing" | "gone" | null;
            };
            /**
             * Format: date-time
             * @description Creation time.
             * @example 2026-11-21T09:30:00Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change by a request.
             * @example 2026-11-21T09:30:00Z
             */
            updated_at: string;
            /**
             * @description Signs what is sent, as Standard Webhooks says. Shown this once.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
             */
            secret: string;
        };
        WebhookReplay: {
            /**
             * @description Always `webhook_replay`.
             * @example webhook_replay
             * @enum {string}
             */
            object: "webhook_replay";
            /**
             * @description The endpoint.
             * @example whe_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            endpoint: string;
            /**
             * @description How many deliveries are pending now that were not before.
             * @example 12
             */
            deliveries: number;
            /** @description Whether there were more than are taken at once: ask again. */
            has_more: boolean;
            /**
             * Format: date-time
             * @description Of a time of which there is more: the `from` to ask with again.
             * @example 2026-11-21T09:30:00Z
             */
            next_from: string | null;
        };
        WebhookReplayRequest: {
            /**
             * @description One event.
             * @example evt_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            event?: string;
            /**
             * Format: instant
             * @description Events from this instant on, in the project’s time; goes with `to`.
             * @example 2026-11-21T09:30:00Z
             */
            from?: string;
            /**
             * Format: instant
             * @description Events before this instant; goes with `from`.
             * @example 2026-11-21T09:30:00Z
             */
            to?: string;
            /**
             * @description All deliveries that have failed.
             * @enum {boolean}
             */
            failed?: true;
        };
        WebhookTest: {
            /**
             * @description Always `webhook_test`.
             * @example webhook_test
             * @enum {string}
             */
            object: "webhook_test";
            /**
             * @description The endpoint.
             * @example whe_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            endpoint: string;
            /** @description Whether it was answered with 2xx in time. */
            succeeded: boolean;
            /**
             * @description The status that was answered; null when there was no answer.
             * @example 200
             */
            status_code: number | null;
            /**
             * @description How long it took, in milliseconds.
             * @example 48
             */
            latency_ms: number;
            /**
             * @description Why it failed; `status`: it was answered, but not with 2xx; null when it succeeded.
             * @example status
             * @enum {string|null}
             */
            error: "status" | "redirect" | "timeout" | "connection_failed" | "connection_closed" | "name_not_found" | "forbidden_target" | "tls_failed" | "invalid_answer" | null;
        };
        WebhookTestEvent: {
            /**
             * @description Always `event`.
             * @example event
             * @enum {string}
             */
            object: "event";
            /**
             * @description ID that no event of the feed has.
             * @example evt_01k9zr5x3hf8b9m2t4v6w8y0ac
             */
            id: string;
            /**
             * @description Always `webhook_endpoint.test`.
             * @example webhook_endpoint.test
             * @enum {string}
             */
            type: "webhook_endpoint.test";
            /**
             * Format: date-time
             * @description When it was sent.
             * @example 2026-11-21T09:30:00Z
             */
            timestamp: string;
            /** @description It is not counted. */
            sequence: null;
            /** @description The request that asked for the test. */
            request_id: string;
            data: {
                webhook_endpoint: {
                    /**
                     * @description The endpoint.
                     * @example whe_01k9zr5x3hf8b9m2t4v6w8y0ac
                     */
                    id: string;
                };
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Our id of the request (`req_…`). */
        "X-Request-Id": string;
        /** @description The version that answered. */
        "X-API-Version": string;
        /** @description The caller’s own id of the request; absent when none was sent. */
        "X-Client-Request-Id": string;
        /** @description Path of what was created. */
        Location: string;
        /** @description Strong entity tag of the resource, for `If-Match` and `If-None-Match`. */
        ETag: string;
        /** @description `true` when the answer to an earlier request with the same key comes back. */
        "Idempotency-Replayed": "true";
        /** @description What access takes, as RFC 6750 says. */
        "WWW-Authenticate": string;
        /** @description Seconds after which the same request may succeed. */
        "Retry-After": number;
        /** @description `identity` when the body was compressed. */
        "Accept-Encoding": string;
        /** @description What is left: `r` requests, and in `t` seconds all of them; absent when nothing is limited. */
        RateLimit: string;
        /** @description What is allowed: `q` requests in `w` seconds; absent when nothing is limited. */
        "RateLimit-Policy": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /**
                     * @description What is exchanged for a token.
                     * @enum {string}
                     */
                    grant_type: "client_credentials" | "refresh_token";
                    /** @description Required with `grant_type=refresh_token`. */
                    refresh_token?: string;
                    /** @description `read:*`, `write:*`, or both separated by a blank. Absent: all that the credential allows. */
                    scope?: string;
                    /** @description Client id, where the `Authorization` header is not used. */
                    client_id?: string;
                    /** @description Client secret, where the `Authorization` header is not used. */
                    client_secret?: string;
                };
            };
        };
        responses: {
            /** @description An access token and the next refresh token. */
            200: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control"?: "no-store";
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description The version that answered. */
                    "X-API-Version"?: string;
                    /** @description The caller’s own id of the request; absent when none was sent. */
                    "X-Client-Request-Id"?: string;
                    /** @description What the credential has left, here and in the API together: `r` requests, and in `t` seconds all of them; absent when nothing is limited, or the client is not known. */
                    RateLimit?: string;
                    /** @description What is allowed: `q` requests in `w` seconds; absent when `RateLimit` is. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Opaque; goes into `Authorization: Bearer …`. */
                        access_token: string;
                        /**
                         * @description Always `Bearer`.
                         * @constant
                         */
                        token_type: "Bearer";
                        /**
                         * @description Life of the access token in seconds: 3600, or less where the credential expires sooner.
                         * @example 3600
                         */
                        expires_in: number;
                        /** @description Opaque; valid for 30 days and for one use. Using it again revokes all tokens that stem from it. */
                        refresh_token: string;
                        /** @description What the access token allows, separated by blanks. */
                        scope: string;
                    };
                };
            };
            /** @description A parameter is missing, repeated or wrong, or the refresh token cannot be used (any more). */
            400: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control"?: "no-store";
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description The version that answered. */
                    "X-API-Version"?: string;
                    /** @description The caller’s own id of the request; absent when none was sent. */
                    "X-Client-Request-Id"?: string;
                    /** @description What the credential has left, here and in the API together: `r` requests, and in `t` seconds all of them; absent when nothing is limited, or the client is not known. */
                    RateLimit?: string;
                    /** @description What is allowed: `q` requests in `w` seconds; absent when `RateLimit` is. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_grant",
                     *       "error_description": "The refresh token is unknown, expired, revoked, already used, or of another client."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description What is wrong, for programs.
                         * @enum {string}
                         */
                        error: "invalid_grant" | "invalid_request" | "invalid_scope" | "unsupported_grant_type";
                        /** @description What is wrong, for developers. */
                        error_description: string;
                    };
                };
            };
            /** @description The client id is unknown, its secret is wrong, or the credential is revoked or expired. One with less than a second left counts as expired here. */
            401: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control"?: "no-store";
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description The version that answered. */
                    "X-API-Version"?: string;
                    /** @description The caller’s own id of the request; absent when none was sent. */
                    "X-Client-Request-Id"?: string;
                    /** @description Always `Basic realm="wattline"`. */
                    "WWW-Authenticate"?: string;
                    /** @description What the credential has left, here and in the API together: `r` requests, and in `t` seconds all of them; absent when nothing is limited, or the client is not known. */
                    RateLimit?: string;
                    /** @description What is allowed: `q` requests in `w` seconds; absent when `RateLimit` is. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_client",
                     *       "error_description": "The client id is unknown, its secret is wrong, or the credential is revoked or expired."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description What is wrong, for programs.
                         * @enum {string}
                         */
                        error: "invalid_client";
                        /** @description What is wrong, for developers. */
                        error_description: string;
                    };
                };
            };
            /** @description The body is larger than 16 KiB. */
            413: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control"?: "no-store";
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description The version that answered. */
                    "X-API-Version"?: string;
                    /** @description The caller’s own id of the request; absent when none was sent. */
                    "X-Client-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "error_description": "The body is larger than 16 KiB."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description What is wrong, for programs.
                         * @enum {string}
                         */
                        error: "invalid_request";
                        /** @description What is wrong, for developers. */
                        error_description: string;
                    };
                };
            };
            /** @description Too many wrong secrets for this client id from this address, or the credential has used up its allowance. `slow_down` is borrowed from RFC 8628. */
            429: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control"?: "no-store";
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description The version that answered. */
                    "X-API-Version"?: string;
                    /** @description The caller’s own id of the request; absent when none was sent. */
                    "X-Client-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    /** @description What the credential has left, here and in the API together: `r` requests, and in `t` seconds all of them; absent when nothing is limited, or the client is not known. */
                    RateLimit?: string;
                    /** @description What is allowed: `q` requests in `w` seconds; absent when `RateLimit` is. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "slow_down",
                     *       "error_description": "Too many failed attempts with this client id from this address. Wait Retry-After seconds."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description What is wrong, for programs.
                         * @enum {string}
                         */
                        error: "slow_down";
                        /** @description What is wrong, for developers. */
                        error_description: string;
                    };
                };
            };
            /** @description A defect in the service. */
            500: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control"?: "no-store";
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description The version that answered. */
                    "X-API-Version"?: string;
                    /** @description The caller’s own id of the request; absent when none was sent. */
                    "X-Client-Request-Id"?: string;
                    /** @description What the credential has left, here and in the API together: `r` requests, and in `t` seconds all of them; absent when nothing is limited, or the client is not known. */
                    RateLimit?: string;
                    /** @description What is allowed: `q` requests in `w` seconds; absent when `RateLimit` is. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "server_error",
                     *       "error_description": "Something went wrong on our side. Report the X-Request-Id to the operator."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description What is wrong, for programs.
                         * @enum {string}
                         */
                        error: "server_error";
                        /** @description What is wrong, for developers. */
                        error_description: string;
                    };
                };
            };
            /** @description The database is away. Nothing is known to be stored; send the request again. */
            503: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control"?: "no-store";
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description The version that answered. */
                    "X-API-Version"?: string;
                    /** @description The caller’s own id of the request; absent when none was sent. */
                    "X-Client-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    /** @description What the credential has left, here and in the API together: `r` requests, and in `t` seconds all of them; absent when nothing is limited, or the client is not known. */
                    RateLimit?: string;
                    /** @description What is allowed: `q` requests in `w` seconds; absent when `RateLimit` is. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "temporarily_unavailable",
                     *       "error_description": "The service is not available right now; nothing is known to be stored. Send the request again."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description What is wrong, for programs.
                         * @enum {string}
                         */
                        error: "temporarily_unavailable";
                        /** @description What is wrong, for developers. */
                        error_description: string;
                    };
                };
            };
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @description An access or a refresh token. */
                    token: string;
                    /** @description `access_token` or `refresh_token`. Accepted and not needed: tokens tell their kind. */
                    token_type_hint?: string;
                    /** @description Client id, where the `Authorization` header is not used. */
                    client_id?: string;
                    /** @description Client secret, where the `Authorization` header is not used. */
                    client_secret?: string;
                };
            };
        };
        responses: {
            /** @description The token gives no access any more. */
            200: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control"?: "no-store";
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description The version that answered. */
                    "X-API-Version"?: string;
                    /** @description The caller’s own id of the request; absent when none was sent. */
                    "X-Client-Request-Id"?: string;
                    /** @description What the credential has left, here and in the API together: `r` requests, and in `t` seconds all of them; absent when nothing is limited, or the client is not known. */
                    RateLimit?: string;
                    /** @description What is allowed: `q` requests in `w` seconds; absent when `RateLimit` is. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description The parameter `token` is missing, or the token was issued to another credential of the project. */
            400: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control"?: "no-store";
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description The version that answered. */
                    "X-API-Version"?: string;
                    /** @description The caller’s own id of the request; absent when none was sent. */
                    "X-Client-Request-Id"?: string;
                    /** @description What the credential has left, here and in the API together: `r` requests, and in `t` seconds all of them; absent when nothing is limited, or the client is not known. */
                    RateLimit?: string;
                    /** @description What is allowed: `q` requests in `w` seconds; absent when `RateLimit` is. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "error_description": "The parameter token is missing."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description What is wrong, for programs.
                         * @enum {string}
                         */
                        error: "invalid_request" | "invalid_grant";
                        /** @description What is wrong, for developers. */
                        error_description: string;
                    };
                };
            };
            /** @description The client id is unknown, its secret is wrong, or the credential is revoked or expired. */
            401: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control"?: "no-store";
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description The version that answered. */
                    "X-API-Version"?: string;
                    /** @description The caller’s own id of the request; absent when none was sent. */
                    "X-Client-Request-Id"?: string;
                    /** @description Always `Basic realm="wattline"`. */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_client",
                     *       "error_description": "The client id is unknown, its secret is wrong, or the credential is revoked or expired."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description What is wrong, for programs.
                         * @enum {string}
                         */
                        error: "invalid_client";
                        /** @description What is wrong, for developers. */
                        error_description: string;
                    };
                };
            };
            /** @description The body is larger than 16 KiB. */
            413: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control"?: "no-store";
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description The version that answered. */
                    "X-API-Version"?: string;
                    /** @description The caller’s own id of the request; absent when none was sent. */
                    "X-Client-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "error_description": "The body is larger than 16 KiB."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description What is wrong, for programs.
                         * @enum {string}
                         */
                        error: "invalid_request";
                        /** @description What is wrong, for developers. */
                        error_description: string;
                    };
                };
            };
            /** @description Too many wrong secrets for this client id from this address, or the credential has used up its allowance. `slow_down` is borrowed from RFC 8628. */
            429: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control"?: "no-store";
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description The version that answered. */
                    "X-API-Version"?: string;
                    /** @description The caller’s own id of the request; absent when none was sent. */
                    "X-Client-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    /** @description What the credential has left, here and in the API together: `r` requests, and in `t` seconds all of them; absent when nothing is limited, or the client is not known. */
                    RateLimit?: string;
                    /** @description What is allowed: `q` requests in `w` seconds; absent when `RateLimit` is. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "slow_down",
                     *       "error_description": "Too many failed attempts with this client id from this address. Wait Retry-After seconds."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description What is wrong, for programs.
                         * @enum {string}
                         */
                        error: "slow_down";
                        /** @description What is wrong, for developers. */
                        error_description: string;
                    };
                };
            };
            /** @description A defect in the service. */
            500: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control"?: "no-store";
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description The version that answered. */
                    "X-API-Version"?: string;
                    /** @description The caller’s own id of the request; absent when none was sent. */
                    "X-Client-Request-Id"?: string;
                    /** @description What the credential has left, here and in the API together: `r` requests, and in `t` seconds all of them; absent when nothing is limited, or the client is not known. */
                    RateLimit?: string;
                    /** @description What is allowed: `q` requests in `w` seconds; absent when `RateLimit` is. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "server_error",
                     *       "error_description": "Something went wrong on our side. Report the X-Request-Id to the operator."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description What is wrong, for programs.
                         * @enum {string}
                         */
                        error: "server_error";
                        /** @description What is wrong, for developers. */
                        error_description: string;
                    };
                };
            };
            /** @description The database is away. Nothing is known to be stored; send the request again. */
            503: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control"?: "no-store";
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description The version that answered. */
                    "X-API-Version"?: string;
                    /** @description The caller’s own id of the request; absent when none was sent. */
                    "X-Client-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    /** @description What the credential has left, here and in the API together: `r` requests, and in `t` seconds all of them; absent when nothing is limited, or the client is not known. */
                    RateLimit?: string;
                    /** @description What is allowed: `q` requests in `w` seconds; absent when `RateLimit` is. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "temporarily_unavailable",
                     *       "error_description": "The service is not available right now; nothing is known to be stored. Send the request again."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description What is wrong, for programs.
                         * @enum {string}
                         */
                        error: "temporarily_unavailable";
                        /** @description What is wrong, for developers. */
                        error_description: string;
                    };
                };
            };
        };
    };
    introspectToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @description An access or a refresh token. */
                    token: string;
                    /** @description `access_token` or `refresh_token`. Accepted and not needed: tokens tell their kind. */
                    token_type_hint?: string;
                    /** @description Client id, where the `Authorization` header is not used. */
                    client_id?: string;
                    /** @description Client secret, where the `Authorization` header is not used. */
                    client_secret?: string;
                };
            };
        };
        responses: {
            /** @description What is known about the token. */
            200: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control"?: "no-store";
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description The version that answered. */
                    "X-API-Version"?: string;
                    /** @description The caller’s own id of the request; absent when none was sent. */
                    "X-Client-Request-Id"?: string;
                    /** @description What the credential has left, here and in the API together: `r` requests, and in `t` seconds all of them; absent when nothing is limited, or the client is not known. */
                    RateLimit?: string;
                    /** @description What is allowed: `q` requests in `w` seconds; absent when `RateLimit` is. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Whether the token can be used now. If not, nothing else is told. */
                        active: boolean;
                        /** @description What the token allows, separated by blanks. */
                        scope?: string;
                        /** @description The client it was issued to. */
                        client_id?: string;
                        /** @description The same: a client acts for itself. */
                        sub?: string;
                        /**
                         * @description Present on access tokens.
                         * @constant
                         */
                        token_type?: "Bearer";
                        /** @description Who issued it. */
                        iss?: string;
                        /** @description When it was issued, in seconds since 1970. */
                        iat?: number;
                        /** @description When it expires, in seconds since 1970. */
                        exp?: number;
                    };
                };
            };
            /** @description The parameter `token` is missing. */
            400: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control"?: "no-store";
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description The version that answered. */
                    "X-API-Version"?: string;
                    /** @description The caller’s own id of the request; absent when none was sent. */
                    "X-Client-Request-Id"?: string;
                    /** @description What the credential has left, here and in the API together: `r` requests, and in `t` seconds all of them; absent when nothing is limited, or the client is not known. */
                    RateLimit?: string;
                    /** @description What is allowed: `q` requests in `w` seconds; absent when `RateLimit` is. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "error_description": "The parameter token is missing."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description What is wrong, for programs.
                         * @enum {string}
                         */
                        error: "invalid_request";
                        /** @description What is wrong, for developers. */
                        error_description: string;
                    };
                };
            };
            /** @description The client id is unknown, its secret is wrong, or the credential is revoked or expired. */
            401: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control"?: "no-store";
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description The version that answered. */
                    "X-API-Version"?: string;
                    /** @description The caller’s own id of the request; absent when none was sent. */
                    "X-Client-Request-Id"?: string;
                    /** @description Always `Basic realm="wattline"`. */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_client",
                     *       "error_description": "The client id is unknown, its secret is wrong, or the credential is revoked or expired."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description What is wrong, for programs.
                         * @enum {string}
                         */
                        error: "invalid_client";
                        /** @description What is wrong, for developers. */
                        error_description: string;
                    };
                };
            };
            /** @description The body is larger than 16 KiB. */
            413: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control"?: "no-store";
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description The version that answered. */
                    "X-API-Version"?: string;
                    /** @description The caller’s own id of the request; absent when none was sent. */
                    "X-Client-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "error_description": "The body is larger than 16 KiB."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description What is wrong, for programs.
                         * @enum {string}
                         */
                        error: "invalid_request";
                        /** @description What is wrong, for developers. */
                        error_description: string;
                    };
                };
            };
            /** @description Too many wrong secrets for this client id from this address, or the credential has used up its allowance. `slow_down` is borrowed from RFC 8628. */
            429: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control"?: "no-store";
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description The version that answered. */
                    "X-API-Version"?: string;
                    /** @description The caller’s own id of the request; absent when none was sent. */
                    "X-Client-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    /** @description What the credential has left, here and in the API together: `r` requests, and in `t` seconds all of them; absent when nothing is limited, or the client is not known. */
                    RateLimit?: string;
                    /** @description What is allowed: `q` requests in `w` seconds; absent when `RateLimit` is. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "slow_down",
                     *       "error_description": "Too many failed attempts with this client id from this address. Wait Retry-After seconds."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description What is wrong, for programs.
                         * @enum {string}
                         */
                        error: "slow_down";
                        /** @description What is wrong, for developers. */
                        error_description: string;
                    };
                };
            };
            /** @description A defect in the service. */
            500: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control"?: "no-store";
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description The version that answered. */
                    "X-API-Version"?: string;
                    /** @description The caller’s own id of the request; absent when none was sent. */
                    "X-Client-Request-Id"?: string;
                    /** @description What the credential has left, here and in the API together: `r` requests, and in `t` seconds all of them; absent when nothing is limited, or the client is not known. */
                    RateLimit?: string;
                    /** @description What is allowed: `q` requests in `w` seconds; absent when `RateLimit` is. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "server_error",
                     *       "error_description": "Something went wrong on our side. Report the X-Request-Id to the operator."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description What is wrong, for programs.
                         * @enum {string}
                         */
                        error: "server_error";
                        /** @description What is wrong, for developers. */
                        error_description: string;
                    };
                };
            };
            /** @description The database is away. Nothing is known to be stored; send the request again. */
            503: {
                headers: {
                    /** @description Always `no-store`. */
                    "Cache-Control"?: "no-store";
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description The version that answered. */
                    "X-API-Version"?: string;
                    /** @description The caller’s own id of the request; absent when none was sent. */
                    "X-Client-Request-Id"?: string;
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    /** @description What the credential has left, here and in the API together: `r` requests, and in `t` seconds all of them; absent when nothing is limited, or the client is not known. */
                    RateLimit?: string;
                    /** @description What is allowed: `q` requests in `w` seconds; absent when `RateLimit` is. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "temporarily_unavailable",
                     *       "error_description": "The service is not available right now; nothing is known to be stored. Send the request again."
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description What is wrong, for programs.
                         * @enum {string}
                         */
                        error: "temporarily_unavailable";
                        /** @description What is wrong, for developers. */
                        error_description: string;
                    };
                };
            };
        };
    };
    getAuthorizationServerMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metadata. */
            200: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description The version that answered. */
                    "X-API-Version"?: string;
                    /** @description The caller’s own id of the request; absent when none was sent. */
                    "X-Client-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: uri
                         * @description The base URL of this service.
                         */
                        issuer: string;
                        /**
                         * Format: uri
                         * @description Where tokens are issued.
                         */
                        token_endpoint: string;
                        /** @description How clients name themselves there. */
                        token_endpoint_auth_methods_supported?: string[];
                        /**
                         * Format: uri
                         * @description Where tokens are revoked.
                         */
                        revocation_endpoint?: string;
                        /** @description How clients name themselves there. */
                        revocation_endpoint_auth_methods_supported?: string[];
                        /**
                         * Format: uri
                         * @description Where tokens are described.
                         */
                        introspection_endpoint?: string;
                        /** @description How clients name themselves there. */
                        introspection_endpoint_auth_methods_supported?: string[];
                        /** @description What can be exchanged for a token. */
                        grant_types_supported?: string[];
                        /** @description Empty: there is no authorization endpoint. */
                        response_types_supported: string[];
                        /** @description The scopes there are. */
                        scopes_supported?: string[];
                        /**
                         * Format: uri
                         * @description The documentation for people.
                         */
                        service_documentation?: string;
                    };
                };
            };
            /** @description A header that every route knows is malformed, such as `X-API-Version`. */
            400: {
                headers: {
                    /** @description Names this request in the log. */
                    "X-Request-Id"?: string;
                    /** @description The version that answered. */
                    "X-API-Version"?: string;
                    /** @description The caller’s own id of the request; absent when none was sent. */
                    "X-Client-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process lives. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @example ok */
                        status: string;
                    };
                };
            };
            /** @description A header that every route knows is malformed, such as `X-API-Version`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Requests are welcome. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @example ready */
                        status: string;
                    };
                };
            };
            /** @description A header that every route knows is malformed, such as `X-API-Version`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not ready; `reason` tells why. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @example not_ready */
                        status: string;
                    };
                };
            };
        };
    };
    listSubscriptions: {
        parameters: {
            query?: {
                /** @description How many items a page has. */
                limit?: number;
                /** @description The `next_page` of the page before; only with the same filters. */
                cursor?: string;
                /** @description Only those whose `status` is this value. */
                "filter[status][eq]"?: "pending" | "active" | "ended";
                /** @description Only those whose `status` is another value, or none. */
                "filter[status][ne]"?: "pending" | "active" | "ended";
                /** @description Only those whose `status` is one of these values, separated by commas, 100 at most. */
                "filter[status][in]"?: string;
                /** @description Only those whose `status` has no value (`true`) or one (`false`). */
                "filter[status][is_null]"?: boolean;
                /** @description Only those whose `stage` is this value. */
                "filter[stage][eq]"?: "identifying" | "cancelling" | "registering" | "confirmed" | "supplying" | "ending" | "ended";
                /** @description Only those whose `stage` is another value, or none. */
                "filter[stage][ne]"?: "identifying" | "cancelling" | "registering" | "confirmed" | "supplying" | "ending" | "ended";
                /** @description Only those whose `stage` is one of these values, separated by commas, 100 at most. */
                "filter[stage][in]"?: string;
                /** @description Only those whose `stage` has no value (`true`) or one (`false`). */
                "filter[stage][is_null]"?: boolean;
                /** @description Only those whose `plan` is this value. */
                "filter[plan][eq]"?: string;
                /** @description Only those whose `plan` is another value, or none. */
                "filter[plan][ne]"?: string;
                /** @description Only those whose `plan` is one of these values, separated by commas, 100 at most. */
                "filter[plan][in]"?: string;
                /** @description Only those whose `plan` has no value (`true`) or one (`false`). */
                "filter[plan][is_null]"?: boolean;
                /** @description Only those whose `customer` is this value. */
                "filter[customer][eq]"?: string;
                /** @description Only those whose `customer` is another value, or none. */
                "filter[customer][ne]"?: string;
                /** @description Only those whose `customer` is one of these values, separated by commas, 100 at most. */
                "filter[customer][in]"?: string;
                /** @description Only those whose `customer` has no value (`true`) or one (`false`). */
                "filter[customer][is_null]"?: boolean;
                /** @description Only those whose `supplier` is this value. */
                "filter[supplier][eq]"?: string;
                /** @description Only those whose `supplier` is another value, or none. */
                "filter[supplier][ne]"?: string;
                /** @description Only those whose `supplier` is one of these values, separated by commas, 100 at most. */
                "filter[supplier][in]"?: string;
                /** @description Only those whose `supplier` has no value (`true`) or one (`false`). */
                "filter[supplier][is_null]"?: boolean;
                /** @description Only those whose `lead` is this value. */
                "filter[lead][eq]"?: string;
                /** @description Only those whose `lead` is another value, or none. */
                "filter[lead][ne]"?: string;
                /** @description Only those whose `lead` is one of these values, separated by commas, 100 at most. */
                "filter[lead][in]"?: string;
                /** @description Only those whose `lead` has no value (`true`) or one (`false`). */
                "filter[lead][is_null]"?: boolean;
                /** @description Only those whose `external_id` is this value. */
                "filter[external_id][eq]"?: string;
                /** @description Only those whose `external_id` is another value, or none. */
                "filter[external_id][ne]"?: string;
                /** @description Only those whose `external_id` is one of these values, separated by commas, 100 at most. */
                "filter[external_id][in]"?: string;
                /** @description Only those whose `external_id` has no value (`true`) or one (`false`). */
                "filter[external_id][is_null]"?: boolean;
                /** @description Only those whose `number` is this value. */
                "filter[number][eq]"?: string;
                /** @description Only those whose `number` is another value, or none. */
                "filter[number][ne]"?: string;
                /** @description Only those whose `number` is one of these values, separated by commas, 100 at most. */
                "filter[number][in]"?: string;
                /** @description Only those whose `number` has no value (`true`) or one (`false`). */
                "filter[number][is_null]"?: boolean;
                /** @description Only those whose `meter.number` is this value. */
                "filter[meter.number][eq]"?: string;
                /** @description Only those whose `meter.number` is another value, or none. */
                "filter[meter.number][ne]"?: string;
                /** @description Only those whose `meter.number` is one of these values, separated by commas, 100 at most. */
                "filter[meter.number][in]"?: string;
                /** @description Only those whose `meter.number` has no value (`true`) or one (`false`). */
                "filter[meter.number][is_null]"?: boolean;
                /** @description Only those whose `meter.malo` is this value. */
                "filter[meter.malo][eq]"?: string;
                /** @description Only those whose `meter.malo` is another value, or none. */
                "filter[meter.malo][ne]"?: string;
                /** @description Only those whose `meter.malo` is one of these values, separated by commas, 100 at most. */
                "filter[meter.malo][in]"?: string;
                /** @description Only those whose `meter.malo` has no value (`true`) or one (`false`). */
                "filter[meter.malo][is_null]"?: boolean;
                /** @description Only those whose `customer.email` is this value. */
                "filter[customer.email][eq]"?: string;
                /** @description Only those whose `customer.email` is another value, or none. */
                "filter[customer.email][ne]"?: string;
                /** @description Only those whose `customer.email` is one of these values, separated by commas, 100 at most. */
                "filter[customer.email][in]"?: string;
                /** @description Only those whose `customer.email` has no value (`true`) or one (`false`). */
                "filter[customer.email][is_null]"?: boolean;
                /** @description Only those whose `created_at` is this value. */
                "filter[created_at][eq]"?: string;
                /** @description Only those whose `created_at` is another value, or none. */
                "filter[created_at][ne]"?: string;
                /** @description Only those whose `created_at` is one of these values, separated by commas, 100 at most. */
                "filter[created_at][in]"?: string;
                /** @description Only those whose `created_at` is after this. */
                "filter[created_at][gt]"?: string;
                /** @description Only those whose `created_at` is this or after. */
                "filter[created_at][gte]"?: string;
                /** @description Only those whose `created_at` is before this. */
                "filter[created_at][lt]"?: string;
                /** @description Only those whose `created_at` is this or before. */
                "filter[created_at][lte]"?: string;
                /** @description Only those whose `created_at` has no value (`true`) or one (`false`). */
                "filter[created_at][is_null]"?: boolean;
                /** @description Only those whose `updated_at` is this value. */
                "filter[updated_at][eq]"?: string;
                /** @description Only those whose `updated_at` is another value, or none. */
                "filter[updated_at][ne]"?: string;
                /** @description Only those whose `updated_at` is one of these values, separated by commas, 100 at most. */
                "filter[updated_at][in]"?: string;
                /** @description Only those whose `updated_at` is after this. */
                "filter[updated_at][gt]"?: string;
                /** @description Only those whose `updated_at` is this or after. */
                "filter[updated_at][gte]"?: string;
                /** @description Only those whose `updated_at` is before this. */
                "filter[updated_at][lt]"?: string;
                /** @description Only those whose `updated_at` is this or before. */
                "filter[updated_at][lte]"?: string;
                /** @description Only those whose `updated_at` has no value (`true`) or one (`false`). */
                "filter[updated_at][is_null]"?: boolean;
                /** @description Only those whose `start_at` is this value. */
                "filter[start_at][eq]"?: string;
                /** @description Only those whose `start_at` is another value, or none. */
                "filter[start_at][ne]"?: string;
                /** @description Only those whose `start_at` is one of these values, separated by commas, 100 at most. */
                "filter[start_at][in]"?: string;
                /** @description Only those whose `start_at` is after this. */
                "filter[start_at][gt]"?: string;
                /** @description Only those whose `start_at` is this or after. */
                "filter[start_at][gte]"?: string;
                /** @description Only those whose `start_at` is before this. */
                "filter[start_at][lt]"?: string;
                /** @description Only those whose `start_at` is this or before. */
                "filter[start_at][lte]"?: string;
                /** @description Only those whose `start_at` has no value (`true`) or one (`false`). */
                "filter[start_at][is_null]"?: boolean;
                /** @description Only those whose `end_at` is this value. */
                "filter[end_at][eq]"?: string;
                /** @description Only those whose `end_at` is another value, or none. */
                "filter[end_at][ne]"?: string;
                /** @description Only those whose `end_at` is one of these values, separated by commas, 100 at most. */
                "filter[end_at][in]"?: string;
                /** @description Only those whose `end_at` is after this. */
                "filter[end_at][gt]"?: string;
                /** @description Only those whose `end_at` is this or after. */
                "filter[end_at][gte]"?: string;
                /** @description Only those whose `end_at` is before this. */
                "filter[end_at][lt]"?: string;
                /** @description Only those whose `end_at` is this or before. */
                "filter[end_at][lte]"?: string;
                /** @description Only those whose `end_at` has no value (`true`) or one (`false`). */
                "filter[end_at][is_null]"?: boolean;
                /** @description Only those whose `created_by` is this value. */
                "filter[created_by][eq]"?: string;
                /** @description Only those whose `created_by` is another value, or none. */
                "filter[created_by][ne]"?: string;
                /** @description Only those whose `created_by` is one of these values, separated by commas, 100 at most. */
                "filter[created_by][in]"?: string;
                /** @description Only those whose `created_by` has no value (`true`) or one (`false`). */
                "filter[created_by][is_null]"?: boolean;
                /** @description Only those whose `next_action.actor` is this value. */
                "filter[next_action.actor][eq]"?: "customer" | "partner" | "operator" | "grid_operator" | "previous_supplier";
                /** @description Only those whose `next_action.actor` is another value, or none. */
                "filter[next_action.actor][ne]"?: "customer" | "partner" | "operator" | "grid_operator" | "previous_supplier";
                /** @description Only those whose `next_action.actor` is one of these values, separated by commas, 100 at most. */
                "filter[next_action.actor][in]"?: string;
                /** @description Only those whose `next_action.actor` has no value (`true`) or one (`false`). */
                "filter[next_action.actor][is_null]"?: boolean;
                /** @description Only those whose `next_action.code` is this value. */
                "filter[next_action.code][eq]"?: string;
                /** @description Only those whose `next_action.code` is another value, or none. */
                "filter[next_action.code][ne]"?: string;
                /** @description Only those whose `next_action.code` is one of these values, separated by commas, 100 at most. */
                "filter[next_action.code][in]"?: string;
                /** @description Only those whose `next_action.code` has no value (`true`) or one (`false`). */
                "filter[next_action.code][is_null]"?: boolean;
                /** @description Only those whose `metadata.{key}` is this value. Texts, `true`, `false`, and numbers as they were written can be found. */
                [filter: `filter[metadata.${string}][eq]`]: string | undefined;
                /** @description Shows the object in the place of its ID; can be repeated. */
                "expand[]"?: ("plan" | "customer" | "address" | "meter" | "payment_method" | "billing_address" | "supplier")[];
            };
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of subscriptions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    /** @description On the first page: where to read on in `GET /events`, as `after`. */
                    "X-Event-Cursor"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionList"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createSubscription: {
        parameters: {
            query?: {
                /** @description True checks the sign-up and stores nothing. */
                validate_only?: boolean;
                /** @description Shows the object in the place of its ID; can be repeated. */
                "expand[]"?: ("plan" | "customer" | "address" | "meter" | "payment_method" | "billing_address" | "supplier")[];
            };
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
                /** @description Makes repeating the request safe for 30 days: the same answer comes back. */
                "Idempotency-Key"?: string;
                /** @description Why the change is made: its entry in the audit log keeps it, unless it is an erasure. */
                "X-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "plan": "pln_01k9zr5x3hf8b9m2t4v6w8y0ac",
                 *       "customer": {
                 *         "type": "person",
                 *         "first_name": "Erika",
                 *         "last_name": "Mustermann",
                 *         "email": "erika@example.com"
                 *       },
                 *       "address": {
                 *         "street": "Heidestraße",
                 *         "house_number": "17",
                 *         "zip": "51147",
                 *         "city": "Köln"
                 *       },
                 *       "meter": {
                 *         "number": "1EMH0012345678",
                 *         "type": "modern",
                 *         "estimated_usage": 3500,
                 *         "malo": "41373559241"
                 *       },
                 *       "payment_method": {
                 *         "type": "sepa_debit",
                 *         "sepa_debit": {
                 *           "iban": "DE89370400440532013000",
                 *           "account_holder": "Erika Mustermann"
                 *         }
                 *       },
                 *       "next_possible_start": true,
                 *       "external_id": "order-4711",
                 *       "metadata": {
                 *         "channel": "web"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SignUp"];
            };
        };
        responses: {
            /** @description With `validate_only=true`: what would become of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignUpCheck"];
                };
            };
            /** @description The subscription. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `duplicate_external_id`: The external id is taken. `market_location_taken`: The place of supply has an open subscription. `lead_already_converted`: The lead has a subscription already. `lead_erased`: The lead is erased. `idempotency_request_in_progress`: A request with this key is still running. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Accept-Encoding": components["headers"]["Accept-Encoding"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: The key belongs to another request. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readSubscription: {
        parameters: {
            query?: {
                /** @description Reads it as it stood at this instant of the project’s time, at one to come as it stands now; does not go with `expand[]`. */
                as_of?: string;
                /** @description Shows the object in the place of its ID; can be repeated. */
                "expand[]"?: ("plan" | "customer" | "address" | "meter" | "payment_method" | "billing_address" | "supplier")[];
            };
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
                /** @description Answer 304 when this state (an `ETag`) is the present one. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description ID of the subscription (`sub_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The subscription. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            /** @description The state that `If-None-Match` names is the present one. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
                /** @description Makes repeating the request safe for 30 days: the same answer comes back. */
                "Idempotency-Key"?: string;
                /** @description Why the change is made: its entry in the audit log keeps it, unless it is an erasure. */
                "X-Reason"?: string;
                /** @description Change only this state (an `ETag`). */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the subscription (`sub_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "meter": {
                 *         "number": "1EMH0012345679"
                 *       },
                 *       "metadata": {
                 *         "channel": null,
                 *         "campaign": "spring"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SubscriptionUpdate"];
            };
        };
        responses: {
            /** @description The subscription as it stands now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_in_this_stage`: Not possible in the present stage. `market_location_taken`: The place of supply has an open subscription. `customer_erased`: The customer is erased. `idempotency_request_in_progress`: A request with this key is still running. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `precondition_failed`: The resource has changed. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Accept-Encoding": components["headers"]["Accept-Encoding"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `start_date_too_early`: The start is too early. `start_leaves_gap`: Days without a supplier. `idempotency_key_reused`: The key belongs to another request. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    terminateSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
                /** @description Makes repeating the request safe for 30 days: the same answer comes back. */
                "Idempotency-Key"?: string;
                /** @description Why the change is made: its entry in the audit log keeps it, unless it is an erasure. */
                "X-Reason"?: string;
                /** @description Change only this state (an `ETag`). */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the subscription (`sub_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "ordinary"
                 *     }
                 */
                "application/json": components["schemas"]["Termination"];
            };
        };
        responses: {
            /** @description The subscription as it stands now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_in_this_stage`: Not possible in the present stage. `idempotency_request_in_progress`: A request with this key is still running. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `precondition_failed`: The resource has changed. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Accept-Encoding": components["headers"]["Accept-Encoding"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `end_date_too_early`: The end is too early. `withdrawal_period_over`: The withdrawal period is over. `idempotency_key_reused`: The key belongs to another request. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    undoTermination: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
                /** @description Makes repeating the request safe for 30 days: the same answer comes back. */
                "Idempotency-Key"?: string;
                /** @description Why the change is made: its entry in the audit log keeps it, unless it is an erasure. */
                "X-Reason"?: string;
                /** @description Change only this state (an `ETag`). */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the subscription (`sub_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The subscription as it stands now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_in_this_stage`: Not possible in the present stage. `termination_confirmed`: The grid operator has confirmed the end. `idempotency_request_in_progress`: A request with this key is still running. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `precondition_failed`: The resource has changed. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Accept-Encoding": components["headers"]["Accept-Encoding"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: The key belongs to another request. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    retrySubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
                /** @description Makes repeating the request safe for 30 days: the same answer comes back. */
                "Idempotency-Key"?: string;
                /** @description Why the change is made: its entry in the audit log keeps it, unless it is an erasure. */
                "X-Reason"?: string;
                /** @description Change only this state (an `ETag`). */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the subscription (`sub_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The subscription as it stands now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `nothing_to_retry`: Nothing waits to be retried. `not_in_this_stage`: Not possible in the present stage. `idempotency_request_in_progress`: A request with this key is still running. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `precondition_failed`: The resource has changed. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Accept-Encoding": components["headers"]["Accept-Encoding"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: The key belongs to another request. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readTimeline: {
        parameters: {
            query?: {
                /** @description How many items a page has. */
                limit?: number;
                /** @description The `next_page` of the page before; only with the same filters. */
                cursor?: string;
            };
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
            };
            path: {
                /** @description ID of the subscription (`sub_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the timeline. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Timeline"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listLeads: {
        parameters: {
            query?: {
                /** @description How many items a page has. */
                limit?: number;
                /** @description The `next_page` of the page before; only with the same filters. */
                cursor?: string;
                /** @description Only those whose `plan` is this value. */
                "filter[plan][eq]"?: string;
                /** @description Only those whose `plan` is another value, or none. */
                "filter[plan][ne]"?: string;
                /** @description Only those whose `plan` is one of these values, separated by commas, 100 at most. */
                "filter[plan][in]"?: string;
                /** @description Only those whose `plan` has no value (`true`) or one (`false`). */
                "filter[plan][is_null]"?: boolean;
                /** @description Only those whose `subscription` is this value. */
                "filter[subscription][eq]"?: string;
                /** @description Only those whose `subscription` is another value, or none. */
                "filter[subscription][ne]"?: string;
                /** @description Only those whose `subscription` is one of these values, separated by commas, 100 at most. */
                "filter[subscription][in]"?: string;
                /** @description Only those whose `subscription` has no value (`true`) or one (`false`). */
                "filter[subscription][is_null]"?: boolean;
                /** @description Only those whose `subscribed_at` is this value. */
                "filter[subscribed_at][eq]"?: string;
                /** @description Only those whose `subscribed_at` is another value, or none. */
                "filter[subscribed_at][ne]"?: string;
                /** @description Only those whose `subscribed_at` is one of these values, separated by commas, 100 at most. */
                "filter[subscribed_at][in]"?: string;
                /** @description Only those whose `subscribed_at` is after this. */
                "filter[subscribed_at][gt]"?: string;
                /** @description Only those whose `subscribed_at` is this or after. */
                "filter[subscribed_at][gte]"?: string;
                /** @description Only those whose `subscribed_at` is before this. */
                "filter[subscribed_at][lt]"?: string;
                /** @description Only those whose `subscribed_at` is this or before. */
                "filter[subscribed_at][lte]"?: string;
                /** @description Only those whose `subscribed_at` has no value (`true`) or one (`false`). */
                "filter[subscribed_at][is_null]"?: boolean;
                /** @description Only those whose `customer.email` is this value. */
                "filter[customer.email][eq]"?: string;
                /** @description Only those whose `customer.email` is another value, or none. */
                "filter[customer.email][ne]"?: string;
                /** @description Only those whose `customer.email` is one of these values, separated by commas, 100 at most. */
                "filter[customer.email][in]"?: string;
                /** @description Only those whose `customer.email` has no value (`true`) or one (`false`). */
                "filter[customer.email][is_null]"?: boolean;
                /** @description Only those whose `external_id` is this value. */
                "filter[external_id][eq]"?: string;
                /** @description Only those whose `external_id` is another value, or none. */
                "filter[external_id][ne]"?: string;
                /** @description Only those whose `external_id` is one of these values, separated by commas, 100 at most. */
                "filter[external_id][in]"?: string;
                /** @description Only those whose `external_id` has no value (`true`) or one (`false`). */
                "filter[external_id][is_null]"?: boolean;
                /** @description Only those whose `created_by` is this value. */
                "filter[created_by][eq]"?: string;
                /** @description Only those whose `created_by` is another value, or none. */
                "filter[created_by][ne]"?: string;
                /** @description Only those whose `created_by` is one of these values, separated by commas, 100 at most. */
                "filter[created_by][in]"?: string;
                /** @description Only those whose `created_by` has no value (`true`) or one (`false`). */
                "filter[created_by][is_null]"?: boolean;
                /** @description Only those whose `created_at` is this value. */
                "filter[created_at][eq]"?: string;
                /** @description Only those whose `created_at` is another value, or none. */
                "filter[created_at][ne]"?: string;
                /** @description Only those whose `created_at` is one of these values, separated by commas, 100 at most. */
                "filter[created_at][in]"?: string;
                /** @description Only those whose `created_at` is after this. */
                "filter[created_at][gt]"?: string;
                /** @description Only those whose `created_at` is this or after. */
                "filter[created_at][gte]"?: string;
                /** @description Only those whose `created_at` is before this. */
                "filter[created_at][lt]"?: string;
                /** @description Only those whose `created_at` is this or before. */
                "filter[created_at][lte]"?: string;
                /** @description Only those whose `created_at` has no value (`true`) or one (`false`). */
                "filter[created_at][is_null]"?: boolean;
                /** @description Only those whose `metadata.{key}` is this value. Texts, `true`, `false`, and numbers as they were written can be found. */
                [filter: `filter[metadata.${string}][eq]`]: string | undefined;
            };
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of leads. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeadList"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createLead: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
                /** @description Makes repeating the request safe for 30 days: the same answer comes back. */
                "Idempotency-Key"?: string;
                /** @description Why the change is made: its entry in the audit log keeps it, unless it is an erasure. */
                "X-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "plan": "pln_01k9zr5x3hf8b9m2t4v6w8y0ac",
                 *       "customer": {
                 *         "email": "erika@example.com"
                 *       },
                 *       "address": {
                 *         "zip": "51147"
                 *       },
                 *       "meter": {
                 *         "estimated_usage": 3500
                 *       },
                 *       "metadata": {
                 *         "channel": "web"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["LeadInput"];
            };
        };
        responses: {
            /** @description The lead. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Lead"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_request_in_progress`: A request with this key is still running. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Accept-Encoding": components["headers"]["Accept-Encoding"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: The key belongs to another request. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readLead: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
                /** @description Answer 304 when this state (an `ETag`) is the present one. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description ID of the lead (`lead_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The lead. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Lead"];
                };
            };
            /** @description The state that `If-None-Match` names is the present one. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateLead: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
                /** @description Makes repeating the request safe for 30 days: the same answer comes back. */
                "Idempotency-Key"?: string;
                /** @description Why the change is made: its entry in the audit log keeps it, unless it is an erasure. */
                "X-Reason"?: string;
                /** @description Change only this state (an `ETag`). */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the lead (`lead_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "customer": {
                 *         "first_name": "Erika",
                 *         "last_name": "Mustermann"
                 *       },
                 *       "address": {
                 *         "city": "Köln"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["LeadUpdate"];
            };
        };
        responses: {
            /** @description The lead as it stands now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Lead"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `lead_already_converted`: The lead has a subscription already. `lead_erased`: The lead is erased. `idempotency_request_in_progress`: A request with this key is still running. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `precondition_failed`: The resource has changed. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Accept-Encoding": components["headers"]["Accept-Encoding"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: The key belongs to another request. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listMeterOrders: {
        parameters: {
            query?: {
                /** @description How many items a page has. */
                limit?: number;
                /** @description The `next_page` of the page before; only with the same filters. */
                cursor?: string;
                /** @description Only those whose `subscription` is this value. */
                "filter[subscription][eq]"?: string;
                /** @description Only those whose `subscription` is another value, or none. */
                "filter[subscription][ne]"?: string;
                /** @description Only those whose `subscription` is one of these values, separated by commas, 100 at most. */
                "filter[subscription][in]"?: string;
                /** @description Only those whose `subscription` has no value (`true`) or one (`false`). */
                "filter[subscription][is_null]"?: boolean;
                /** @description Only those whose `status` is this value. */
                "filter[status][eq]"?: "created" | "placed" | "scheduled" | "installed" | "activated" | "cancelled";
                /** @description Only those whose `status` is another value, or none. */
                "filter[status][ne]"?: "created" | "placed" | "scheduled" | "installed" | "activated" | "cancelled";
                /** @description Only those whose `status` is one of these values, separated by commas, 100 at most. */
                "filter[status][in]"?: string;
                /** @description Only those whose `status` has no value (`true`) or one (`false`). */
                "filter[status][is_null]"?: boolean;
                /** @description Only those whose `created_at` is this value. */
                "filter[created_at][eq]"?: string;
                /** @description Only those whose `created_at` is another value, or none. */
                "filter[created_at][ne]"?: string;
                /** @description Only those whose `created_at` is one of these values, separated by commas, 100 at most. */
                "filter[created_at][in]"?: string;
                /** @description Only those whose `created_at` is after this. */
                "filter[created_at][gt]"?: string;
                /** @description Only those whose `created_at` is this or after. */
                "filter[created_at][gte]"?: string;
                /** @description Only those whose `created_at` is before this. */
                "filter[created_at][lt]"?: string;
                /** @description Only those whose `created_at` is this or before. */
                "filter[created_at][lte]"?: string;
                /** @description Only those whose `created_at` has no value (`true`) or one (`false`). */
                "filter[created_at][is_null]"?: boolean;
                /** @description Only those whose `updated_at` is this value. */
                "filter[updated_at][eq]"?: string;
                /** @description Only those whose `updated_at` is another value, or none. */
                "filter[updated_at][ne]"?: string;
                /** @description Only those whose `updated_at` is one of these values, separated by commas, 100 at most. */
                "filter[updated_at][in]"?: string;
                /** @description Only those whose `updated_at` is after this. */
                "filter[updated_at][gt]"?: string;
                /** @description Only those whose `updated_at` is this or after. */
                "filter[updated_at][gte]"?: string;
                /** @description Only those whose `updated_at` is before this. */
                "filter[updated_at][lt]"?: string;
                /** @description Only those whose `updated_at` is this or before. */
                "filter[updated_at][lte]"?: string;
                /** @description Only those whose `updated_at` has no value (`true`) or one (`false`). */
                "filter[updated_at][is_null]"?: boolean;
            };
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of meter orders. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeterOrderList"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createMeterOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
                /** @description Makes repeating the request safe for 30 days: the same answer comes back. */
                "Idempotency-Key"?: string;
                /** @description Why the change is made: its entry in the audit log keeps it, unless it is an erasure. */
                "X-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "subscription": "sub_01k9zr5x3hf8b9m2t4v6w8y0ac"
                 *     }
                 */
                "application/json": components["schemas"]["MeterOrderRequest"];
            };
        };
        responses: {
            /** @description The meter order. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeterOrder"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `meter_order_open`: A smart meter is ordered already. `not_in_this_stage`: Not possible in the present stage. `idempotency_request_in_progress`: A request with this key is still running. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Accept-Encoding": components["headers"]["Accept-Encoding"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `meter_already_smart`: The meter is smart already. `idempotency_key_reused`: The key belongs to another request. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readMeterOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
                /** @description Answer 304 when this state (an `ETag`) is the present one. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description ID of the meter order (`mor_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The meter order. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeterOrder"];
                };
            };
            /** @description The state that `If-None-Match` names is the present one. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelMeterOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
                /** @description Makes repeating the request safe for 30 days: the same answer comes back. */
                "Idempotency-Key"?: string;
                /** @description Why the change is made: its entry in the audit log keeps it, unless it is an erasure. */
                "X-Reason"?: string;
                /** @description Change only this state (an `ETag`). */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the meter order (`mor_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The meter order as it stands now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeterOrder"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_in_this_status`: Not possible in the present status. `idempotency_request_in_progress`: A request with this key is still running. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `precondition_failed`: The resource has changed. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Accept-Encoding": components["headers"]["Accept-Encoding"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: The key belongs to another request. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listGridFeeReductions: {
        parameters: {
            query?: {
                /** @description How many items a page has. */
                limit?: number;
                /** @description The `next_page` of the page before; only with the same filters. */
                cursor?: string;
                /** @description Only those whose `subscription` is this value. */
                "filter[subscription][eq]"?: string;
                /** @description Only those whose `subscription` is another value, or none. */
                "filter[subscription][ne]"?: string;
                /** @description Only those whose `subscription` is one of these values, separated by commas, 100 at most. */
                "filter[subscription][in]"?: string;
                /** @description Only those whose `subscription` has no value (`true`) or one (`false`). */
                "filter[subscription][is_null]"?: boolean;
                /** @description Only those whose `status` is this value. */
                "filter[status][eq]"?: "intended" | "ordered" | "activated" | "rejected" | "ended";
                /** @description Only those whose `status` is another value, or none. */
                "filter[status][ne]"?: "intended" | "ordered" | "activated" | "rejected" | "ended";
                /** @description Only those whose `status` is one of these values, separated by commas, 100 at most. */
                "filter[status][in]"?: string;
                /** @description Only those whose `status` has no value (`true`) or one (`false`). */
                "filter[status][is_null]"?: boolean;
                /** @description Only those whose `created_at` is this value. */
                "filter[created_at][eq]"?: string;
                /** @description Only those whose `created_at` is another value, or none. */
                "filter[created_at][ne]"?: string;
                /** @description Only those whose `created_at` is one of these values, separated by commas, 100 at most. */
                "filter[created_at][in]"?: string;
                /** @description Only those whose `created_at` is after this. */
                "filter[created_at][gt]"?: string;
                /** @description Only those whose `created_at` is this or after. */
                "filter[created_at][gte]"?: string;
                /** @description Only those whose `created_at` is before this. */
                "filter[created_at][lt]"?: string;
                /** @description Only those whose `created_at` is this or before. */
                "filter[created_at][lte]"?: string;
                /** @description Only those whose `created_at` has no value (`true`) or one (`false`). */
                "filter[created_at][is_null]"?: boolean;
                /** @description Only those whose `updated_at` is this value. */
                "filter[updated_at][eq]"?: string;
                /** @description Only those whose `updated_at` is another value, or none. */
                "filter[updated_at][ne]"?: string;
                /** @description Only those whose `updated_at` is one of these values, separated by commas, 100 at most. */
                "filter[updated_at][in]"?: string;
                /** @description Only those whose `updated_at` is after this. */
                "filter[updated_at][gt]"?: string;
                /** @description Only those whose `updated_at` is this or after. */
                "filter[updated_at][gte]"?: string;
                /** @description Only those whose `updated_at` is before this. */
                "filter[updated_at][lt]"?: string;
                /** @description Only those whose `updated_at` is this or before. */
                "filter[updated_at][lte]"?: string;
                /** @description Only those whose `updated_at` has no value (`true`) or one (`false`). */
                "filter[updated_at][is_null]"?: boolean;
            };
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of grid-fee reductions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GridFeeReductionList"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createGridFeeReduction: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
                /** @description Makes repeating the request safe for 30 days: the same answer comes back. */
                "Idempotency-Key"?: string;
                /** @description Why the change is made: its entry in the audit log keeps it, unless it is an erasure. */
                "X-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "subscription": "sub_01k9zr5x3hf8b9m2t4v6w8y0ac",
                 *       "module_1": true
                 *     }
                 */
                "application/json": components["schemas"]["GridFeeReductionRequest"];
            };
        };
        responses: {
            /** @description The grid-fee reduction. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GridFeeReduction"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `grid_fee_reduction_open`: There is such a grid-fee reduction already. `not_in_this_stage`: Not possible in the present stage. `idempotency_request_in_progress`: A request with this key is still running. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Accept-Encoding": components["headers"]["Accept-Encoding"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: The key belongs to another request. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readGridFeeReduction: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
                /** @description Answer 304 when this state (an `ETag`) is the present one. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description ID of the grid-fee reduction (`gfr_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The grid-fee reduction. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GridFeeReduction"];
                };
            };
            /** @description The state that `If-None-Match` names is the present one. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    endGridFeeReduction: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
                /** @description Makes repeating the request safe for 30 days: the same answer comes back. */
                "Idempotency-Key"?: string;
                /** @description Why the change is made: its entry in the audit log keeps it, unless it is an erasure. */
                "X-Reason"?: string;
                /** @description Change only this state (an `ETag`). */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the grid-fee reduction (`gfr_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The grid-fee reduction as it stands now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GridFeeReduction"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_in_this_status`: Not possible in the present status. `idempotency_request_in_progress`: A request with this key is still running. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `precondition_failed`: The resource has changed. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Accept-Encoding": components["headers"]["Accept-Encoding"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: The key belongs to another request. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readSandboxClock: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
                /** @description Answer 304 when this state (an `ETag`) is the present one. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The clock. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxClock"];
                };
            };
            /** @description The state that `If-None-Match` names is the present one. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    advanceSandboxClock: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
                /** @description Makes repeating the request safe for 30 days: the same answer comes back. */
                "Idempotency-Key"?: string;
                /** @description Why the change is made: its entry in the audit log keeps it, unless it is an erasure. */
                "X-Reason"?: string;
                /** @description Change only this state (an `ETag`). */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "advance_by": "P1D"
                 *     }
                 */
                "application/json": components["schemas"]["SandboxClockAdvance"];
            };
        };
        responses: {
            /** @description The clock where it stands now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxClock"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_request_in_progress`: A request with this key is still running. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `precondition_failed`: The resource has changed. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Accept-Encoding": components["headers"]["Accept-Encoding"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `clock_moves_forward_only`: The clock moves forward only. `idempotency_key_reused`: The key belongs to another request. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readEvents: {
        parameters: {
            query?: {
                /** @description Cursor: reads what came after it; absent: from the very first event. */
                after?: string;
                /** @description How many events an answer has at most; fewer where they are large, so that an answer has about two megabytes: `has_more` says whether there are more. */
                limit?: number;
                /** @description Seconds to wait for something new when there is nothing. */
                wait?: number;
                /** @description Types with commas between, also `subscription.*`; absent: all. */
                types?: string;
            };
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events, and where to read on. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventFeed"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
                /** @description Answer 304 when this state (an `ETag`) is the present one. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description ID of the event (`evt_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                };
            };
            /** @description The state that `If-None-Match` names is the present one. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: {
                /** @description How many items a page has. */
                limit?: number;
                /** @description The `next_page` of the page before; only with the same filters. */
                cursor?: string;
            };
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of webhook endpoints. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointList"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
                /** @description Makes repeating the request safe for 30 days: the same answer comes back. */
                "Idempotency-Key"?: string;
                /** @description Why the change is made: its entry in the audit log keeps it, unless it is an erasure. */
                "X-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com/webhooks",
                 *       "types": [
                 *         "subscription.*"
                 *       ],
                 *       "description": "Our CRM"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEndpointCreation"];
            };
        };
        responses: {
            /** @description The webhook endpoint with its secret. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `too_many_webhook_endpoints`: The project has as many webhook endpoints as it can. `idempotency_request_in_progress`: A request with this key is still running. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Accept-Encoding": components["headers"]["Accept-Encoding"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: The key belongs to another request. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
                /** @description Answer 304 when this state (an `ETag`) is the present one. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description ID of the webhook endpoint (`whe_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook endpoint. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            /** @description The state that `If-None-Match` names is the present one. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
                /** @description Makes repeating the request safe for 30 days: the same answer comes back. */
                "Idempotency-Key"?: string;
                /** @description Why the change is made: its entry in the audit log keeps it, unless it is an erasure. */
                "X-Reason"?: string;
                /** @description Change only this state (an `ETag`). */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the webhook endpoint (`whe_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_request_in_progress`: A request with this key is still running. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `precondition_failed`: The resource has changed. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Accept-Encoding": components["headers"]["Accept-Encoding"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: The key belongs to another request. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
                /** @description Makes repeating the request safe for 30 days: the same answer comes back. */
                "Idempotency-Key"?: string;
                /** @description Why the change is made: its entry in the audit log keeps it, unless it is an erasure. */
                "X-Reason"?: string;
                /** @description Change only this state (an `ETag`). */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the webhook endpoint (`whe_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "types": [
                 *         "subscription.confirmed",
                 *         "subscription.ended"
                 *       ],
                 *       "enabled": true
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEndpointChange"];
            };
        };
        responses: {
            /** @description The webhook endpoint as it stands now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_request_in_progress`: A request with this key is still running. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `precondition_failed`: The resource has changed. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Accept-Encoding": components["headers"]["Accept-Encoding"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: The key belongs to another request. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
                /** @description Makes repeating the request safe for 30 days: the same answer comes back. */
                "Idempotency-Key"?: string;
                /** @description Why the change is made: its entry in the audit log keeps it, unless it is an erasure. */
                "X-Reason"?: string;
                /** @description Change only this state (an `ETag`). */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the webhook endpoint (`whe_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "overlap": "P1D"
                 *     }
                 */
                "application/json": components["schemas"]["SecretRotation"];
            };
        };
        responses: {
            /** @description The webhook endpoint with its new secret. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_request_in_progress`: A request with this key is still running. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `precondition_failed`: The resource has changed. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Accept-Encoding": components["headers"]["Accept-Encoding"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: The key belongs to another request. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description How many items a page has. */
                limit?: number;
                /** @description The `next_page` of the page before; only with the same filters. */
                cursor?: string;
                /** @description Only those whose `endpoint` is this value. */
                "filter[endpoint][eq]"?: string;
                /** @description Only those whose `endpoint` is another value, or none. */
                "filter[endpoint][ne]"?: string;
                /** @description Only those whose `endpoint` is one of these values, separated by commas, 100 at most. */
                "filter[endpoint][in]"?: string;
                /** @description Only those whose `endpoint` has no value (`true`) or one (`false`). */
                "filter[endpoint][is_null]"?: boolean;
                /** @description Only those whose `event` is this value. */
                "filter[event][eq]"?: string;
                /** @description Only those whose `event` is another value, or none. */
                "filter[event][ne]"?: string;
                /** @description Only those whose `event` is one of these values, separated by commas, 100 at most. */
                "filter[event][in]"?: string;
                /** @description Only those whose `event` has no value (`true`) or one (`false`). */
                "filter[event][is_null]"?: boolean;
                /** @description Only those whose `state` is this value. */
                "filter[state][eq]"?: "pending" | "succeeded" | "failed";
                /** @description Only those whose `state` is another value, or none. */
                "filter[state][ne]"?: "pending" | "succeeded" | "failed";
                /** @description Only those whose `state` is one of these values, separated by commas, 100 at most. */
                "filter[state][in]"?: string;
                /** @description Only those whose `state` has no value (`true`) or one (`false`). */
                "filter[state][is_null]"?: boolean;
                /** @description Only those whose `created_at` is this value. */
                "filter[created_at][eq]"?: string;
                /** @description Only those whose `created_at` is another value, or none. */
                "filter[created_at][ne]"?: string;
                /** @description Only those whose `created_at` is one of these values, separated by commas, 100 at most. */
                "filter[created_at][in]"?: string;
                /** @description Only those whose `created_at` is after this. */
                "filter[created_at][gt]"?: string;
                /** @description Only those whose `created_at` is this or after. */
                "filter[created_at][gte]"?: string;
                /** @description Only those whose `created_at` is before this. */
                "filter[created_at][lt]"?: string;
                /** @description Only those whose `created_at` is this or before. */
                "filter[created_at][lte]"?: string;
                /** @description Only those whose `created_at` has no value (`true`) or one (`false`). */
                "filter[created_at][is_null]"?: boolean;
            };
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryList"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
                /** @description Answer 304 when this state (an `ETag`) is the present one. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description ID of the delivery (`whd_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            /** @description The state that `If-None-Match` names is the present one. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resendWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
                /** @description Makes repeating the request safe for 30 days: the same answer comes back. */
                "Idempotency-Key"?: string;
                /** @description Why the change is made: its entry in the audit log keeps it, unless it is an erasure. */
                "X-Reason"?: string;
                /** @description Change only this state (an `ETag`). */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the delivery (`whd_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, pending. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_request_in_progress`: A request with this key is still running. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `precondition_failed`: The resource has changed. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Accept-Encoding": components["headers"]["Accept-Encoding"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: The key belongs to another request. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replayWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
                /** @description Makes repeating the request safe for 30 days: the same answer comes back. */
                "Idempotency-Key"?: string;
                /** @description Why the change is made: its entry in the audit log keeps it, unless it is an erasure. */
                "X-Reason"?: string;
                /** @description Change only this state (an `ETag`). */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the endpoint (`whe_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "failed": true
                 *     }
                 */
                "application/json": components["schemas"]["WebhookReplayRequest"];
            };
        };
        responses: {
            /** @description How many deliveries that makes. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookReplay"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_request_in_progress`: A request with this key is still running. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `precondition_failed`: The resource has changed. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Accept-Encoding": components["headers"]["Accept-Encoding"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: The key belongs to another request. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
                /** @description Makes repeating the request safe for 30 days: the same answer comes back. */
                "Idempotency-Key"?: string;
                /** @description Why the change is made: its entry in the audit log keeps it, unless it is an erasure. */
                "X-Reason"?: string;
                /** @description Change only this state (an `ETag`). */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the endpoint (`whe_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What came of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookTest"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_request_in_progress`: A request with this key is still running. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `precondition_failed`: The resource has changed. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Accept-Encoding": components["headers"]["Accept-Encoding"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: The key belongs to another request. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listCustomers: {
        parameters: {
            query?: {
                /** @description Words of a name or an e-mail address, up to eight, all of which must be there in whatever order; one of three letters or more also inside a word, a shorter one where a word begins. Case and accents do not matter, and ü is ue, so that an `e` behind a, o or u does not count in Goethe either: `goe` finds him, `oet` does not, as two letters are left of it, and a word that begins with such an `e` needs four more. Punctuation parts words as a blank does, so that `o'brien` and `o brien` find O'Brien, `obrien` does not. A whole e-mail address that somebody has finds those who have it, and nobody else. */
                search?: string;
                /** @description How many items a page has. */
                limit?: number;
                /** @description The `next_page` of the page before; only with the same filters. */
                cursor?: string;
                /** @description Only those whose `email` is this value. */
                "filter[email][eq]"?: string;
                /** @description Only those whose `email` is another value, or none. */
                "filter[email][ne]"?: string;
                /** @description Only those whose `email` is one of these values, separated by commas, 100 at most. */
                "filter[email][in]"?: string;
                /** @description Only those whose `email` has no value (`true`) or one (`false`). */
                "filter[email][is_null]"?: boolean;
                /** @description Only those whose `type` is this value. */
                "filter[type][eq]"?: "person" | "company";
                /** @description Only those whose `type` is another value, or none. */
                "filter[type][ne]"?: "person" | "company";
                /** @description Only those whose `type` is one of these values, separated by commas, 100 at most. */
                "filter[type][in]"?: string;
                /** @description Only those whose `type` has no value (`true`) or one (`false`). */
                "filter[type][is_null]"?: boolean;
                /** @description Only those whose `created_at` is this value. */
                "filter[created_at][eq]"?: string;
                /** @description Only those whose `created_at` is another value, or none. */
                "filter[created_at][ne]"?: string;
                /** @description Only those whose `created_at` is one of these values, separated by commas, 100 at most. */
                "filter[created_at][in]"?: string;
                /** @description Only those whose `created_at` is after this. */
                "filter[created_at][gt]"?: string;
                /** @description Only those whose `created_at` is this or after. */
                "filter[created_at][gte]"?: string;
                /** @description Only those whose `created_at` is before this. */
                "filter[created_at][lt]"?: string;
                /** @description Only those whose `created_at` is this or before. */
                "filter[created_at][lte]"?: string;
                /** @description Only those whose `created_at` has no value (`true`) or one (`false`). */
                "filter[created_at][is_null]"?: boolean;
                /** @description Only those whose `updated_at` is this value. */
                "filter[updated_at][eq]"?: string;
                /** @description Only those whose `updated_at` is another value, or none. */
                "filter[updated_at][ne]"?: string;
                /** @description Only those whose `updated_at` is one of these values, separated by commas, 100 at most. */
                "filter[updated_at][in]"?: string;
                /** @description Only those whose `updated_at` is after this. */
                "filter[updated_at][gt]"?: string;
                /** @description Only those whose `updated_at` is this or after. */
                "filter[updated_at][gte]"?: string;
                /** @description Only those whose `updated_at` is before this. */
                "filter[updated_at][lt]"?: string;
                /** @description Only those whose `updated_at` is this or before. */
                "filter[updated_at][lte]"?: string;
                /** @description Only those whose `updated_at` has no value (`true`) or one (`false`). */
                "filter[updated_at][is_null]"?: boolean;
            };
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of customers. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerList"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
                /** @description Answer 304 when this state (an `ETag`) is the present one. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description ID of the customer (`cus_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The customer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
            /** @description The state that `If-None-Match` names is the present one. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
                /** @description Makes repeating the request safe for 30 days: the same answer comes back. */
                "Idempotency-Key"?: string;
                /** @description Why the change is made: its entry in the audit log keeps it, unless it is an erasure. */
                "X-Reason"?: string;
                /** @description Change only this state (an `ETag`). */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the customer (`cus_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "last_name": "Musterfrau",
                 *       "email": "erika.musterfrau@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["CustomerUpdate"];
            };
        };
        responses: {
            /** @description The customer as it stands now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Customer"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `customer_erased`: The customer is erased. `idempotency_request_in_progress`: A request with this key is still running. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `precondition_failed`: The resource has changed. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Accept-Encoding": components["headers"]["Accept-Encoding"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: The key belongs to another request. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readCustomerTimeline: {
        parameters: {
            query?: {
                /** @description How many items a page has. */
                limit?: number;
                /** @description The `next_page` of the page before; only with the same filters. */
                cursor?: string;
            };
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
            };
            path: {
                /** @description ID of the customer (`cus_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of changes. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerTimeline"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
            };
            path: {
                /** @description ID of the customer (`cus_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerExport"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `customer_erased`: The customer is erased. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    eraseCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
                /** @description Makes repeating the request safe for 30 days: the same answer comes back. */
                "Idempotency-Key"?: string;
                /** @description Why the change is made: its entry in the audit log keeps it, unless it is an erasure. */
                "X-Reason"?: string;
                /** @description Change only this state (an `ETag`). */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the customer (`cus_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was done, and what is kept. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerErasure"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `customer_has_running_supply`: The customer has a running supply. `idempotency_request_in_progress`: A request with this key is still running. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `precondition_failed`: The resource has changed. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Accept-Encoding": components["headers"]["Accept-Encoding"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: The key belongs to another request. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readAddress: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
                /** @description Answer 304 when this state (an `ETag`) is the present one. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description ID of the address (`adr_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The address. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Address"];
                };
            };
            /** @description The state that `If-None-Match` names is the present one. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readMeter: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
                /** @description Answer 304 when this state (an `ETag`) is the present one. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description ID of the meter (`mtr_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The meter. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Meter"];
                };
            };
            /** @description The state that `If-None-Match` names is the present one. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readPaymentMethod: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
                /** @description Answer 304 when this state (an `ETag`) is the present one. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description ID of the payment method (`pm_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment method. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentMethod"];
                };
            };
            /** @description The state that `If-None-Match` names is the present one. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    eraseLead: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
                /** @description Makes repeating the request safe for 30 days: the same answer comes back. */
                "Idempotency-Key"?: string;
                /** @description Why the change is made: its entry in the audit log keeps it, unless it is an erasure. */
                "X-Reason"?: string;
                /** @description Change only this state (an `ETag`). */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the lead (`lead_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The lead, empty. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Lead"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `lead_already_converted`: The lead has a subscription already. `idempotency_request_in_progress`: A request with this key is still running. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `precondition_failed`: The resource has changed. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Accept-Encoding": components["headers"]["Accept-Encoding"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: The key belongs to another request. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listPlans: {
        parameters: {
            query?: {
                /** @description How many items a page has. */
                limit?: number;
                /** @description The `next_page` of the page before; only with the same filters. */
                cursor?: string;
                /** @description Only those whose `active` is this value. */
                "filter[active][eq]"?: "true" | "false";
                /** @description Only those whose `active` is another value, or none. */
                "filter[active][ne]"?: "true" | "false";
                /** @description Only those whose `active` is one of these values, separated by commas, 100 at most. */
                "filter[active][in]"?: string;
                /** @description Only those whose `active` has no value (`true`) or one (`false`). */
                "filter[active][is_null]"?: boolean;
                /** @description Only those whose `slug` is this value. */
                "filter[slug][eq]"?: string;
                /** @description Only those whose `slug` is another value, or none. */
                "filter[slug][ne]"?: string;
                /** @description Only those whose `slug` is one of these values, separated by commas, 100 at most. */
                "filter[slug][in]"?: string;
                /** @description Only those whose `slug` has no value (`true`) or one (`false`). */
                "filter[slug][is_null]"?: boolean;
                /** @description Only those whose `created_at` is this value. */
                "filter[created_at][eq]"?: string;
                /** @description Only those whose `created_at` is another value, or none. */
                "filter[created_at][ne]"?: string;
                /** @description Only those whose `created_at` is one of these values, separated by commas, 100 at most. */
                "filter[created_at][in]"?: string;
                /** @description Only those whose `created_at` is after this. */
                "filter[created_at][gt]"?: string;
                /** @description Only those whose `created_at` is this or after. */
                "filter[created_at][gte]"?: string;
                /** @description Only those whose `created_at` is before this. */
                "filter[created_at][lt]"?: string;
                /** @description Only those whose `created_at` is this or before. */
                "filter[created_at][lte]"?: string;
                /** @description Only those whose `created_at` has no value (`true`) or one (`false`). */
                "filter[created_at][is_null]"?: boolean;
                /** @description Only those whose `updated_at` is this value. */
                "filter[updated_at][eq]"?: string;
                /** @description Only those whose `updated_at` is another value, or none. */
                "filter[updated_at][ne]"?: string;
                /** @description Only those whose `updated_at` is one of these values, separated by commas, 100 at most. */
                "filter[updated_at][in]"?: string;
                /** @description Only those whose `updated_at` is after this. */
                "filter[updated_at][gt]"?: string;
                /** @description Only those whose `updated_at` is this or after. */
                "filter[updated_at][gte]"?: string;
                /** @description Only those whose `updated_at` is before this. */
                "filter[updated_at][lt]"?: string;
                /** @description Only those whose `updated_at` is this or before. */
                "filter[updated_at][lte]"?: string;
                /** @description Only those whose `updated_at` has no value (`true`) or one (`false`). */
                "filter[updated_at][is_null]"?: boolean;
            };
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of plans. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanList"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createPlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
                /** @description Makes repeating the request safe for 30 days: the same answer comes back. */
                "Idempotency-Key"?: string;
                /** @description Why the change is made: its entry in the audit log keeps it, unless it is an erasure. */
                "X-Reason"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ökostrom 12",
                 *       "price": 12.9,
                 *       "cancellation_period": "P1M",
                 *       "products": [
                 *         "smart-meter"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["PlanCreation"];
            };
        };
        responses: {
            /** @description The plan. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `duplicate_slug`: The slug is taken. `idempotency_request_in_progress`: A request with this key is still running. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Accept-Encoding": components["headers"]["Accept-Encoding"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: The key belongs to another request. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readPlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
                /** @description Answer 304 when this state (an `ETag`) is the present one. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description ID of the plan (`pln_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The plan. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            /** @description The state that `If-None-Match` names is the present one. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updatePlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
                /** @description Makes repeating the request safe for 30 days: the same answer comes back. */
                "Idempotency-Key"?: string;
                /** @description Why the change is made: its entry in the audit log keeps it, unless it is an erasure. */
                "X-Reason"?: string;
                /** @description Change only this state (an `ETag`). */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the plan (`pln_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "active": false
                 *     }
                 */
                "application/json": components["schemas"]["PlanChange"];
            };
        };
        responses: {
            /** @description The plan as it stands now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `duplicate_slug`: The slug is taken. `idempotency_request_in_progress`: A request with this key is still running. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `precondition_failed`: The resource has changed. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Accept-Encoding": components["headers"]["Accept-Encoding"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `idempotency_key_reused`: The key belongs to another request. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSuppliers: {
        parameters: {
            query?: {
                /** @description What someone has typed of a name so far; made for autocompletion. Case, umlauts, punctuation and the legal form do not matter, SW stands for Stadtwerke, small typing mistakes are forgiven. First come names that are it, then those that begin with it, then those in which words begin with it, then those that resemble it; where there are none, those that resemble most of its words. */
                search?: string;
                /** @description How many items a page has. */
                limit?: number;
                /** @description The `next_page` of the page before; only with the same filters. */
                cursor?: string;
            };
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of suppliers. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SupplierList"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readSupplier: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
                /** @description Answer 304 when this state (an `ETag`) is the present one. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description ID of the supplier (`mp_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The supplier. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Supplier"];
                };
            };
            /** @description The state that `If-None-Match` names is the present one. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readIdempotencyKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
                /** @description Answer 304 when this state (an `ETag`) is the present one. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The `Idempotency-Key`, percent-encoded, with its quotes or without. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What became of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdempotencyKey"];
                };
            };
            /** @description The state that `If-None-Match` names is the present one. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                /** @description How many items a page has. */
                limit?: number;
                /** @description The `next_page` of the page before; only with the same filters. */
                cursor?: string;
                /** @description Only those whose `resource` is this value. */
                "filter[resource][eq]"?: string;
                /** @description Only those whose `resource` is another value, or none. */
                "filter[resource][ne]"?: string;
                /** @description Only those whose `resource` is one of these values, separated by commas, 100 at most. */
                "filter[resource][in]"?: string;
                /** @description Only those whose `resource` has no value (`true`) or one (`false`). */
                "filter[resource][is_null]"?: boolean;
                /** @description Only those whose `created_at` is this value. */
                "filter[created_at][eq]"?: string;
                /** @description Only those whose `created_at` is another value, or none. */
                "filter[created_at][ne]"?: string;
                /** @description Only those whose `created_at` is one of these values, separated by commas, 100 at most. */
                "filter[created_at][in]"?: string;
                /** @description Only those whose `created_at` is after this. */
                "filter[created_at][gt]"?: string;
                /** @description Only those whose `created_at` is this or after. */
                "filter[created_at][gte]"?: string;
                /** @description Only those whose `created_at` is before this. */
                "filter[created_at][lt]"?: string;
                /** @description Only those whose `created_at` is this or before. */
                "filter[created_at][lte]"?: string;
                /** @description Only those whose `created_at` has no value (`true`) or one (`false`). */
                "filter[created_at][is_null]"?: boolean;
            };
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditLog"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readPlanTimeline: {
        parameters: {
            query?: {
                /** @description How many items a page has. */
                limit?: number;
                /** @description The `next_page` of the page before; only with the same filters. */
                cursor?: string;
            };
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
            };
            path: {
                /** @description ID (`pln_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditLog"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readWebhookEndpointTimeline: {
        parameters: {
            query?: {
                /** @description How many items a page has. */
                limit?: number;
                /** @description The `next_page` of the page before; only with the same filters. */
                cursor?: string;
            };
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
            };
            path: {
                /** @description ID (`whe_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditLog"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readLeadTimeline: {
        parameters: {
            query?: {
                /** @description How many items a page has. */
                limit?: number;
                /** @description The `next_page` of the page before; only with the same filters. */
                cursor?: string;
            };
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
            };
            path: {
                /** @description ID (`lead_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditLog"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readMeterOrderTimeline: {
        parameters: {
            query?: {
                /** @description How many items a page has. */
                limit?: number;
                /** @description The `next_page` of the page before; only with the same filters. */
                cursor?: string;
            };
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
            };
            path: {
                /** @description ID (`mor_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of steps. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourceTimeline"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readGridFeeReductionTimeline: {
        parameters: {
            query?: {
                /** @description How many items a page has. */
                limit?: number;
                /** @description The `next_page` of the page before; only with the same filters. */
                cursor?: string;
            };
            header?: {
                /** @description Version of the interface; absent: the one the credential is pinned to. */
                "X-API-Version"?: "2026-11-21";
                /** @description The caller’s own id of the request; echoed and logged. */
                "X-Client-Request-Id"?: string;
            };
            path: {
                /** @description ID (`gfr_…`). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of steps. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourceTimeline"];
                };
            };
            /** @description `validation_failed`: The request is not valid; where all `errors` have one code, that code instead. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: A valid access token is needed. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `insufficient_scope`: The token does not allow this. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_found`: Does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not_acceptable`: Cannot answer in what is accepted. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service is not available right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-Client-Request-Id": components["headers"]["X-Client-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    receiveEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description ID of the event, the same in every attempt. */
                "webhook-id": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA-256 of `<webhook-id>.<webhook-timestamp>.<body>` in base64; two with a blank between while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"] | components["schemas"]["WebhookTestEvent"];
            };
        };
        responses: {
            /** @description The endpoint is gone: it is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is taken. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is sent again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
