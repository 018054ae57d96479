import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { oauthOperations } from './documentation.ts';

test('the description of the endpoints passes the recommended rules of redocly', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wattline-oauth-'));
  try {
    const document = {
      openapi: '3.1.0',
      info: {
        title: 'OAuth',
        version: '1',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: 'https://energy.wattline.dev' }],
      tags: [{ name: 'Authentication', description: 'OAuth.' }],
      paths: oauthOperations,
      components: {
        securitySchemes: { client_basic: { type: 'http', scheme: 'basic' } },
        schemas: { Problem: { type: 'object', properties: {} } },
      },
    };
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document));
    const redocly = fileURLToPath(new URL('../../../node_modules/@redocly/cli/bin/cli.js', import.meta.url));
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [redocly, 'lint', '--extends', 'recommended', '--max-problems', '100', 'openapi.json'],
      {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      },
    );
    assert.equal(status, 0, stdout + stderr);
    assert.doesNotMatch(stdout + stderr, /warning/i);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('each endpoint names the form as its only content type, for generators of clients that cannot choose', () => {
  for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/introspect']) {
    const { post } = oauthOperations[path] as { readonly post: { readonly requestBody: { readonly content: object } } };
    assert.deepEqual(Object.keys(post.requestBody.content), ['application/x-www-form-urlencoded'], path);
  }
});
