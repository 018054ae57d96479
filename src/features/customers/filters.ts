import type { FilterTable } from '#platform/http/filters.ts';

/** The filters of `GET /customers`. */
export const customerFilters: FilterTable = {
  email: { kind: 'text' },
  type: { kind: 'enum', values: ['person', 'company'] },
  created_at: { kind: 'instant' },
  updated_at: { kind: 'instant' },
};
