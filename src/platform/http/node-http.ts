/**
 * What is used of Node's `http` as values. To `import` them from `node:http` evaluates all that it exports, and with
 * `WebSocket` loads the client behind `fetch`, which nothing here uses.
 */
export const { Agent, createServer, request, STATUS_CODES } = process.getBuiltinModule('node:http');
