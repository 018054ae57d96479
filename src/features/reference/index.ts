import { readFile } from 'node:fs/promises';
import type { RouteContract } from '#platform/http/contract.ts';
import { buildOpenApi, type OpenApiNode } from '#platform/http/openapi.ts';
import { fieldCodes, Problem, problems } from '#platform/http/problems.ts';
import type { PlainRoute } from '#platform/http/server.ts';
import { oauthErrors } from '../oauth/index.ts';
import { marketFieldCodes, marketProblems } from '../problems.ts';
import { errorsPage, referencePage } from './pages.ts';
import { WEBHOOKS } from './webhook.ts';

/** Every code a problem can have, and every code of a single member. */
export const documentedCodes = {
  problems: { ...problems, ...marketProblems },
  fields: { ...fieldCodes, ...marketFieldCodes },
};

const describeAll = (
  basePath: string,
): string => `The backend for energy subscriptions: an energy retailer signs customers up over this API and gets them supplied.

**Conventions.** JSON in UTF-8, \`snake_case\`. Instants are \`YYYY-MM-DDThh:mm:ssZ\`; dates are \`YYYY-MM-DD\` and mean a day in Europe/Berlin. Every member of a resource is always present; what has no value is \`null\`. Unknown members and parameters in a request are refused (\`/health\`, \`/ready\`, \`/openapi.json\`, \`/docs\` and \`/.well-known\` overlook parameters, as monitors and caches add their own, and \`/oauth\` those it does not know, as RFC 6749 says); clients must tolerate unknown members in an answer.

**Errors** are \`application/problem+json\`; \`errors\` names every wrong member by JSON Pointer. Beside what an operation lists, any request may be answered 400 \`invalid_url\` (its URL cannot be read), 405 with \`Allow\` (the method), 408 (it did not come to its end), 417 (\`Expect\`) and 431 (its headers). All codes with cause and fix: [/docs/errors](${basePath}/docs/errors).

**The market.** What a subscription goes through until it is supplied, what somebody has to do on the way (\`next_action\`), and how a sandbox plays all of it: [/docs/market.md](${basePath}/docs/market.md).

**Lists** answer \`{object, items, has_more, next_page}\`, newest first; hand \`next_page\` back as \`cursor\`.

**Idempotency.** Any POST, PATCH or DELETE, but those of \`/oauth\`, takes an \`Idempotency-Key\`; the same request with the same key gets the same answer for 30 days, marked \`Idempotency-Replayed: true\`.

**Limits.** Bodies up to 256 KiB. Requests per credential are limited; \`RateLimit\` and \`RateLimit-Policy\` tell the state, 429 comes with \`Retry-After\`.`;

const OF_WEBHOOKS = `Where events are pushed to, and what became of each.

Each is a POST of the event as \`GET /events/{id}\` shows it, signed as [Standard Webhooks](https://www.standardwebhooks.com) says (\`webhook-id\`, \`webhook-timestamp\`, \`webhook-signature\`). A test of an endpoint sends an event of a type of its own, \`webhook_endpoint.test\` with \`sequence\` null, which is in no feed. An event may come more than once, under the same \`webhook-id\`; those of one subscription come in their order. An answer 2xx within 15 s is success; anything else, a redirect too, is a failure and is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, unless the operator has set other pauses; \`Retry-After\` of a 429 or 503 is waited for, up to a day. Then it has failed. An endpoint that answers 410, or does nothing but fail for five days, is disabled.`;

