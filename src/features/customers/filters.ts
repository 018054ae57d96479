import { CUSTOMER_TYPES } from '#domain/subscription/sign-up.ts';
import type { FilterTable } from '#platform/http/filters.ts';

/** The filters of `GET /customers`. */
export const customerFilters: FilterTable = {
  email: { kind: 'text' },
  type: { kind: 'enum', values: CUSTOMER_TYPES },
  created_at: { kind: 'instant' },
  updated_at: { kind: 'instant' },
};
