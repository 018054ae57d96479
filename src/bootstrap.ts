import type { Config } from '#config';
import { formatId, parseId } from '#domain/identifiers.ts';
import { createCredential, createProject, listProjects } from '#features/projects/index.ts';
import { createPlan } from '#features/plans/index.ts';
import { seedSandboxSuppliers } from '#features/suppliers/index.ts';
import { auditOperator } from '#platform/database/audit.ts';
import { lockBootstrap } from '#platform/database/bootstrap-lock.ts';
import type { Database } from '#platform/database/pool.ts';
import type { Foundation } from './foundation.ts';

/** What the first start created. */
export interface Bootstrap {
  readonly clientId: string;
  /** Known now and never again; `null` when it was given by the environment. */
  readonly clientSecret: string | null;
  /** `pln_…` */
  readonly planId: string;
}

/**
 * On a database without projects: a sandbox project with a demo plan and a credential, in one commit. Otherwise, and
 * for the second of two instances that start at once, nothing; the suppliers of the sandbox are there after every start.
 */
export async function bootstrap(foundation: Foundation, config: Config): Promise<Bootstrap | null> {
  await seedSandboxSuppliers(foundation);
  return foundation.database.transaction(async (transaction) => {
    await lockBootstrap(transaction);
    const database: Database = {
      ...foundation.database,
      query: (statement, generation) => transaction.query(statement, generation),
      transaction: (work) => work(transaction),
    };
    const within = { ...foundation, database };
    if ((await listProjects(within)).length > 0) return null;
    const created = await createProject(within, { name: 'Sandbox', mode: 'sandbox' });
    if (!created.ok) throw new Error(created.message);
    const projectId = created.project.id;
    const { bootstrapClientId, bootstrapClientSecret } = config;
    const credential = await createCredential(within, {
      projectId,
      name: 'First credential',
      ...(bootstrapClientId === null ? {} : { clientId: bootstrapClientId }),
      ...(bootstrapClientSecret === null ? {} : { clientSecret: bootstrapClientSecret }),
    });
    if (!credential.ok) throw new Error(`the first credential could not be created: ${credential.reason}`);
    const plan = await createPlan(within, transaction, parseId('prj', projectId) ?? '', {
      name: 'Demo Ökostrom',
      slug: 'demo',
      description: 'A plan to try the service with.',
      price: 12.9,
    });
    const change = { projectId: parseId('prj', projectId) ?? '', operation: 'plan create' };
    await auditOperator(transaction, foundation, { ...change, resource: formatId('pln', plan.id) });
    return {
      clientId: credential.clientId,
      clientSecret: bootstrapClientSecret === null ? credential.clientSecret : null,
      planId: formatId('pln', plan.id),
    };
  });
}
