import { served } from './served.js';

const KEY = 'svc-api-key';

/** Thrown where the service wants a key, or another one than it was sent; the message says which. */
export class KeyNeeded extends Error {}

/** The key that this tab's session knows; it is kept nowhere else. */
export function rememberKey(key: string): void {
  // A header carries no other characters: no key has them.
  sessionStorage.setItem(KEY, key.trim().replace(/[^\x20-\x7e]/g, '?'));
}

function authorization(): Record<string, string> {
  const key = sessionStorage.getItem(KEY);
  return key === null ? {} : { Authorization: `Bearer ${key}` };
}

/** Returns what a tab is told that was not let in. */
function notLetIn(): KeyNeeded {
  const isWrong = sessionStorage.getItem(KEY) !== null;
  return new KeyNeeded(isWrong ? 'The service does not accept this API key.' : 'This service needs an API key.');
}

async function request(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(served(path), { ...init, headers: { ...init.headers, ...authorization() } }).catch(() => {
    throw new Error('The service does not answer.');
  });
  if (response.status === 401) throw notLetIn();
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

/** Sends JSON and reads the answer. Throws as `read` does. */
export async function send<T>(path: string, body: object, method = 'POST'): Promise<T> {
  const init = { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  return (await (await request(path, init)).json()) as T;
}

/** Deletes what is at a path and reads the answer. Throws as `read` does. */
export async function remove<T>(path: string): Promise<T> {
  return (await (await request(path, { method: 'DELETE' })).json()) as T;
}

/** Uploads a form; `onProgress` receives the share of it that was sent, 0 to 1. Throws as `read` does. */
export function upload<T>(path: string, form: FormData, onProgress: (share: number) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    // fetch reports no progress of what it sends.
    const sending = new XMLHttpRequest();
    sending.open('POST', served(path));
    for (const [name, value] of Object.entries(authorization())) sending.setRequestHeader(name, value);
    sending.responseType = 'json';
    sending.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total));
    sending.addEventListener('error', () => reject(new Error('The service does not answer.')));
    sending.addEventListener('load', () => {
      if (sending.status < 300) resolve(sending.response as T);
      else if (sending.status === 401) reject(notLetIn());
      else reject(new Error((sending.response as { error?: string } | null)?.error ?? `The service answered with status ${sending.status}.`));
    });
    sending.send(form);
  });
}

/** Offers text or a blob as a file. */
export function download(name: string, content: string | Blob, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
