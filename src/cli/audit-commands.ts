import { verifyChain, type Fault } from '#features/audit-log/index.ts';
import { UsageError, withDependencies, type Command } from './command.ts';

const MEANINGS: Readonly<Record<Fault['kind'], string>> = {
  changed: 'was changed, or added by somebody without the key',
  reordered: 'does not follow what stands before it',
  removed: 'is gone',
  unchained: 'is in no chain',
  end_changed: 'the end of the chain was changed',
  head_not_found: 'is not what it was when the head was noted',
};

const verifyCommand: Command = {
  name: 'audit verify',
  summary: 'Show that no entry of the audit log was changed, removed or moved.',
  options: { head: { value: 'POSITION:HASH', meaning: 'A head that an earlier verification printed.' } },
  notes: [
    'Prints the head of the log. Keep it somewhere else and hand it over the next time: only that shows a log that was',
    'rolled back as a whole, or whose chain was thrown away and made anew from what was left.',
    'An entry is chained within a second of its commit, when no older transaction is in progress.',
  ].join('\n'),
  async run(open, { options }) {
    const head = options['head'] ?? null;
    if (head !== null && !/^[1-9]\d{0,18}:[0-9a-f]{64}$/.test(head)) {
      throw new UsageError('--head must be a position and a hash such as 12:9f86d081…');
    }
    return withDependencies(open, async (dependencies) => {
      const { entries, erasedReasons, faults, head: found } = await verifyChain(dependencies, head);
      const lines = faults.map(
        ({ position, entry, kind }) =>
          `${[position, entry].filter((part) => part !== null).join(' ')}: ${MEANINGS[kind]}`,
      );
      const verdict = faults.length === 0 ? `${entries} entries, all as they were written.` : `${entries} entries.`;
      return {
        exitCode: faults.length === 0 ? 0 : 1,
        json: {
          object: 'audit_verification',
          intact: faults.length === 0,
          entries,
          erased_reasons: erasedReasons,
          head: found,
          faults: faults.map(({ position, entry, kind }) => {
            return { position: position === null ? null : Number(position), entry, kind };
          }),
        },
        text: [...lines, verdict, ...(found === null ? [] : [`head: ${found}`])].join('\n'),
      };
    });
  },
};

/** The commands about the audit log. */
export const auditCommands: readonly Command[] = [verifyCommand];
