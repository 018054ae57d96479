import { isDay } from '#domain/calendar.ts';
import { FITTING_REFUSALS, REJECTION_CODES } from '#domain/orders/blocked.ts';
import type { OrderReport } from '#domain/orders/state.ts';
import {
  listOpenOrders,
  MAX_LISTED_ORDERS,
  recordReport,
  type ReportRecording,
  type Refusal,
  type SeenOrder,
} from '#features/subscriptions/index.ts';
import { isInstant } from '#platform/clock.ts';
import {
  CommandFailure,
  projectNotFound,
  projectOption,
  UsageError,
  withDependencies,
  type Command,
} from './command.ts';
import { market } from './market-commands.ts';

type Options = Readonly<Record<string, string>>;

const listCommand: Command = {
  name: 'market orders',
  summary: 'List meter orders and grid-fee reductions that are under way or wait for you, oldest first.',
  options: { project: projectOption },
  notes: [
    `At most ${MAX_LISTED_ORDERS} of each kind are listed. What is blocked by transmit_order is to be handed over:`,
    'the order itself while it is created or intended, later that it is cancelled or to be ended.',
  ].join('\n'),
  async run(open, { options }) {
    return withDependencies(open, async (dependencies) => {
      const names = { project: options['project'] ?? '' };
      const found = await listOpenOrders(dependencies, names);
      if (found.kind !== 'listed') throw refusalOf(found, names.project, '');
      const { orders, hasMore } = found;
      const more = `There are more of a kind than the ${MAX_LISTED_ORDERS} oldest, which are listed here.`;
      const texts = orders.length === 0 ? ['No order is under way.'] : orders.map(orderText);
      return {
        exitCode: 0,
        json: { object: 'list', items: orders, has_more: hasMore },
        text: [...texts, ...(hasMore ? [more] : [])].join('\n\n'),
      };
    });
  },
};

interface ReportSyntax {
  readonly help: string;
  /** The options that it has. */
  readonly options?: readonly ('at' | 'from' | 'received-at' | 'until' | 'code')[];
  /** @throws UsageError */
  readonly read: (options: Options) => OrderReport;
}

/** How each report is read. */
const REPORTS: Readonly<Record<string, ReportSyntax>> = {
  'handed-over': {
    help: 'You have handed it over to the partner, or its cancellation or end; his time runs from now.',
    read: () => ({ kind: 'handed_over' }),
  },
  appointment: {
    help: 'The metering operator names when the fitter comes: --at',
    options: ['at'],
    read: ({ at }) => ({ kind: 'appointment_made', appointment_at: instantOf('at', at) }),
  },
  missed: { help: 'The fitter could not do his work.', read: () => ({ kind: 'appointment_missed' }) },
  refused: {
    help: `The metering operator cannot or will not: --code ${FITTING_REFUSALS.join('|')}`,
    options: ['code'],
    read: ({ code }) => ({ kind: 'fitting_refused', code: oneOf(FITTING_REFUSALS, code) }),
  },
  installed: { help: 'The smart meter hangs.', read: () => ({ kind: 'fitted' }) },
  activated: { help: 'The smart meter delivers values.', read: () => ({ kind: 'connected' }) },
  confirmed: {
    help: 'The grid operator grants the reduction: [--from] [--received-at]',
    options: ['from', 'received-at'],
    read: ({ from, 'received-at': receivedAt }) => ({
      kind: 'confirmed',
      effective_from: from === undefined ? null : dayOf('from', from),
      ...(receivedAt === undefined ? {} : { received_at: instantOf('received-at', receivedAt) }),
    }),
  },
  rejected: {
    help: `The grid operator does not: --code ${REJECTION_CODES.join('|')}`,
    options: ['code'],
    read: ({ code }) => ({ kind: 'rejected', code: oneOf(REJECTION_CODES, code) }),
  },
  ended: {
    help: 'The grid operator has ended the reduction, or will: [--until]',
    options: ['until'],
    read: ({ until }) => ({ kind: 'ended', effective_until: until === undefined ? null : dayOf('until', until) }),
  },
};

