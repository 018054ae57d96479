import { preciseInstant } from '#platform/clock.ts';
import type { Answer, Request } from '#platform/http/contract.ts';
import { once } from '#platform/http/idempotency.ts';
import { named, requireMatch } from '#platform/http/named.ts';
import { entityTag } from '#platform/http/pipeline.ts';
import { notFound } from '#platform/http/problems.ts';
import type { DeliveryDependencies } from './dependencies.ts';
import { lockDelivery, readDelivery } from './list-store.ts';
import { presentDelivery } from './read-deliveries.ts';
import { resend } from './replay-store.ts';

/** `POST /webhook-deliveries/{id}/resend` */
export async function handleResend(dependencies: DeliveryDependencies, request: Request): Promise<Answer> {
  const { projectId } = request.caller;
  const answer = await once(dependencies, request, async (transaction) => {
    const now = preciseInstant(dependencies.clock.now());
    const known = await named(request, 'whd', (id) => lockDelivery(transaction, projectId, id));
    requireMatch(request, entityTag(presentDelivery(known)));
    if (!(await resend(transaction, projectId, known.id, now))) throw notFound();
    const row = await readDelivery(transaction, projectId, known.id);
    if (row === undefined) throw notFound();
    const body = presentDelivery(row);
    return { status: 200, body, headers: { etag: entityTag(body) } };
  });
  dependencies.wakeWebhooks();
  return answer;
}
