const KEY = 'svc-api-key';

/** Thrown where the service wants a key. */
export class KeyNeeded extends Error {}

/** The key that this tab's session knows; it is kept nowhere else. */
export function rememberKey(key: string): void {
  sessionStorage.setItem(KEY, key);
}

async function request(path: string): Promise<Response> {
  const key = sessionStorage.getItem(KEY);
  const response = await fetch(path, { headers: key === null ? {} : { Authorization: `Bearer ${key}` } });
  if (response.status === 401) throw new KeyNeeded('The service needs an API key.');
  if (!response.ok) {
    const body = (await response.json().catch(() => ({}))) as { error?: string };
    throw new Error(body.error ?? `The service answered with status ${response.status}.`);
  }
  return response;
}

/** Reads JSON from the service. Throws `KeyNeeded`, or an error with the service's own sentence. */
export async function read<T>(path: string): Promise<T> {
  return (await (await request(path)).json()) as T;
}

/** Offers text as a file. */
export function download(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
