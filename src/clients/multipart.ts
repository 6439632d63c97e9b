import { openAsBlob } from 'node:fs';

/** Encodes a form with one file as bytes: a signature needs them all before the first is sent. */
export async function multipartBody(parts: {
  readonly file: { readonly path: string; readonly name: string };
  readonly fields: Readonly<Record<string, string>>;
}): Promise<{ readonly bytes: Buffer; readonly type: string }> {
  const form = new FormData();
  for (const [name, value] of Object.entries(parts.fields)) form.set(name, value);
  form.set('file', await openAsBlob(parts.file.path), parts.file.name);
  const encoded = new Response(form);
  return {
    bytes: Buffer.from(await encoded.arrayBuffer()),
    type: encoded.headers.get('content-type') ?? 'multipart/form-data',
  };
}
