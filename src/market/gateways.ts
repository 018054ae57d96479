import { manualGateway } from './manual/gateway.ts';
import { sandboxGateway } from './sandbox/gateway.ts';

/** Who carries messages to the market, by the mode of a project; live ones have no transport of their own. */
export const gateways = { live: manualGateway, sandbox: sandboxGateway } as const;
