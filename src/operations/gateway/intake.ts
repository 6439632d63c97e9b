import { Type } from '@sinclair/typebox';
import { SvcError } from '../../core/errors.js';
import type { Service } from '../../service.js';
import { operation } from '../operation.js';
import { oneOf } from './shapes.js';

/** A body as it came, with what its headers say of it. */
const Raw = {
  bytes: Type.Unsafe<Buffer>({ description: 'The body as it came over the wire.' }),
  contentType: Type.String({ description: 'Media type without parameters, in lower case.' }),
  contentEncoding: Type.String({ description: 'gzip, deflate, br, or empty.' }),
};

export const telemetryOtlp = operation({
  name: 'telemetry_otlp',
  summary: 'Takes in spans or log records of OTLP over HTTP.',
  idempotent: true,
  input: Type.Object({ signal: oneOf('traces', 'logs'), ...Raw }),
  output: Type.Object({ encoding: oneOf('json', 'protobuf'), response: Type.Unknown() }),
  run: async (service, { signal, ...raw }) => {
    const { reader, intake } = service.gateway;
    intake.requireRoom();
    const { batch, encoding } = await reader.otlp(signal, raw);
    const result = await intake.submit(batch);
    return { encoding, response: reader.otlpResponse(signal, encoding, result) };
  },
});

const Taken = Type.Object({ accepted: Type.Integer(), duplicates: Type.Integer() });

export const gatewayLearningIngest = operation({
  name: 'gateway_learning_ingest',
  summary: 'Takes in runs as JSON, as a list or as NDJSON; payloads of LiteLLM too. All rows, or none.',
  idempotent: true,
  input: Type.Object(Raw),
  output: Taken,
  run: (service, raw) => taken(service, raw),
});

export const greenIngest = operation({
  name: 'green_ingest',
  summary: 'Takes in model calls as JSON, as a list or as NDJSON; payloads of LiteLLM too. All rows, or none.',
  idempotent: true,
  input: Type.Object(Raw),
  output: Taken,
  run: async (service, raw) => {
    service.gateway.green.requireEnabled();
    return taken(service, raw);
  },
});

/** Takes rows in; throws `invalid_input` where one is wrong, once they are counted as refused. */
async function taken(
  { gateway }: Service,
  raw: { bytes: Buffer; contentType: string; contentEncoding: string },
): Promise<{ accepted: number; duplicates: number }> {
  gateway.intake.requireRoom();
  const { accepted, duplicates, rejected, reason } = await gateway.intake.submit(await gateway.reader.native(raw));
  if (rejected > 0) throw new SvcError('invalid_input', reason ?? 'A row is wrong.');
  return { accepted, duplicates };
}

export const greenIntake = operation({
  name: 'green_intake',
  summary: 'What the intake received, took, had before and refused, since the beginning.',
  readOnly: true,
  input: Type.Object({}),
  output: Type.Object({
    received: Type.Integer(),
    accepted: Type.Integer(),
    duplicates: Type.Integer(),
    rejected: Type.Integer(),
    fallback: Type.Integer({ description: 'Calls that used a fallback factor.' }),
    queued: Type.Integer(),
  }),
  run: async (service) => {
    service.gateway.green.requireEnabled();
    return service.gateway.intake.counts();
  },
});
