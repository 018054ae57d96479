import { startTestServer } from './server.ts';

/** What the setup has opened; `node --test` runs both functions in one process. */
const open: (() => Promise<void>)[] = [];

/** Starts the server all test files share, and tells them through the environment, which they inherit. */
export async function globalSetup(): Promise<void> {
  const { server, close } = await startTestServer();
  open.push(close);
  process.env.TEST_DATABASE = JSON.stringify(server);
}

/** Removes the server and its folder. */
export async function globalTeardown(): Promise<void> {
  for (const close of open.splice(0)) await close();
}
