import { normaliseMeterNumber, parseId } from '#domain/identifiers.ts';
import { isCorrectable } from '#domain/market/correction.ts';
import { proposedStart, type Correctable, type SupplyState } from '#domain/market/state.ts';
import { checkMeterNumber, checkStartDate, METADATA_LIMIT_BYTES } from '#domain/subscription/sign-up.ts';
import { formatInstant } from '#platform/clock.ts';
import { sqlState, UNIQUE_VIOLATION } from '#platform/database/errors.ts';
import type { Answer, Caller, Request } from '#platform/http/contract.ts';
import { invalid, Problem, type FieldError } from '#platform/http/problems.ts';
import { soundPart } from '#platform/http/validation.ts';
import { marketProblems } from '../problems.ts';
import type { SupplierRow } from '../suppliers/index.ts';
import { changeCustomer } from './change-customer.ts';
import { lockCustomer } from './customer-store.ts';
import type { SubscriptionDependencies } from './dependencies.ts';
import { mergeMetadata } from './merge-metadata.ts';
import { indexMetadata } from './metadata-index.ts';
import { METADATA, replaceEntries } from './metadata-store.ts';
import { isPaymentMethod, layOutPaymentMethod } from './payment-method.ts';
import { refuseUnlessDone } from './refusals.ts';
import { readAddresses, readPaymentMethods } from './store.ts';
import { catchUp, handleChange, retryLater, type Change, type ChangeDependencies } from './supply/change.ts';
import { takeEdit, takeStep, type Cause, type LifeRow } from './supply/life.ts';
import { addressText, customerName } from './supply/load.ts';
import { readFacts, type FactsRow } from './supply/store.ts';
import type { UpdateSubscription } from './update-schema.ts';
import { correctParts, findOthersAt, insertAddress, insertPaymentMethod } from './update-store.ts';

type Dependencies = ChangeDependencies & Pick<SubscriptionDependencies, 'suppliers'>;

/** `PATCH /subscriptions/{id}`: what the market was told wrongly makes the process go on by itself. */
export async function handleUpdateSubscription(
  dependencies: Dependencies,
  request: Request<UpdateSubscription>,
): Promise<Answer> {
  const body = soundPart(request.body, request.errors);
  const supplier = await findPreviousSupplier(dependencies, body, request.caller);
  const work = async (change: Change, cause: Cause, told: string[]): Promise<void> => {
    const isUnknown = supplier === null && body.previous_supplier !== null;
    const [parts] = await readFacts(change.transaction, change.projectId, [change.life.row.id]);
    if (parts === undefined) throw new Error('a subscription without its parts');
    if (parts.customer_erased_at !== null) throw new Problem(marketProblems.customer_erased);
    const metadata = mergedMetadata(change.life.row, body, request.rawMember);
    const corrected = correctedParts(parts, body);
    const errors = [
      ...request.errors,
      ...(isUnknown ? [{ field: '/previous_supplier', code: 'invalid_reference', message: 'names nothing' }] : []),
      ...checkStart(body, change.life.memory.supply, parts, change.now),
      ...checkUpdate(body, parts, corrected, metadata),
    ];
    if (errors.length > 0) throw invalid(errors);
    await writeUpdate(dependencies, body, change, cause, { supplier, parts, corrected, metadata });
    told.push(...(await writeNames(dependencies, body, change, cause)));
  };
  const claims = claimsOf(body);
  const attempt = (): Promise<Answer> =>
    handleChange(dependencies, request, work, (error) =>
      claims.length > 0 && sqlState(error) === UNIQUE_VIOLATION
        ? new Problem(marketProblems.market_location_taken, undefined, claims)
        : retryLater(error),
    );
  return attempt().catch(async (error: unknown) => {
    const isTaken = error instanceof Problem && error.definition === marketProblems.market_location_taken;
    if (!isTaken || !(await haveCaughtUp(dependencies, request))) throw error;
    return attempt();
  });
}

/** Whether something was still due to happen to those who are at the place that is named, which has happened now. */
async function haveCaughtUp(
  dependencies: Dependencies,
  { body: { meter, address }, caller: { projectId }, parameters }: Request<UpdateSubscription>,
): Promise<boolean> {
  const id = parseId('sub', parameters['id'] ?? '');
  if (id === null) return false;
  const place = {
    malo: meter?.malo ?? null,
    meterNumberNormalised: meter?.number === undefined ? null : normaliseMeterNumber(meter.number),
    zip: address?.zip ?? null,
  };
  const others = await findOthersAt(dependencies.database, projectId, id, place);
  let isAny = false;
  // One after another: no request takes a second connection.
  for (const other of others) isAny = (await catchUp(dependencies, projectId, other)) || isAny;
  return isAny;
}

