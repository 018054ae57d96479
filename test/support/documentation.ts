import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Something that a page tells its reader to run or to send. */
export interface Told {
  /** `README.md`, relative to the project. */
  readonly page: string;
  readonly text: string;
}

/** The pages that tell people what to do. */
const pages: readonly string[] = [
  'README.md',
  ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`),
  'packages/client/README.md',
  ...readdirSync(join(root, 'examples')).map((name) => `examples/${name}/README.md`),
].filter((page) => page.endsWith('.md'));

const FENCE = /^```(\w*)\n([^]*?)^```$/gm;

/** Every block of code in these languages, in the order of the pages. */
export function codeBlocks(...languages: readonly string[]): Told[] {
  return pages.flatMap((page) =>
    [...textOf(page).matchAll(FENCE)]
      .filter(([, language = '']) => languages.includes(language))
      .map(([, , text = '']) => ({ page, text })),
  );
}

/** Every `piece of code` within a sentence that begins so. */
export function codeSpans(beginning: RegExp): Told[] {
  return pages.flatMap((page) =>
    [
      ...textOf(page)
        .replaceAll(FENCE, '')
        .matchAll(/`([^`\n]+)`/g),
    ]
      .map(([, text = '']) => ({ page, text }))
      .filter(({ text }) => beginning.test(text)),
  );
}

/** The commands of a block, one by one: lines that go on are joined, remarks and empty lines left out. */
export function commandsOf({ page, text }: Told): Told[] {
  return text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => ({ page, text: line.replace(/(^|\s)#.*$/, '').trim() }))
    .filter(({ text }) => text !== '');
}

function textOf(page: string): string {
  return readFileSync(join(root, page), 'utf8');
}
