import type { Input } from '../routes/row.js';

/** Which ways to prove who one is are configured. */
export interface Credentials {
  readonly apiKeys: boolean;
  readonly signature: boolean;
}

/** Returns what each request must carry, any one of them; nothing where a service is open. */
export function securityOf({ apiKeys, signature }: Credentials): Input[] {
  return [...(apiKeys ? [{ apiKey: [] }] : []), ...(signature ? [{ signature: [], signatureTimestamp: [] }] : [])];
}

/** Returns the schemes that are configured; `name` is the service's, in the headers of the signature. */
export function securitySchemes(name: string, { apiKeys, signature }: Credentials): Input {
  const header = (suffix: string, description: string) => ({
    type: 'apiKey',
    in: 'header',
    name: `X-${name.slice(0, 1).toUpperCase()}${name.slice(1)}-${suffix}`,
    description,
  });
  return {
    ...(apiKeys ? { apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of the service.' } } : {}),
    ...(signature
      ? {
          signature: header('Signature', 'Hex of HMAC-SHA256 over timestamp, method, request target and body.'),
          signatureTimestamp: header('Timestamp', 'Unix seconds.'),
        }
      : {}),
  };
}
