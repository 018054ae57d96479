export type { components, paths } from './api.ts';
export {
  createClient,
  type Answer,
  type ApiPaths,
  type Call,
  type ClientOptions,
  type ItemOf,
  type ListPath,
  type WattlineClient,
} from './client.ts';
export { WattlineError, type FieldError, type Problem } from './errors.ts';
export { type EventOptions, type EventType, type FeedItem, type WattlineEvent, type WebhookTest } from './events.ts';
export { verifyWebhook, WebhookVerificationError, type WebhookHeaders } from './webhooks.ts';
