import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** A multipart body as bytes: a signature needs them all before the first is sent. */
export async function multipartBody(parts: {
  readonly file: { readonly path: string; readonly name: string };
  readonly fields: Readonly<Record<string, string>>;
}): Promise<{ readonly bytes: Buffer; readonly type: string }> {
  const boundary = `part-${randomUUID()}`;
  const chunks: Buffer[] = [];
  for (const [name, value] of Object.entries(parts.fields)) {
    chunks.push(Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`));
  }
  const fileName = parts.file.name.replaceAll('"', '%22').replace(/[\r\n]/g, ' ');
  chunks.push(
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${fileName}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
    ),
    await readFile(parts.file.path),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  );
  return { bytes: Buffer.concat(chunks), type: `multipart/form-data; boundary=${boundary}` };
}