const TAGS = [
  { name: 'Authentication', description: 'OAuth 2.0 client credentials (RFC 6749 §4.4).' },
  {
    name: 'Subscriptions',
    description: 'What joins a plan, a customer, a delivery address, a meter and a payment method.',
  },
  { name: 'Leads', description: 'Who may sign up: what is known so far, who brought him, and what became of it.' },
  { name: 'Meter orders', description: 'Smart meters that are ordered for a subscription.' },
  { name: 'Grid-fee reductions', description: 'What § 14a EnWG lowers the grid fee of a subscription by.' },
  { name: 'Customers', description: 'Who is supplied, and what is stored of them.' },
  { name: 'Events', description: 'What has happened, for ever and in order.' },
  { name: 'Webhooks', description: OF_WEBHOOKS },
  { name: 'Plans', description: 'What is sold.' },
  { name: 'Suppliers', description: 'Who can have supplied the customer before.' },
  { name: 'Idempotency', description: 'What became of a request.' },
  { name: 'Audit log', description: 'Who changed what, and why.' },
  { name: 'Sandbox', description: 'The time of a sandbox project.' },
  { name: 'Operations', description: 'For whoever watches the service.' },
];

/**
 * The OpenAPI 3.1 document of the whole interface.
 *
 * @param basePath path before every path, as clients see it: empty, or such as `/energy`
 */
export function describeInterface(
  contracts: readonly RouteContract[],
  plainPaths: OpenApiNode,
  basePath: string,
): OpenApiNode {
  return buildOpenApi(contracts, {
    title: 'Wattline Energy Subscription API',
    version: '2026-11-21',
    description: describeAll(basePath),
    basePath,
    tags: TAGS,
    paths: plainPaths,
    webhooks: WEBHOOKS,
  });
}

const ASSETS: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};
const CONTENT_SECURITY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** `GET /openapi.json`, `GET /docs` and what these pages load. */
export function createReferenceRoutes(document: OpenApiNode): PlainRoute[] {
  // One for all who are sent it, however slowly they take it.
  const text = Buffer.from(JSON.stringify(document));
  const errors = errorsPage(Object.values(documentedCodes.problems), documentedCodes.fields, oauthErrors);
  const page = (path: string, html: string): PlainRoute => ({
    method: 'GET',
    path,
    handle: async (_request, reply) =>
      reply.headers({ 'content-security-policy': CONTENT_SECURITY }).type('text/html; charset=utf-8').send(html),
  });
  const readMarket = keep(() => new URL('../../../docs/market.md', import.meta.url));
  const asset = ([name, type]: [string, string]): PlainRoute => {
    const read = keep(() => new URL(import.meta.resolve(`swagger-ui-dist/${name}`)));
    return {
      method: 'GET',
      path: `/docs/assets/${name}`,
      handle: async (_request, reply) =>
        reply
          .headers({ 'cache-control': 'public, max-age=86400' })
          .type(type)
          .send(await read()),
    };
  };
  return [
    {
      method: 'GET',
      path: '/openapi.json',
      handle: async (_request, reply) => reply.type('application/json; charset=utf-8').send(text),
    },
    page('/docs', referencePage()),
    page('/docs/errors', errors),
    {
      method: 'GET',
      path: '/docs/market.md',
      handle: async (_request, reply) => reply.type('text/markdown; charset=utf-8').send(await orNotFound(readMarket)),
    },
    {
      method: 'GET',
      path: '/docs/assets/start.js',
      handle: async (_request, reply) => reply.type('text/javascript; charset=utf-8').send(START_SCRIPT),
    },
    ...Object.entries(ASSETS).map(asset),
  ];
}

/** Reads a file when it is first asked for: one for all, so that whoever asks takes neither a file nor memory of his own. */
function keep(find: () => URL): () => Promise<Buffer> {
  let content: Promise<Buffer> | undefined;
  return async () => {
    try {
      return await (content ??= readFile(find()));
    } catch (error) {
      content = undefined;
      throw error;
    }
  };
}

/** The service runs without its documentation, too. @throws Problem not_found */
async function orNotFound(read: () => Promise<Buffer>): Promise<Buffer> {
  try {
    return await read();
  } catch {
    throw new Problem(problems.not_found, 'The documentation is not installed beside the service.');
  }
}

const START_SCRIPT = `SwaggerUIBundle({
  url: new URL('../../openapi.json', document.currentScript.src).href,
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
`;