/** What of the body names a place of supply. */
function claimsOf({ meter, address }: UpdateSubscription): FieldError[] {
  const claims = {
    '/meter/malo': meter?.malo,
    '/meter/number': meter?.number,
    '/address/zip': address?.zip,
    '/address': address,
  };
  const field = Object.entries(claims).find(([, value]) => value !== undefined)?.[0];
  const { code } = marketProblems.market_location_taken;
  return field === undefined ? [] : [{ field, code, message: 'another open subscription has it' }];
}

/** `undefined`: the body says nothing of it; `null`: it names none, or one that does not exist. */
async function findPreviousSupplier(
  { suppliers }: Dependencies,
  { previous_supplier: text }: UpdateSubscription,
  caller: Caller,
): Promise<SupplierRow | null | undefined> {
  if (text === undefined || text === null) return text;
  const id = parseId('mp', text);
  return id === null ? null : suppliers.find(caller.mode, id);
}

function mergedMetadata(row: LifeRow, body: UpdateSubscription, rawMember: Request['rawMember']): string | null {
  const patch = rawMember('metadata');
  return patch === null || body.metadata === undefined ? row.metadata : mergeMetadata(row.metadata, patch);
}

/** The parts as they are after the correction. */
function correctedParts(parts: FactsRow, { meter, address, customer }: UpdateSubscription): FactsRow {
  return {
    ...parts,
    ...address,
    ...customer,
    meter_number: meter?.number ?? parts.meter_number,
    malo: meter?.malo ?? parts.malo,
  };
}

/** A start that is named as it is changes nothing, also once it has come; asked for, it is to be one that can be reached. */
function checkStart(
  { intended_start_date: start }: UpdateSubscription,
  supply: SupplyState,
  parts: FactsRow,
  now: Temporal.Instant,
): FieldError[] {
  const isAsked = supply.action?.fields.includes('/intended_start_date') === true;
  if (start === undefined || (start === parts.intended_start_date && !isAsked)) return [];
  return checkStartDate({ next_possible_start: true, intended_start_date: start }, now, proposedStart(supply));
}

function checkUpdate(
  body: UpdateSubscription,
  parts: FactsRow,
  corrected: FactsRow,
  metadata: string | null,
): FieldError[] {
  const errors: FieldError[] = [];
  const refuse = (field: string, code: string, message: string): void => void errors.push({ field, code, message });
  if (body.customer?.company_name !== undefined && parts.customer_type === 'person') {
    refuse('/customer/company_name', 'not_allowed', 'is not allowed of a person');
  }
  errors.push(...checkMeterNumber(corrected.meter_number));
  const bytes = Buffer.byteLength(metadata ?? '');
  if (bytes > METADATA_LIMIT_BYTES) {
    const limit = `must have at most ${METADATA_LIMIT_BYTES} bytes as compact UTF-8 JSON when merged, not ${bytes}`;
    refuse('/metadata', 'too_large', limit);
  }
  return errors;
}

interface Prepared {
  readonly supplier: SupplierRow | null | undefined;
  readonly parts: FactsRow;
  readonly corrected: FactsRow;
  readonly metadata: string | null;
}

/** What the market has been told or will be, where the body names it; the same again says that it is right. */
function correctionsIn(body: UpdateSubscription, { corrected, supplier }: Prepared): Partial<Correctable> {
  const { meter, address, customer, intended_start_date: intendedStartDate } = body;
  return {
    ...(meter?.malo === undefined ? {} : { marketLocation: meter.malo }),
    ...(meter?.number === undefined ? {} : { meterNumber: meter.number }),
    ...(address === undefined ? {} : { zip: corrected.zip, address: addressText(corrected) }),
    ...(customer === undefined ? {} : { customerName: customerName(corrected) }),
    ...(intendedStartDate === undefined ? {} : { intendedStartDate }),
    ...(supplier === undefined
      ? {}
      : { previousSupplier: supplier === null ? null : { id: supplier.id, name: supplier.name, code: supplier.code } }),
  };
}

/**
 * Writes what differs. What is named as it is changes nothing, and nobody is told of it, so that who is told of a change
 * can write down that he was; but it is an answer to whoever asks for it.
 */