const recordCommand: Command = {
  name: 'market order',
  summary: 'Record that an order was handed over, or what the partner said or did about it.',
  operands: ['ORDER', 'REPORT'],
  options: {
    project: projectOption,
    at: { value: 'INSTANT', meaning: 'Of an appointment: when the fitter comes, such as 2026-12-14T08:00:00Z.' },
    from: {
      value: 'DATE',
      meaning: 'Of a confirmation: the first day with the reduction; the day after the answer when absent.',
    },
    'received-at': { value: 'INSTANT', meaning: 'Of a confirmation: when it reached us. Else now.' },
    until: {
      value: 'DATE',
      meaning:
        'Of an end: the first day without the reduction; the one asked for when absent, or today if that has passed.',
    },
    code: { value: 'CODE', meaning: 'Of a refusal or rejection: why.' },
  },
  notes: [
    'ORDER is the id of a meter order (mor_…) or grid-fee reduction (gfr_…). REPORT is one of these:',
    ...Object.entries(REPORTS).map(([name, { help }]) => `  ${name.padEnd(11)}  ${help}`),
  ].join('\n'),
  async run(open, { options, operands: [order = '', name = ''] }) {
    const syntax = Object.hasOwn(REPORTS, name) ? REPORTS[name] : undefined;
    if (syntax === undefined) {
      throw new UsageError(`REPORT must be one of ${Object.keys(REPORTS).join(', ')}, not "${name}"`);
    }
    const surplus = Object.keys(options).find(
      (option) => option !== 'project' && !syntax.options?.some((own) => own === option),
    );
    if (surplus !== undefined) throw new UsageError(`--${surplus} is nothing that "${name}" has`);
    const report = syntax.read(options);
    return withDependencies(open, async (dependencies) => {
      const names = { project: options['project'] ?? '' };
      const found = await recordReport(market(dependencies), { ...names, order, report });
      if (found.kind !== 'recorded') throw refusalOf(found, names.project, order);
      return {
        exitCode: 0,
        json: { object: 'market_report', order: found.order },
        text: orderText(found.order),
      };
    });
  },
};

function instantOf(option: string, text = ''): string {
  if (!isInstant(text)) throw new UsageError(`--${option} must be an instant of the form YYYY-MM-DDThh:mm:ssZ`);
  return text;
}

function dayOf(option: string, text: string): string {
  if (!isDay(text)) throw new UsageError(`--${option} must be an existing day of the form YYYY-MM-DD`);
  return text;
}

function oneOf<Code extends string>(codes: readonly Code[], text = ''): Code {
  const found = codes.find((code) => code === text);
  if (found === undefined) throw new UsageError(`--code must be one of ${codes.join(', ')}`);
  return found;
}

function orderText(order: SeenOrder): string {
  const blocked = order['blocked'] as { readonly message: string; readonly since: string } | null;
  const shown = ['due_at', 'appointment_at', 'effective_from', 'effective_until'].filter(
    (name) => (order[name] ?? null) !== null,
  );
  const modules = ['module_1', 'module_2', 'module_3'].filter((name) => order[name] === true);
  return [
    `${String(order['id'])}  ${String(order['status'])}, last changed ${String(order['updated_at'])}`,
    `  of ${String(order['subscription'])}${modules.length === 0 ? '' : `, ${modules.join(' and ')}`}`,
    ...shown.map((name) => `    ${name}: ${String(order[name])}`),
    ...(blocked === null ? [] : [`  It waits: ${blocked.message}`]),
  ].join('\n');
}

function refusalOf(
  refusal: Exclude<ReportRecording, { kind: 'recorded' }> | Refusal,
  id: string,
  order: string,
): Error {
  const failure = (words: string): CommandFailure => new CommandFailure(refusal.kind, words);
  if (refusal.kind === 'project_not_found') return projectNotFound(id);
  if (refusal.kind === 'order_not_found') {
    return failure(`there is no order ${order} in that project; see "market orders"`);
  }
  if (refusal.kind === 'not_in_this_status') {
    return failure(
      `${order} is ${refusal.status}: either that does not permit this, or a day given is too early or over a year away, or it is recorded already`,
    );
  }
  return failure(`nothing was recorded: ${refusal.kind.replaceAll('_', ' ')}`);
}

/** The commands about meter orders and grid-fee reductions. */
export const orderCommands: readonly Command[] = [listCommand, recordCommand];
