import cluster from 'node:cluster';
import { ConfigError, readConfig } from '#config';
import type { SchemaState } from '#platform/database/migrate.ts';
import { createLog } from '#platform/log.ts';
import { messageOf } from '#platform/message-of.ts';
import type { Bootstrap } from './bootstrap.ts';
import { runCli } from './cli/run.ts';
import { breakGround, layFoundation, requireData, type Foundation } from './foundation.ts';
import { serveHttp } from './processes/http-process.ts';
import type { FromHttp, ToHttp } from './processes/messages.ts';
import { serve } from './serve.ts';
import { farewell, welcome } from './welcome.ts';

const NEEDED_MAJOR = 26;
const ALONE_AFTER_MS = 500;
/** A stop may take ten seconds, and what has just started has little to finish. */
const START_LIMIT_MS = 5_000;
/** Background work has no deadline of its own: it may wait several times for a database that is slow. */
const STOP_LIMIT_MS = 9_000;

/** `serve` runs the service; everything else is an operator's command. */
async function main(argv: readonly string[]): Promise<void> {
  if (Number(process.versions.node.split('.')[0]) < NEEDED_MAJOR) {
    throw new ConfigError(
      `Node ${NEEDED_MAJOR} is needed, not ${process.version}; start with npm, which brings it along`,
    );
  }
  // Whoever reads what is printed may leave at any time, as `head` does: what is being done goes on.
  // Nor is there anybody to tell when there is no room for it.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const [command, ...rest] = argv;
  if (command === 'serve') {
    if (rest.length === 0) return runService();
    throw new ConfigError(
      `the service takes no "${rest[0]}": its settings are environment variables, such as PORT=3000 npm start; see docs/operations.md`,
    );
  }
  if (command === 'serve-http' && cluster.isWorker) return runHttpProcess();
  process.stdout.on('error', failUnlessUnread);
  process.exitCode = await runCli([...argv], openFoundation, openGround, {
    stdout: (text) => void process.stdout.write(text),
    stderr: (text) => void process.stderr.write(text),
  });
}

async function runService(): Promise<void> {
  const config = readConfig();
  const log =
    config.processes === 1 ? createLog(config.logLevel) : createLog(config.logLevel).child({ process: 'main' });
  const stopping = { now: false };
  let unseen: Bootstrap | null = null;
  const starting = serve(config, log, (created) => (unseen = created));
  // No later start can show the secret.
  const showCreated = (): void => void process.stdout.write(farewell(unseen));
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping.now) return;
    stopping.now = true;
    log.info({ signal }, 'stopping');
    // A start on its way is finished first, unless it waits, such as for another instance that migrates: it may be cut off
    // anywhere, and the next one does what is missing.
    const cut = setTimeout(() => {
      log.warn('the start was cut off');
      showCreated();
      process.exit(0);
    }, START_LIMIT_MS);
    // What is not committed yet is undone by the database, and done after the next start.
    setTimeout(() => {
      log.warn('the stop was cut off');
      process.exit(0);
    }, STOP_LIMIT_MS).unref();
    starting
      .finally(() => clearTimeout(cut))
      .then(
        (service) => service.stop(),
        // By the same signal, as from a keyboard: a process that serves HTTP cannot mind it before it has begun.
        (error: unknown) => log.warn({ err: error }, 'the start was cut off'),
      )
      .then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, 'stopping failed');
          process.exit(1);
        },
      );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // Of a terminal that is closed.
  process.on('SIGHUP', stop);
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));
  const service = await starting.catch((error: unknown) => {
    showCreated();
    if (!stopping.now) throw error;
  });
  if (service === undefined) return;
  log.info({ url: service.url }, 'listening');
  // Last, so that nothing stands between the commands to paste.
  process.stdout.write(welcome(service.url, service.created));
}

/** A command whose result has got lost, such as a secret on a full disk, must not look like one that went well. */
function failUnlessUnread(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') return;
  process.stderr.write(`wattline: the result could not be written: ${messageOf(error)}\n`);
  process.exit(1);
}

/** One of the processes that the service starts to serve HTTP; it ends with the one that started it. */
async function runHttpProcess(): Promise<void> {
  const config = readConfig();
  const log = createLog(config.logLevel);
  const stopping = new AbortController();
  // A signal to all goes to the first process as well, which has us stop in order; alone, we stop a moment later.
  const stop = (): void => void setTimeout(() => stopping.abort(), ALONE_AFTER_MS);
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // Of a terminal that is closed.
  process.on('SIGHUP', stop);
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));
  const send = (message: FromHttp): Promise<void> =>
    new Promise((resolve) => {
      if (process.send === undefined || !process.connected) resolve();
      // Node ends a process of a cluster whose first process is gone.
      else process.send(message, undefined, undefined, () => resolve());
    });
  const line = {
    send,
    onMessage: (handle: (message: ToHttp) => void) => void process.on('message', handle),
  };
  try {
    await serveHttp(config, log, line, stopping.signal);
  } catch (error) {
    await send({ kind: 'failed', reason: messageOf(error) });
    process.exit(1);
  }
  process.exit(0);
}

/** Opens what commands work on, beside a running service or alone. */
async function openFoundation(state?: SchemaState): Promise<Foundation> {
  const config = readConfig();
  requireData(config);
  // Whoever has called it is to know what it waits for.
  return layFoundation(config, createLog('warn', 2), { state, isCommand: true });
}

/** Opens a database that is to be filled. */
async function openGround(): Promise<Awaited<ReturnType<typeof breakGround>>> {
  return breakGround(readConfig(), createLog('error', 2));
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`wattline: ${messageOf(error)}\n`);
  process.exit(1);
});
