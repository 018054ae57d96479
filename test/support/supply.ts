import type { SupplyDependencies } from '#features/subscriptions/index.ts';
import { manualGateway } from '#market/manual/gateway.ts';
import { sandboxGateway } from '#market/sandbox/gateway.ts';
import { createLog } from '#platform/log.ts';
import { createPortions } from '#platform/portions.ts';
import { noTraffic } from '#platform/reconcile/traffic.ts';
import type { TestService } from './service.ts';

/** What a service works on market processes with, in silence and beside no traffic. */
export function supplyOf({ service: { foundation } }: TestService): SupplyDependencies {
  return {
    ...foundation,
    gateways: { live: manualGateway, sandbox: sandboxGateway },
    log: createLog('silent', 2),
    countEvents: () => {},
    traffic: noTraffic,
    portions: createPortions(),
  };
}
