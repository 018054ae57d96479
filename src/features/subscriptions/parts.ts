/** What requests about subscriptions share in one process: batches that they go in together, and what is remembered. */
import { generationOf, type Database } from '#platform/database/pool.ts';
import { createGatherer, type Claim } from '#platform/gather.ts';
import { createShortCache } from '#platform/short-cache.ts';
import { findSupplier, type SupplierRow } from '../suppliers/index.ts';
import type { SubscriptionDependencies } from './dependencies.ts';
import { readPages, type AskedPage, type FoundPage } from './list-pages-store.ts';
import { createSubscriptionReader } from './reader.ts';
import { createFirstRequests } from './sign-up/first-requests.ts';
import type { SignUpRows } from './sign-up/rows.ts';
import { writeSignUps } from './sign-up/store.ts';
import { areUnchanged, readSubscriptions, type Asked, type AskedAgain, type VersionedRow } from './store.ts';

/** What batches of sign-ups and of reads have in common. */
const BATCHES = {
  maxItems: 100,
  maxWaiting: 2_000,
  /** What has waited so long when its turn comes is refused: its caller is about to give up. */
  maxWaitMs: 1_000,
};
const SIGN_UP_BATCHES = {
  ...BATCHES,
  worthwhile: 16,
  enough: 32,
  /** Each entry of the index over metadata is a row of its own: 100,000 of them are not written in the time that there is. */
  weights: { of: ({ metadataIndex }: SignUpRows) => metadataIndex.length, most: 5_000 },
  /** More than there are cores: while one is committed, or its answers are sent, others are worked on. */
  maxInFlight: 3,
};
/** Of sign-ups the database has more to do than we have; of reads it is we, who pay for each statement. */
const READ_BATCHES = {
  ...BATCHES,
  worthwhile: 32,
  enough: 48,
  maxInFlight: 2,
  claimsOf: (): readonly Claim[] => [],
  observe: (): void => {},
};
/** A page is worth many subscriptions: few go together, lest all else wait while they are presented. */
const PAGE_BATCHES = { ...READ_BATCHES, maxItems: 8, worthwhile: 4, enough: 4 };
const SUPPLIER_LIFETIME_MS = 1_000;
const MAX_SUPPLIERS = 1_000;

/** Told of sign-ups as they are committed. */
export interface SignUpObserver {
  /** Told how many sign-ups go together. */
  readonly observeBatch: (items: number) => void;
  /** Told how many sign-ups are committed, and the types of their further events; all of it may be taken up. */
  readonly onWritten: (count: number, others: readonly string[]) => void;
}

/** The types of events that a sign-up writes beside its first. */
function furtherEvents({ conversion, orders }: SignUpRows): string[] {
  return [...(conversion === null ? [] : ['lead.converted']), ...orders.map(({ kind }) => `${kind}.created`)];
}

/** The parts of `SubscriptionDependencies` that live as long as the process: the gatherers and the caches. */
export function createSubscriptionParts(
  database: Database,
  { observeBatch, onWritten }: SignUpObserver,
): Pick<SubscriptionDependencies, 'signUps' | 'reader' | 'pages' | 'suppliers' | 'firstRequests'> {
  const suppliers = createShortCache<SupplierRow>(SUPPLIER_LIFETIME_MS, MAX_SUPPLIERS);
  const count = { written: 0 };
  return {
    firstRequests: createFirstRequests(),
    signUps: createGatherer<SignUpRows, boolean>({
      ...SIGN_UP_BATCHES,
      async send(rows) {
        // A plan made for small tables reads them whole: it is made anew each time they may have doubled.
        const written = await writeSignUps(database, rows, generationOf(count.written, 1));
        count.written += written.size;
        onWritten(written.size, rows.filter(({ subscription }) => written.has(subscription.id)).flatMap(furtherEvents));
        return rows.map(({ subscription }) => written.has(subscription.id));
      },
      claimsOf,
      // What stands in the way is looked up then, and when it is gone already the sign-up is tried again.
      clash: { isWon: (isWritten) => isWritten, lost: false },
      observe: observeBatch,
    }),
    reader: createSubscriptionReader(
      createGatherer<Asked, VersionedRow | undefined>({
        ...READ_BATCHES,
        send: (asked) => readSubscriptions(database, asked, generationOf(count.written, 1)),
      }),
      createGatherer<AskedAgain, boolean>({
        ...READ_BATCHES,
        send: (asked) => areUnchanged(database, asked, generationOf(count.written, 1)),
      }),
    ),
    pages: createGatherer<AskedPage, FoundPage>({
      ...PAGE_BATCHES,
      send: (asked) => readPages(database, asked),
    }),
    suppliers: {
      find: (mode, supplierId) =>
        suppliers.find(`${mode}/${supplierId}`, () => findSupplier(database, mode, supplierId)),
    },
  };
}

/** What must be nobody else's; sign-ups that share one wait for each other instead of for the database. */
function claimsOf(row: SignUpRows): Claim[] {
  const { projectId, subscription, meter, address, idempotency } = row;
  const claims: Claim[] = [
    // Several market locations can be measured by one meter; one that is not known yet may be any of them.
    { name: `${projectId}/meter/${meter.numberNormalised}/${address.zip}`, shared: meter.malo !== null },
  ];
  const claim = (kind: string, key: string | null | undefined): void => {
    if (key !== null && key !== undefined) claims.push({ name: `${projectId}/${kind}/${key}` });
  };
  claim('malo', meter.malo);
  claim('key', idempotency?.key);
  claim('external', subscription.external_id);
  claim('lead', subscription.lead_id);
  return claims;
}
