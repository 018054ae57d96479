import type { ClientConfig } from 'pg';
import type { Load } from '#test/support/load.ts';
import { embeddedIn } from '#test/support/process.ts';
import type { Stage } from '#test/support/stage.ts';
import { findDamage } from '#test/support/wholeness.ts';
import { atLeast, none, type Finding } from './finding.ts';

/** Settings of `examineWhole`. */
export interface ExamineOptions {
  /** Where the database is, if not embedded. */
  readonly connection?: ClientConfig;
  /** So many sign-ups at least must have been cut off or refused, and sent again; absent: 1. */
  readonly repeated?: number;
}

/** Whether the process that served before still does. @param when goes on with the finding's name */
export function stillServing(stage: Stage, known: ReturnType<Stage['service']>, when = ''): Finding {
  const { exitCode, signalCode } = known.child;
  const isSame = stage.service() === known && exitCode === null && signalCode === null;
  return none(`restarts of the service needed${when}`, isSame ? [] : [known.stderr()]);
}

/** Holds all that was acknowledged against what is stored and shown at the end. */
export async function examineWhole(
  stage: Stage,
  { acknowledged, odd }: Pick<Load, 'acknowledged' | 'odd'>,
  options: ExamineOptions = {},
): Promise<Finding[]> {
  const connection = options.connection ?? (await embeddedIn(stage.dataDir));
  const damage = await findDamage(connection, stage.site, acknowledged);
  const repeated = acknowledged.filter(({ tries }) => tries > 1);
  const stored = acknowledged.filter(({ replayed }) => replayed);
  return [
    atLeast('sign-ups acknowledged', acknowledged.length, 1),
    atLeast(
      `sign-ups repeated under their key (${stored.length} of them had been stored)`,
      repeated.length,
      options.repeated ?? 1,
    ),
    none('sign-ups acknowledged and lost', damage.lost),
    none('sign-ups stored twice, or never acknowledged', damage.double),
    none('sign-ups of which a part is missing', damage.half),
    none('keys that do not give the same answer again', damage.forgotten),
    none('subscriptions that are not read back or listed as they were', damage.unread),
    none('answers to sign-ups other than 201 and 503', odd),
  ];
}