async function writeUpdate(
  dependencies: Dependencies,
  body: UpdateSubscription,
  change: Change,
  cause: Cause,
  prepared: Prepared,
): Promise<void> {
  const { transaction, projectId, life, now, tools } = change;
  const { supplier, parts, corrected, metadata } = prepared;
  const { row } = life;
  const edits: Partial<LifeRow> = {
    metadata,
    meter_number_normalised: normaliseMeterNumber(corrected.meter_number),
    zip: corrected.zip,
    ...(supplier === undefined ? {} : { supplier_id: supplier?.id ?? null }),
    ...(body.intended_start_date === undefined ? {} : { intended_start_date: body.intended_start_date }),
    ...(await writePaymentMethod(dependencies, body, change)),
    ...(await writeBillingAddress(dependencies, body, change)),
  };
  const areCorrected = JSON.stringify(parts) !== JSON.stringify(corrected);
  const edited = { ...row, ...edits };
  const { supplier_id: supplierId, intended_start_date: start } = edited;
  const isOtherwise = areCorrected || supplierId !== row.supplier_id || start !== row.intended_start_date;
  // Once nothing can be corrected any more, nobody asks whether what is named as it is shown is right.
  const isCorrection = isOtherwise || isCorrectable(life.memory.supply);
  const changes = isCorrection ? correctionsIn(body, prepared) : {};
  const namesPlace = isCorrection && claimsOf(body).length > 0;
  // Naming the place as it is gives up the claim to a market location that the market does not know there.
  const isGivenUp = namesPlace && row.malo !== life.memory.supply.facts.marketLocation;
  const isEdited = areCorrected || isGivenUp || JSON.stringify(edited) !== JSON.stringify(row);
  const named = { cause, fields: fieldsOf(body), namesPlace };
  const details = isEdited ? { ...named, edits } : named;
  if (Object.keys(changes).length > 0) {
    const { outcome } = takeStep(life, { type: 'corrected', changes }, now, tools, details);
    refuseUnlessDone(outcome, correctedFields(body, row, edited, prepared));
  } else if (isEdited) takeEdit(life, now, tools, details);
  if (areCorrected) await correctParts(transaction, projectId, row, corrected);
  if (metadata !== row.metadata) {
    const owner = { projectId, id: row.id };
    await replaceEntries(transaction, METADATA, owner, indexMetadata(row.metadata), indexMetadata(metadata));
  }
}

/** @returns the types of the events written */
async function writeNames(
  { mintUuid }: Dependencies,
  { customer: names }: UpdateSubscription,
  { transaction, projectId, life, now }: Change,
  cause: Cause,
): Promise<readonly string[]> {
  if (names === undefined) return [];
  const customer = await lockCustomer(transaction, projectId, life.row.customer_id);
  if (customer === undefined) throw new Error('a subscription without its customer');
  return (await changeCustomer({ transaction, projectId, mintUuid, now, cause }, customer, names)).events;
}

async function writePaymentMethod(
  { keys, mintUuid }: Dependencies,
  { payment_method: method }: UpdateSubscription,
  { transaction, projectId, life, now }: Change,
): Promise<Partial<LifeRow>> {
  if (method === undefined) return {};
  const [known] = await readPaymentMethods(transaction, projectId, [life.row.payment_method_id]);
  if (known !== undefined && isPaymentMethod(keys, projectId, known, method)) return {};
  const id = mintUuid(now);
  const row = layOutPaymentMethod(keys, projectId, method, { id, created_at: formatInstant(now) });
  await insertPaymentMethod(transaction, projectId, row);
  return { payment_method_id: id };
}

async function writeBillingAddress(
  { mintUuid }: Dependencies,
  { billing_address: address }: UpdateSubscription,
  { transaction, projectId, life, now }: Change,
): Promise<Partial<LifeRow>> {
  if (address === undefined) return {};
  if (address === null) return { billing_address_id: null };
  const { billing_address_id: knownId } = life.row;
  const [known] = knownId === null ? [] : await readAddresses(transaction, projectId, [knownId]);
  if (known !== undefined && JSON.stringify({ ...known, ...address }) === JSON.stringify(known)) return {};
  const id = mintUuid(now);
  await insertAddress(transaction, projectId, { ...address, id, created_at: formatInstant(now) });
  return { billing_address_id: id };
}

/** JSON Pointers of the members that the body corrects; what it names as it is, is not among them. */
function correctedFields(
  body: UpdateSubscription,
  row: LifeRow,
  edited: LifeRow,
  { parts, corrected }: Prepared,
): string[] {
  const before = correctableMembers(parts, row);
  const after = correctableMembers(corrected, edited);
  return fieldsOf(body).filter((field) => {
    const name = field.split('/').at(-1) ?? '';
    return before[name] !== after[name];
  });
}

/** By the last name in the pointer of each. */
function correctableMembers(parts: FactsRow, row: LifeRow): Readonly<Record<string, unknown>> {
  const { intended_start_date, supplier_id: previous_supplier } = row;
  return { ...parts, number: parts.meter_number, intended_start_date, previous_supplier };
}

/** JSON Pointers of the members that the body names, for those who read what was edited. */
function fieldsOf(body: UpdateSubscription): string[] {
  const inner = new Set(['meter', 'address', 'customer']);
  return Object.entries(body).flatMap(([name, value]) =>
    inner.has(name) ? Object.keys(value as object).map((member) => `/${name}/${member}`) : [`/${name}`],
  );
}
