import type { Database } from '#platform/database/pool.ts';
import { route, type Route } from '#platform/http/contract.ts';
import type { Pager } from '#platform/http/paging.ts';
import { searchParameter } from '#platform/http/search.ts';
import { handleListSuppliers } from './list-suppliers.ts';
import { handleReadSupplier } from './read-supplier.ts';
import { supplierListSchema, supplierSchema } from './schema.ts';

export { importSuppliers, type ImportSummary } from './import-suppliers.ts';
export { presentSupplier } from './present.ts';
export { supplierSchema } from './schema.ts';
export { SANDBOX_SUPPLIER_NAMES, seedSandboxSuppliers } from './seed-sandbox-suppliers.ts';
export { findSupplier, readSuppliers, type SupplierRow } from './store.ts';
export { UnreadableCsv } from './read-csv.ts';

const tag = 'Suppliers';

/** The routes of suppliers. */
export function createSupplierRoutes(dependencies: { readonly database: Database; readonly pager: Pager }): Route[] {
  return [
    route(
      {
        operationId: 'listSuppliers',
        method: 'GET',
        path: '/suppliers',
        tag,
        summary: 'List and search suppliers',
        description:
          'All suppliers that a customer may come from, newest first; with `search`, those that fit it, best first. ' +
          'The suppliers of the simulated market are listed in sandbox projects only.',
        access: 'read:*',
        query: {
          search: searchParameter(
            'What someone has typed of a name so far; made for autocompletion. Case, umlauts, punctuation and the ' +
              'legal form do not matter, SW stands for Stadtwerke, small typing mistakes are forgiven. First come names that are it, then those that begin with ' +
              'it, then those in which words begin with it, then those that resemble it; where there are none, those that ' +
              'resemble most of its words.',
            'stadtwerke mün',
          ),
        },
        collectsErrors: true,
        paged: true,
        response: { status: 200, description: 'A page of suppliers.', schema: supplierListSchema },
      },
      (request) => handleListSuppliers(dependencies, request),
    ),
    route(
      {
        operationId: 'readSupplier',
        method: 'GET',
        path: '/suppliers/:id',
        tag,
        summary: 'Read a supplier',
        description: 'The supplier as it stands.',
        access: 'read:*',
        parameters: { id: 'ID of the supplier (`mp_…`).' },
        response: { status: 200, description: 'The supplier.', schema: supplierSchema },
      },
      (request) => handleReadSupplier(dependencies, request),
    ),
  ];
}
