import { formatId, parseId } from '#domain/identifiers.ts';
import { checkPlan, createPlan, presentPlan, PRODUCTS } from '#features/plans/index.ts';
import { listProjects } from '#features/projects/index.ts';
import { auditOperator } from '#platform/database/audit.ts';
import { Problem } from '#platform/http/problems.ts';
import {
  CommandFailure,
  projectNotFound,
  projectOption,
  UsageError,
  withDependencies,
  type Command,
} from './command.ts';

type Product = (typeof PRODUCTS)[number];

const createCommand: Command = {
  name: 'plan create',
  summary: 'Create a plan that sign-ups can name.',
  options: {
    project: projectOption,
    name: { value: 'NAME', meaning: 'What it is called.', needed: true },
    price: { value: '12.90', meaning: 'Base fee in EUR per month, gross.', needed: true },
    slug: { value: 'SLUG', meaning: 'Short name for URLs; made of the name when absent.' },
    description: { value: 'TEXT', meaning: 'What customers should know about it.' },
    'cancellation-period': { value: 'P1M', meaning: 'Notice of an ordinary termination, ISO 8601; P1M when absent.' },
    products: { value: PRODUCTS.join(','), meaning: 'The product orders it allows; all when absent, "" for none.' },
  },
  async run(open, { options }) {
    const input = readPlan(options);
    return withDependencies(open, async (dependencies) => {
      const id = options['project'] ?? '';
      const projects = await listProjects(dependencies);
      const projectId = projects.some((known) => known.id === id) ? parseId('prj', id) : null;
      if (projectId === null) throw projectNotFound(id);
      const plan = await dependencies.database
        .transaction(async (transaction) => {
          const created = await createPlan(dependencies, transaction, projectId, input);
          const change = { projectId, operation: 'plan create', resource: formatId('pln', created.id) };
          await auditOperator(transaction, dependencies, change);
          return created;
        })
        .catch((error: unknown) => {
          throw error instanceof Problem ? toFailure(error) : error;
        });
      return {
        exitCode: 0,
        json: JSON.parse(presentPlan(plan)) as Record<string, unknown>,
        text: `Created the plan ${formatId('pln', plan.id)}, slug ${plan.slug}.`,
      };
    });
  },
};

/** The input, within the limits that the API has. @throws UsageError */
function readPlan(options: Readonly<Record<string, string>>): Parameters<typeof createPlan>[3] {
  const { slug, description } = options;
  const price = options['price'] ?? '';
  const period = options['cancellation-period'];
  if (!/^\d+(\.\d{1,2})?$/.test(price)) throw new UsageError('--price must be an amount such as 12.90');
  const products = options['products'] === undefined ? undefined : readProducts(options['products']);
  const plan = {
    name: options['name'] ?? '',
    price: Number(price),
    ...(slug === undefined ? {} : { slug }),
    ...(description === undefined ? {} : { description }),
    ...(period === undefined ? {} : { cancellation_period: period }),
    ...(products === undefined ? {} : { products }),
  };
  const [wrong] = checkPlan(plan);
  if (wrong !== undefined)
    throw new UsageError(`-${wrong.field.replace('/', '-').replaceAll('_', '-')} ${wrong.message}`);
  return plan;
}

function readProducts(text: string): Product[] {
  const names = new Set(text.split(',').map((name) => name.trim()));
  names.delete('');
  return [...names].map((name) => {
    const product = PRODUCTS.find((known) => known === name);
    if (product === undefined) throw new UsageError(`--products can name ${PRODUCTS.join(' and ')}, not "${name}"`);
    return product;
  });
}

function toFailure(problem: Problem): CommandFailure {
  const [first] = problem.errors;
  return new CommandFailure(problem.definition.code, first?.message ?? problem.detail);
}

/** The commands about plans. */
export const planCommands: readonly Command[] = [createCommand];
