import { createReconciler } from '#platform/reconcile/reconciler.ts';
import { noTraffic } from '#platform/reconcile/traffic.ts';
import { createDeliverer, type DeliverDependencies, type Deliverer } from './deliver.ts';
import { fanOut, type FanOutDependencies } from './fan-out.ts';

/** Lays out deliveries as events are published, and attempts them as they become due. */
export function createDeliveryEngine(dependencies: DeliverDependencies & FanOutDependencies): Deliverer {
  const deliverer = createDeliverer(dependencies);
  const layOut = createReconciler({
    name: 'webhook fan-out',
    findWork: async () => ['feed'],
    workOn: () => fanOut(dependencies, () => deliverer.wake()),
    maxInFlight: 1,
    traffic: noTraffic,
    log: dependencies.log,
  });
  return {
    start() {
      layOut.start();
      deliverer.start();
    },
    wake() {
      layOut.wake();
      deliverer.wake();
    },
    async stop() {
      await Promise.all([layOut.stop(), deliverer.stop()]);
    },
  };
}
