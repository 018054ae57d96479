import { SCOPES } from '../projects/index.ts';

/** The ways in which a client may name itself. */
const CLIENT_AUTHENTICATION = ['client_secret_basic', 'client_secret_post'];

/** What a client can find out about this authorization server by itself (RFC 8414). */
export function authorizationServerMetadata(issuer: string): Record<string, unknown> {
  return {
    issuer,
    token_endpoint: `${issuer}/oauth/token`,
    token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    introspection_endpoint: `${issuer}/oauth/introspect`,
    introspection_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    grant_types_supported: ['client_credentials', 'refresh_token'],
    // Required by RFC 8414; there is no authorization endpoint.
    response_types_supported: [],
    scopes_supported: [...SCOPES],
    service_documentation: `${issuer}/docs`,
  };
}
