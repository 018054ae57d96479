import type { IdPrefix } from '#domain/identifiers.ts';
import { route, type Route, type RouteContract } from '#platform/http/contract.ts';
import type { FilterTable, FilterType } from '#platform/http/filters.ts';
import { problems } from '#platform/http/problems.ts';
import { marketProblems } from '../problems.ts';
import { handleListLeads, handleReadLead, type ReadLeadDependencies } from './read-lead.ts';
import {
  createLeadSchema,
  leadListSchema,
  leadSchema,
  updateLeadSchema,
  type CreateLead,
  type UpdateLead,
} from './schema.ts';
import { handleCreateLead, handleUpdateLead, type WriteLeadDependencies } from './write-lead.ts';

export { eraseLead } from './erase-lead.ts';
export { createNamedLeads } from './named-leads.ts';
export {
  encryptedLeadPayments,
  isErased,
  leadTag,
  presentLead,
  presentWholeLead,
  type PresentLeadDependencies,
} from './present.ts';
export { leadSchema } from './schema.ts';
export { findLeadsAbout, lockLeadsAbout, readLeads } from './store.ts';
export { lockNamedLead } from './write-lead.ts';

const tag = 'Leads';
const parameters = { id: 'ID of the lead (`lead_…`).' };
const id = (prefix: IdPrefix): FilterType => ({ kind: 'id', prefix });

/** The filters of `GET /leads`. */
export const leadFilters: FilterTable = {
  plan: id('pln'),
  subscription: id('sub'),
  subscribed_at: { kind: 'instant' },
  'customer.email': { kind: 'text' },
  external_id: { kind: 'text' },
  created_by: id('crd'),
  created_at: { kind: 'instant' },
  metadata: { kind: 'key' },
};

const contracts = {
  createLead: {
    operationId: 'createLead',
    method: 'POST',
    path: '/leads',
    tag,
    summary: 'Create a lead',
    description:
      'Keeps what is known of somebody who may sign up: any members of a sign-up, at least `plan` and `address.zip`. What is sent is checked as a sign-up checks it. A sign-up that names the lead as `lead` converts it, once; `lead.created` and `lead.converted` tell of it, without personal data, which can be read here.',
    access: 'write:*',
    body: createLeadSchema,
    collectsErrors: true,
    bodyExample: {
      plan: 'pln_01k9zr5x3hf8b9m2t4v6w8y0ac',
      customer: { email: 'erika@example.com' },
      address: { zip: '51147' },
      meter: { estimated_usage: 3500 },
      metadata: { channel: 'web' },
    },
    response: { status: 201, description: 'The lead.', schema: leadSchema },
  },
  listLeads: {
    operationId: 'listLeads',
    method: 'GET',
    path: '/leads',
    tag,
    summary: 'List leads',
    description:
      'The leads of the project, newest first; `filter[subscription][is_null]=true` finds those that have become no subscription, erased ones (`erased`) too.',
    access: 'read:*',
    paged: true,
    filters: leadFilters,
    response: { status: 200, description: 'A page of leads.', schema: leadListSchema },
  },
  readLead: {
    operationId: 'readLead',
    method: 'GET',
    path: '/leads/:id',
    tag,
    summary: 'Read a lead',
    description: 'The lead as it stands.',
    access: 'read:*',
    parameters,
    response: { status: 200, description: 'The lead.', schema: leadSchema },
  },
  updateLead: {
    operationId: 'updateLead',
    method: 'PATCH',
    path: '/leads/:id',
    tag,
    summary: 'Change a lead',
    description:
      'Adds what has become known: `customer`, `address`, `meter`, `payment_method` and `metadata` are merged member by member, the others replaced; null empties. A body that names only what is there already leaves `updated_at` and the entity tag as they are. Once the lead is converted or erased nothing of it changes.',
    access: 'write:*',
    parameters,
    body: updateLeadSchema,
    collectsErrors: true,
    bodyExample: { customer: { first_name: 'Erika', last_name: 'Mustermann' }, address: { city: 'Köln' } },
    response: { status: 200, description: 'The lead as it stands now.', schema: leadSchema },
    problems: [marketProblems.lead_already_converted, marketProblems.lead_erased, problems.precondition_failed],
  },
} satisfies Record<string, RouteContract>;

/** The routes of leads. */
export function createLeadRoutes(dependencies: ReadLeadDependencies & WriteLeadDependencies): Route[] {
  return [
    route<CreateLead>(contracts.createLead, (request) => handleCreateLead(dependencies, request)),
    route(contracts.listLeads, (request) => handleListLeads(dependencies, request)),
    route(contracts.readLead, (request) => handleReadLead(dependencies, request)),
    route<UpdateLead>(contracts.updateLead, (request) => handleUpdateLead(dependencies, request)),
  ];
}
