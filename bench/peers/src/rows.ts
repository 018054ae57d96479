/** Everything that a sign-up writes: the tables as TypeORM knows them, and what stands in their rows. */
import { createCipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { BeforeInsert, Column, Entity, PrimaryColumn } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { SignUpDto } from './sign-up.dto.js';

/** What rows of a project with an id of their own have in common. */
abstract class ProjectRow {
  @PrimaryColumn('uuid', { name: 'project_id' })
  projectId: string;

  /** Left open until the row is inserted: `save` looks for a row that has an id already. */
  @PrimaryColumn('uuid')
  id: string;

  @BeforeInsert()
  mintId(): void {
    this.id ??= uuidv7();
  }
}

@Entity('customers')
export class Customer extends ProjectRow {
  @Column('text')
  type: string;
  @Column('text', { name: 'company_name', nullable: true })
  companyName: string | null;
  @Column('text', { name: 'first_name' })
  firstName: string;
  @Column('text', { name: 'last_name' })
  lastName: string;
  @Column('text')
  email: string;
  @Column('text', { name: 'vat_id', nullable: true })
  vatId: string | null;
  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;
}

@Entity('addresses')
export class Address extends ProjectRow {
  @Column('text')
  street: string;
  @Column('text', { name: 'house_number' })
  houseNumber: string;
  @Column('text')
  zip: string;
  @Column('text')
  city: string;
  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}

@Entity('meters')
export class Meter extends ProjectRow {
  @Column('text')
  number: string;
  @Column('text')
  type: string;
  @Column('numeric', { name: 'estimated_usage' })
  estimatedUsage: string;
  @Column('text', { nullable: true })
  malo: string | null;
  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}

@Entity('payment_methods')
export class PaymentMethod extends ProjectRow {
  @Column('text')
  type: string;
  @Column('text', { name: 'iban_masked' })
  ibanMasked: string;
  @Column('bytea', { name: 'details_encrypted' })
  detailsEncrypted: Buffer;
  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}

@Entity('subscriptions')
export class Subscription extends ProjectRow {
  @Column('text')
  number: string;
  @Column('text', { name: 'external_id', nullable: true })
  externalId: string | null;
  @Column('text')
  status: string;
  @Column('text')
  stage: string;
  @Column('uuid', { name: 'plan_id' })
  planId: string;
  @Column('uuid', { name: 'customer_id' })
  customerId: string;
  @Column('uuid', { name: 'address_id' })
  addressId: string;
  @Column('uuid', { name: 'meter_id' })
  meterId: string;
  @Column('uuid', { name: 'payment_method_id' })
  paymentMethodId: string;
  @Column('boolean', { name: 'next_possible_start' })
  nextPossibleStart: boolean;
  @Column('date', { name: 'intended_start_date', nullable: true })
  intendedStartDate: string | null;
  @Column('date', { name: 'requested_start_date', nullable: true })
  requestedStartDate: string | null;
  @Column('numeric', { name: 'estimated_usage' })
  estimatedUsage: string;
  @Column('text', { nullable: true })
  malo: string | null;
  @Column('text', { name: 'meter_number_normalised' })
  meterNumberNormalised: string;
  @Column('text')
  zip: string;
  @Column('json', { nullable: true })
  metadata: Record<string, unknown> | null;
  @Column('integer', { name: 'event_sequence' })
  eventSequence: number;
  @Column('uuid', { name: 'created_by' })
  createdBy: string;
  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;
}

@Entity('market_processes')
export class MarketProcess extends ProjectRow {
  @Column('uuid', { name: 'subscription_id' })
  subscriptionId: string;
  @Column('timestamptz', { name: 'due_at' })
  dueAt: Date;
  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}

@Entity('events')
export class SubscriptionEvent extends ProjectRow {
  @Column('uuid', { name: 'subscription_id' })
  subscriptionId: string;
  @Column('integer')
  sequence: number;
  @Column('text')
  type: string;
  @Column('timestamptz', { name: 'occurred_at' })
  occurredAt: Date;
  @Column('text', { name: 'request_id' })
  requestId: string;
  @Column('uuid', { name: 'credential_id' })
  credentialId: string;
  @Column('json')
  data: Record<string, unknown>;
}

@Entity('audit_log')
export class AuditEntry extends ProjectRow {
  @Column('timestamptz', { name: 'occurred_at' })
  occurredAt: Date;
  @Column('uuid', { name: 'credential_id' })
  credentialId: string;
  @Column('text', { name: 'request_id' })
  requestId: string;
  @Column('text')
  operation: string;
  @Column('text')
  resource: string;
  @Column('bytea')
  seal: Buffer;
}

@Entity('subscription_metadata')
export class MetadataEntry {
  @PrimaryColumn('uuid', { name: 'project_id' })
  projectId: string;
  @PrimaryColumn('uuid', { name: 'key_hash' })
  keyHash: string;
  @PrimaryColumn('uuid', { name: 'value_hash' })
  valueHash: string;
  @PrimaryColumn('uuid', { name: 'subscription_id' })
  subscriptionId: string;
}

@Entity('idempotency_keys')
export class IdempotencyKey {
  @PrimaryColumn('uuid', { name: 'project_id' })
  projectId: string;
  @PrimaryColumn('text')
  key: string;
  @Column('bytea')
  fingerprint: Buffer;
  @Column('text')
  method: string;
  @Column('text')
  path: string;
  @Column('smallint')
  status: number;
  @Column('json')
  headers: Record<string, string>;
  @Column('text', { nullable: true })
  body: string | null;
  @Column('text', { name: 'request_id' })
  requestId: string;
  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}

export const ENTITIES = [
  Customer,
  Address,
  Meter,
  PaymentMethod,
  Subscription,
  MarketProcess,
  SubscriptionEvent,
  AuditEntry,
  MetadataEntry,
  IdempotencyKey,
];

/** Who signs up, and when. */
export interface Occasion {
  readonly projectId: string;
  readonly credentialId: string;
  readonly requestId: string;
  readonly now: Date;
}

const encryptionKey = randomBytes(32);
const sealingKey = randomBytes(32);

/** An entity of a class with these members. */
function rowOf<Row extends object>(Class: new () => Row, members: Partial<Row>): Row {
  return Object.assign(new Class(), members);
}

/** What nothing else refers to before it is written. */
export function layOutParts(body: SignUpDto, { projectId, now }: Occasion) {
  const { customer, address, meter } = body;
  return {
    customer: rowOf(Customer, {
      projectId,
      type: customer.type ?? 'person',
      companyName: customer.company_name ?? null,
      firstName: customer.first_name,
      lastName: customer.last_name,
      email: customer.email,
      vatId: customer.vat_id ?? null,
      createdAt: now,
      updatedAt: now,
    }),
    address: rowOf(Address, {
      projectId,
      street: address.street,
      houseNumber: address.house_number,
      zip: address.zip,
      city: address.city,
      createdAt: now,
    }),
    meter: rowOf(Meter, {
      projectId,
      number: meter.number,
      type: meter.type,
      estimatedUsage: String(meter.estimated_usage),
      malo: meter.malo ?? null,
      createdAt: now,
    }),
  };
}

/** Encrypted for one customer, so that it cannot be moved to another. */
export function layOutPaymentMethod(body: SignUpDto, { projectId, now }: Occasion, customerId: string): PaymentMethod {
  const { iban: given, account_holder } = body.payment_method.sepa_debit;
  const iban = given.replaceAll(/\s/g, '').toUpperCase();
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', encryptionKey, nonce);
  cipher.setAAD(Buffer.from(`payment_method/${projectId}/${customerId}`));
  const text = Buffer.concat([cipher.update(JSON.stringify({ iban, account_holder }), 'utf8'), cipher.final()]);
  return rowOf(PaymentMethod, {
    projectId,
    type: 'sepa_debit',
    ibanMasked: `${iban.slice(0, 4)}${'*'.repeat(iban.length - 8)}${iban.slice(-4)}`,
    detailsEncrypted: Buffer.concat([Buffer.of(1, 0, 0, 0, 1), nonce, cipher.getAuthTag(), text]),
    createdAt: now,
  });
}

/** The subscription, once the ids of its parts are known. */
export function layOutSubscription(
  body: SignUpDto,
  { projectId, credentialId, now }: Occasion,
  planId: string,
  parts: Record<'customerId' | 'addressId' | 'meterId' | 'paymentMethodId', string>,
): Subscription {
  return rowOf(Subscription, {
    projectId,
    ...parts,
    planId,
    number: subscriptionNumber(),
    externalId: body.external_id ?? null,
    status: 'pending',
    stage: body.meter.malo === undefined ? 'identifying' : 'registering',
    nextPossibleStart: body.next_possible_start,
    intendedStartDate: body.intended_start_date ?? null,
    requestedStartDate: body.intended_start_date ?? null,
    estimatedUsage: String(body.meter.estimated_usage),
    malo: body.meter.malo ?? null,
    meterNumberNormalised: body.meter.number.toUpperCase().replaceAll(/[^A-Z0-9]/g, ''),
    zip: body.address.zip,
    metadata: body.metadata ?? null,
    eventSequence: 1,
    createdBy: credentialId,
    createdAt: now,
    updatedAt: now,
  });
}

/** What tells of the subscription, once its id is known. */
export function layOutTraces(body: SignUpDto, occasion: Occasion, subscription: Subscription, shown: object) {
  const { projectId, credentialId, requestId, now } = occasion;
  const resource = idOf('sub', subscription.id);
  const sealed = JSON.stringify([projectId, now, credentialId, requestId, 'signUp', resource]);
  return {
    process: rowOf(MarketProcess, { projectId, subscriptionId: subscription.id, dueAt: now, createdAt: now }),
    event: rowOf(SubscriptionEvent, {
      projectId,
      subscriptionId: subscription.id,
      sequence: 1,
      type: 'subscription.created',
      occurredAt: now,
      requestId,
      credentialId,
      data: { subscription: shown, previous_attributes: {} },
    }),
    audit: rowOf(AuditEntry, {
      projectId,
      occurredAt: now,
      credentialId,
      requestId,
      operation: 'signUp',
      resource,
      seal: createHmac('sha256', sealingKey).update(sealed).digest(),
    }),
    metadata: Object.entries(body.metadata ?? {}).map(([key, value]) =>
      rowOf(MetadataEntry, {
        projectId,
        keyHash: hashUuid(key),
        valueHash: hashUuid(String(value)),
        subscriptionId: subscription.id,
      }),
    ),
  };
}

/** The kept answer. */
export function layOutKey(
  key: string,
  fingerprint: Buffer,
  { projectId, requestId, now }: Occasion,
  shown: { readonly id: string },
): IdempotencyKey {
  return rowOf(IdempotencyKey, {
    projectId,
    key,
    fingerprint,
    method: 'POST',
    path: '/subscriptions',
    status: 201,
    headers: { location: `/subscriptions/${shown.id}` },
    body: JSON.stringify(shown),
    requestId,
    createdAt: now,
  });
}

/** A subscription as the API shows it. */
export function present(row: Subscription) {
  return {
    object: 'subscription',
    id: idOf('sub', row.id),
    plan: idOf('pln', row.planId),
    customer: idOf('cus', row.customerId),
    address: idOf('adr', row.addressId),
    meter: idOf('mtr', row.meterId),
    payment_method: idOf('pm', row.paymentMethodId),
    billing_address: null,
    supplier: null,
    number: row.number,
    status: row.status,
    stage: row.stage,
    end_reason: null,
    next_action: null,
    estimated_usage: Number(row.estimatedUsage),
    next_possible_start: row.nextPossibleStart,
    intended_start_date: row.intendedStartDate,
    requested_start_date: row.requestedStartDate,
    requested_start_reason: null,
    lead: null,
    product_orders: [],
    external_id: row.externalId,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    start_at: null,
    terminated_at: null,
    end_at: null,
    created_by: idOf('crd', row.createdBy),
    metadata: row.metadata,
  };
}

const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz';

/** A TypeID, such as `sub_01h455vb4pex5vsknk084sn02q`. */
export function idOf(prefix: string, uuid: string): string {
  const digits = BigInt(`0x${uuid.replaceAll('-', '')}`)
    .toString(32)
    .padStart(26, '0');
  let text = '';
  for (const digit of digits) text += BASE32[Number.parseInt(digit, 32)] ?? '';
  return `${prefix}_${text}`;
}

/** The uuid in a TypeID. */
export function uuidOf(id: string): string {
  let number = 0n;
  for (const digit of id.slice(-26)) number = number * 32n + BigInt(BASE32.indexOf(digit));
  return number
    .toString(16)
    .padStart(32, '0')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function subscriptionNumber(): string {
  return Array.from(randomBytes(8), (byte) => '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'[byte % 32]).join('');
}

function hashUuid(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
