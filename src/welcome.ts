import type { Bootstrap } from './bootstrap.ts';

/** What the operator reads when the service has started; the secret only when it was created just now. */
export function welcome(url: string, created: Bootstrap | null): string {
  const head = `\nWattline is listening.\n\n  API       ${url}\n  Reference ${url}/docs\n`;
  if (created === null) {
    const create = 'npm run --silent cli -- credential create --project ID --name NAME';
    return `${head}\nCredentials: ${create} (those there are: credential list; projects: project list)\n\n`;
  }
  const { clientId, clientSecret, planId } = created;
  const secret = clientSecret ?? '$BOOTSTRAP_CLIENT_SECRET';
  const shown =
    clientSecret === null
      ? `  Client id ${clientId} (secret as given in BOOTSTRAP_CLIENT_SECRET)\n`
      : `  Client id ${clientId}\n  Secret    ${clientSecret}\n\nThe secret is shown this once; keep it.\n`;
  return `${head}${shown}
A sandbox project with a demo plan was created. Get a token, then sign a customer up:

${tokenCommand(url, clientId, secret)}

${signUpCommand(url, planId)}

`;
}

/** What the operator reads when the start that created the first credential did not come to its end; empty when he knows it. */
export function farewell(created: Bootstrap | null): string {
  if (created === null || created.clientSecret === null) return '';
  const { clientId, clientSecret } = created;
  return `\nThe start has failed, but it has created a sandbox project with this credential:\n
  Client id ${clientId}\n  Secret    ${clientSecret}\n\nThe secret is shown this once; keep it.\n\n`;
}

/** A command for a shell that puts an access token into `TOKEN`. */
function tokenCommand(url: string, clientId: string, secret: string): string {
  return `TOKEN=$(curl -s -u "${clientId}:${secret}" -d grant_type=client_credentials \\
  ${url}/oauth/token | sed -E 's/.*"access_token":"([^"]+)".*/\\1/')`;
}

function signUpCommand(url: string, planId: string): string {
  return `curl -s ${url}/subscriptions -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{
  "plan": "${planId}",
  "customer": {"type": "person", "first_name": "Erika", "last_name": "Mustermann", "email": "erika@example.com"},
  "address": {"street": "Heidestraße", "house_number": "17", "zip": "51147", "city": "Köln"},
  "meter": {"number": "1EMH0012345678", "type": "modern", "estimated_usage": 3500, "malo": "41373559241"},
  "payment_method": {"type": "sepa_debit",
    "sepa_debit": {"iban": "DE89 3704 0044 0532 0130 00", "account_holder": "Erika Mustermann"}},
  "next_possible_start": true
}'`;
}
