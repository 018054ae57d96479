import type { AuditEntry } from '#platform/audit.ts';
import type { IdempotencyRecord } from '#platform/database/idempotency.ts';
import type { MetadataEntry } from '../metadata-index.ts';
import type { AddressRow, CustomerRow, MeterRow, PaymentMethodRow, SubscriptionRow } from '../present.ts';
import type { NewOrder } from './orders.ts';

/** Everything one sign-up writes. */
export interface SignUpRows {
  readonly projectId: string;
  /** Where the project's own clock stood, or null; it must stand there still. */
  readonly clockAt: string | null;
  /** Of its plan as it was read; it must still be as it was. */
  readonly planVersion: string;
  readonly subscription: SubscriptionRow;
  readonly customer: CustomerRow;
  readonly address: AddressRow;
  readonly meter: MeterRow & { readonly numberNormalised: string };
  readonly paymentMethod: PaymentMethodRow;
  readonly productOrders: readonly { readonly id: string; readonly type: string; readonly details: string | null }[];
  /** What follows from the product orders. */
  readonly orders: readonly NewOrder[];
  readonly metadataIndex: readonly MetadataEntry[];
  readonly processId: string;
  readonly eventId: string;
  /** Of the lead that it converts; the lead must still be as it was read. */
  readonly conversion: {
    readonly leadRevision: number;
    readonly eventId: string;
    /** JSON text of what `lead.converted` tells. */
    readonly eventData: string;
  } | null;
  readonly requestId: string;
  /** The subscription as JSON text; stands in its first event. */
  readonly presentation: string;
  /** Its body is the presentation, or encrypted. */
  readonly idempotency: IdempotencyRecord | null;
  readonly audit: AuditEntry;
}
