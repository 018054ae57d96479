import type { ProblemDefinition } from '#platform/http/problems.ts';

const HEAD =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">';

/** The page that shows the API reference. What it loads is named from where it stands, whatever path is before that. */
export function referencePage(): string {
  return `${HEAD}<title>Wattline API</title><link rel="stylesheet" href="docs/assets/swagger-ui.css"></head>
<body><div id="reference"></div><script src="docs/assets/swagger-ui-bundle.js"></script><script src="docs/assets/start.js"></script></body></html>`;
}

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;color:#1c2733}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.5rem;border-bottom:1px solid #d8dee4}
code{background:#f2f4f7;padding:.1rem .3rem;border-radius:.2rem}:target{background:#fff6d6}`;

/** Codes with why each of them comes, and what helps. */
type Codes = Readonly<Record<string, { readonly cause: string; readonly fix: string }>>;

/** The page about every code: cause, fix, who acts, whether to retry. */
export function errorsPage(problems: readonly ProblemDefinition[], fields: Codes, oauth: Codes): string {
  const actors = { caller: 'You', operator: 'The operator', nobody: 'Nobody' };
  const problemRows = problems.map(
    ({ code, status, title, cause, fix, actor, retry }) =>
      `<tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${text(title)}. ${text(cause)}</td><td>${text(fix)}</td><td>${actors[actor]}</td><td>${retry ? 'yes' : 'no'}</td></tr>`,
  );
  const rowsOf = (codes: Codes, prefix = ''): string =>
    Object.entries(codes)
      .map(
        ([code, { cause, fix }]) =>
          `<tr id="${prefix}${code}"><td><code>${code}</code></td><td>${text(cause)}</td><td>${text(fix)}</td></tr>`,
      )
      .join('\n');
  return `${HEAD}<title>Wattline API: errors</title><style>${STYLE}</style></head><body>
<h1>Errors</h1><p>Every refusal is, but for those of <code>/oauth</code> below, <code>application/problem+json</code> (RFC 9457) with a <code>code</code>. “Retry” tells whether the same request may succeed later unchanged.</p>
<table><thead><tr><th>Code</th><th>Status</th><th>Cause</th><th>Fix</th><th>Who acts</th><th>Retry</th></tr></thead><tbody>
${problemRows.join('\n')}
</tbody></table>
<h2>Codes of single members</h2><p>They stand in <code>errors[].code</code> of a 400, each with the <code>field</code> it is about. When all errors share one code, it is the code of the problem too. They need the request to be changed by you. In a 409 or 422, <code>errors</code> names the members that the present state does not permit, if any, with the code of the problem.</p>
<table><thead><tr><th>Code</th><th>Cause</th><th>Fix</th></tr></thead><tbody>
${rowsOf(fields)}
</tbody></table>
<h2>Errors of <code>/oauth</code></h2><p>They stand in <code>error</code> of an <code>application/json</code> (RFC 6749), with an <code>error_description</code>.</p>
<table><thead><tr><th>Error</th><th>Cause</th><th>Fix</th></tr></thead><tbody>
${rowsOf(oauth, 'oauth-')}
</tbody></table></body></html>`;
}

function text(source: string): string {
  return source
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/`([^`]*)`/g, '<code>$1</code>');
}
