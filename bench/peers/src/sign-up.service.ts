import { createHash } from 'node:crypto';
import { ConflictException, Injectable, UnprocessableEntityException } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, QueryFailedError, type EntityManager, type EntityTarget, type ObjectLiteral } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import {
  Address,
  AuditEntry,
  Customer,
  IdempotencyKey,
  layOutKey,
  layOutParts,
  layOutPaymentMethod,
  layOutSubscription,
  layOutTraces,
  MarketProcess,
  MetadataEntry,
  Meter,
  PaymentMethod,
  present,
  Subscription,
  SubscriptionEvent,
  uuidOf,
  type Occasion,
} from './rows.js';
import type { SignUpDto } from './sign-up.dto.js';

export type Shown = ReturnType<typeof present>;

/** One sign-up in one transaction, once for each key. */
export abstract class SignUpService {
  private readonly plans = new Map<string, number>();

  constructor(protected readonly dataSource: DataSource) {}

  abstract signUp(body: SignUpDto, key: string, occasion: Occasion): Promise<Shown>;

  /** The uuid of a plan that takes sign-ups; known for a second. */
  protected async findPlan(body: SignUpDto, { projectId }: Occasion): Promise<string> {
    const id = uuidOf(body.plan);
    const name = `${projectId}/${id}`;
    if ((this.plans.get(name) ?? 0) > Date.now()) return id;
    const found = await this.dataSource.query<unknown[]>(
      'select 1 from plans where project_id = $1 and id = $2 and active',
      [projectId, id],
    );
    if (found.length === 0) throw new UnprocessableEntityException('plan names nothing in this project');
    this.plans.set(name, Date.now() + 1000);
    return id;
  }

  protected fingerprintOf(body: SignUpDto): Buffer {
    return createHash('sha256').update(JSON.stringify(body)).digest();
  }

  /** The kept answer, if there is one. */
  protected async findAnswer(key: string, fingerprint: Buffer, { projectId }: Occasion): Promise<Shown | null> {
    const known = await this.dataSource.getRepository(IdempotencyKey).findOneBy({ projectId, key });
    if (known === null) return null;
    if (!known.fingerprint.equals(fingerprint)) throw new ConflictException('the key was used for another request');
    return JSON.parse(known.body ?? 'null') as Shown;
  }

  protected refuse(error: unknown): never {
    const isTaken = error instanceof QueryFailedError && (error.driverError as { code?: string }).code === '23505';
    throw isTaken ? new ConflictException('something it claims is taken') : error;
  }
}

/** `save` in a transaction, as most write it. Ids are minted on the way, so that `save` looks for no rows first. */
@Injectable()
export class SavingSignUpService extends SignUpService {
  constructor(@InjectDataSource() dataSource: DataSource) {
    super(dataSource);
  }

  async signUp(body: SignUpDto, key: string, occasion: Occasion): Promise<Shown> {
    const fingerprint = this.fingerprintOf(body);
    const known = await this.findAnswer(key, fingerprint, occasion);
    if (known !== null) return known;
    const planId = await this.findPlan(body, occasion);
    return this.dataSource
      .transaction(async (manager) => {
        const parts = layOutParts(body, occasion);
        const customer = await manager.getRepository(Customer).save(parts.customer);
        const address = await manager.getRepository(Address).save(parts.address);
        const meter = await manager.getRepository(Meter).save(parts.meter);
        const paymentMethod = await manager
          .getRepository(PaymentMethod)
          .save(layOutPaymentMethod(body, occasion, customer.id));
        const subscription = await manager.getRepository(Subscription).save(
          layOutSubscription(body, occasion, planId, {
            customerId: customer.id,
            addressId: address.id,
            meterId: meter.id,
            paymentMethodId: paymentMethod.id,
          }),
        );
        const shown = present(subscription);
        const traces = layOutTraces(body, occasion, subscription, shown);
        await manager.getRepository(MarketProcess).save(traces.process);
        await manager.getRepository(SubscriptionEvent).save(traces.event);
        await manager.getRepository(AuditEntry).save(traces.audit);
        // Their primary keys are known, at which `save` would look for rows; they are new.
        if (traces.metadata.length > 0) await manager.getRepository(MetadataEntry).insert(traces.metadata);
        await manager.getRepository(IdempotencyKey).insert(layOutKey(key, fingerprint, occasion, shown));
        return shown;
      })
      .catch((error: unknown) => this.refuse(error));
  }
}

/** One insert for each table by the query builder, which reads nothing back; a key that is known shows by its clash. */
@Injectable()
export class InsertingSignUpService extends SignUpService {
  constructor(@InjectDataSource() dataSource: DataSource) {
    super(dataSource);
  }

  async signUp(body: SignUpDto, key: string, occasion: Occasion): Promise<Shown> {
    const fingerprint = this.fingerprintOf(body);
    const planId = await this.findPlan(body, occasion);
    const { customer, address, meter } = layOutParts(body, occasion);
    for (const row of [customer, address, meter]) row.id = uuidv7();
    const paymentMethod = layOutPaymentMethod(body, occasion, customer.id);
    paymentMethod.id = uuidv7();
    const subscription = layOutSubscription(body, occasion, planId, {
      customerId: customer.id,
      addressId: address.id,
      meterId: meter.id,
      paymentMethodId: paymentMethod.id,
    });
    subscription.id = uuidv7();
    const shown = present(subscription);
    const { process, event, audit, metadata } = layOutTraces(body, occasion, subscription, shown);
    for (const row of [process, event, audit]) row.id = uuidv7();
    try {
      await this.dataSource.transaction(async (manager) => {
        await insert(manager, Customer, customer);
        await insert(manager, Address, address);
        await insert(manager, Meter, meter);
        await insert(manager, PaymentMethod, paymentMethod);
        await insert(manager, Subscription, subscription);
        await insert(manager, MarketProcess, process);
        await insert(manager, SubscriptionEvent, event);
        await insert(manager, AuditEntry, audit);
        if (metadata.length > 0) await insert(manager, MetadataEntry, metadata);
        await insert(manager, IdempotencyKey, layOutKey(key, fingerprint, occasion, shown));
      });
      return shown;
    } catch (error) {
      return (await this.findAnswer(key, fingerprint, occasion)) ?? this.refuse(error);
    }
  }
}

async function insert<Row extends ObjectLiteral>(
  manager: EntityManager,
  target: EntityTarget<Row>,
  rows: Row | Row[],
): Promise<void> {
  await manager.createQueryBuilder().insert().into(target).values(rows).updateEntity(false).execute();
}
