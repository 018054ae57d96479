import type { ClientConfig } from 'pg';
import type { Work } from '../background.ts';
import type { MetricsSnapshot } from '#platform/metrics.ts';

/** What the first process tells those that serve HTTP. */
export type ToHttp =
  /** Serve, on a database that is ready. */
  | {
      readonly kind: 'serve';
      /** For the log. */
      readonly name: string;
      readonly port: number;
      /** Base URL of the API. */
      readonly url: string;
      /** How to reach the database. */
      readonly connection: ClientConfig;
      /** In base64. */
      readonly encryptionKey: string;
      readonly maxConnections: number;
    }
  /** Events have been published. */
  | { readonly kind: 'published' }
  | { readonly kind: 'send metrics' }
  /** Say that you are at work. */
  | { readonly kind: 'report' }
  /** Give the port up, and go on with the connections that are open. */
  | { readonly kind: 'close port' }
  /** Finish what is in flight, and end. */
  | { readonly kind: 'stop' };

/** What a process that serves HTTP tells the first one. */
export type FromHttp =
  /** Something may be due. */
  | {
      readonly kind: 'wake';
      readonly work: readonly Work[];
      /** Sign-ups that wait there to be written. */
      readonly pendingSignUps: number;
    }
  | { readonly kind: 'metrics'; readonly metrics: MetricsSnapshot }
  | { readonly kind: 'listening' }
  | { readonly kind: 'at work' }
  | { readonly kind: 'port closed' }
  /** It could not start. */
  | { readonly kind: 'failed'; readonly reason: string };
