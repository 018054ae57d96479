import { importSuppliers, UnreadableCsv, type ImportSummary } from '#features/suppliers/index.ts';
import { withDependencies, type Command } from './command.ts';
import { openFile, unreadable } from './files.ts';

/** Bad rows shown to people; `--json` has all. */
const MAX_SHOWN = 50;

const importCommand: Command = {
  name: 'supplier import',
  summary: 'Import suppliers from a CSV file; importing again updates and never duplicates.',
  operands: ['FILE.csv'],
  notes: [
    'The file: UTF-8, with a header line, separated by ; or , – columns "name" (needed), "code" (13 digits),',
    '"code_type" (BDEW, DVGW or GLN), "country" (such as DE); others are ignored. A row with a code is the supplier of',
    'that code, or the one of its name that had none; a row without is the supplier of its name.',
    'Bad rows are reported with their lines and the rest is imported. Cut short, it has changed nothing and can simply run',
    'again.',
    'Exit code 1 only when nothing could be read: no such file, no column "name", or rows and not one good.',
  ].join('\n'),
  async run(open, { operands, progress }) {
    const [path = ''] = operands;
    const file = (await openFile(path)).createReadStream();
    try {
      return await withDependencies(open, async (dependencies) => {
        const summary = await importSuppliers(dependencies, file, ({ read, rejected }) =>
          progress(`${read} rows read, ${rejected} rejected`),
        );
        const nothing = summary.read > 0 && summary.rejected.length === summary.read;
        return { exitCode: nothing ? 1 : 0, json: { object: 'supplier_import', ...summary }, text: describe(summary) };
      });
    } catch (error) {
      throw error instanceof UnreadableCsv ? unreadable(path, error.message) : error;
    } finally {
      file.destroy();
    }
  },
};

function describe({ read, inserted, updated, unchanged, rejected }: ImportSummary): string {
  const shown = rejected.slice(0, MAX_SHOWN).map(({ line, message }) => `  line ${line} ${message}`);
  const more = rejected.length - shown.length;
  return [
    `${read} rows read: ${inserted} suppliers inserted, ${updated} updated, ${unchanged} unchanged; ${rejected.length} rows rejected`,
    ...shown,
    ...(more > 0 ? [`  and ${more} more; --json lists all`] : []),
  ].join('\n');
}

/** The commands about suppliers. */
export const supplierCommands: readonly Command[] = [importCommand];
