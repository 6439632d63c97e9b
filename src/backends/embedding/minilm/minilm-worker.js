// Runs the ONNX session in a thread of its own, since a run blocks its thread. Plain JavaScript, so that the same file
// starts from the source tree and from the build. Protocol: `minilm-thread.ts`.
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

const { modelFile, dimension, gate } = workerData;
// Places in `gate`. A thread that is ended inside the runtime takes the whole process down with an abort, so the process
// sets STOP when it exits and waits while INSIDE is set.
const STOP = 0;
const INSIDE = 1;
const urgent = [];
const bulk = [];
let session;
let runtime;
let busy = false;

/**
 * Returns the vector of the whole text, then the mean of the last hidden states of each token range, all at unit
 * length.
 */
async function encode({ ids, ranges }) {
  const length = ids.length;
  const input = new BigInt64Array(length);
  for (let i = 0; i < length; i += 1) input[i] = BigInt(ids[i]);
  const shape = [1, length];
  const wanted = ranges.length > 0 ? ['sentence_embedding', 'last_hidden_state'] : ['sentence_embedding'];
  const output = await session.run(
    {
      input_ids: new runtime.Tensor('int64', input, shape),
      attention_mask: new runtime.Tensor('int64', new BigInt64Array(length).fill(1n), shape),
    },
    wanted,
  );
  const vectors = new Float32Array(dimension * (1 + ranges.length / 2));
  vectors.set(output.sentence_embedding.data);
  toUnitLength(vectors, 0);
  for (let r = 0; r < ranges.length; r += 2) {
    const at = dimension * (1 + r / 2);
    const states = output.last_hidden_state.data;
    for (let token = ranges[r]; token < ranges[r + 1]; token += 1) {
      for (let d = 0; d < dimension; d += 1) vectors[at + d] += states[token * dimension + d];
    }
    toUnitLength(vectors, at);
  }
  return vectors;
}

function toUnitLength(vectors, at) {
  let squares = 0;
  for (let d = at; d < at + dimension; d += 1) squares += vectors[d] * vectors[d];
  const factor = 1 / Math.sqrt(squares);
  for (let d = at; d < at + dimension; d += 1) vectors[d] *= factor;
}

/** Calls the runtime, unless the process is about to exit. */
async function inside(call) {
  Atomics.store(gate, INSIDE, 1);
  try {
    if (Atomics.load(gate, STOP) === 1) throw new Error('the process is about to exit');
    return await call();
  } finally {
    Atomics.store(gate, INSIDE, 0);
    Atomics.notify(gate, INSIDE);
  }
}

/** Encodes one text at a time; between two runs messages arrive, and urgent texts go first. */
async function work() {
  if (busy) return;
  busy = true;
  for (;;) {
    const job = urgent.shift() ?? bulk.shift();
    if (job === undefined) break;
    try {
      const vectors = await inside(() => encode(job));
      parentPort.postMessage({ id: job.id, vectors }, [vectors.buffer]);
    } catch (error) {
      parentPort.postMessage({ id: job.id, error: String(error?.message ?? error) });
    }
  }
  busy = false;
}

parentPort.on('message', (message) => {
  if (message === 'close') {
    urgent.length = 0;
    bulk.length = 0;
    parentPort.close();
    return;
  }
  for (const job of message) (job.urgent ? urgent : bulk).push(job);
  void work();
});

try {
  await inside(async () => {
    runtime = createRequire(import.meta.url)('onnxruntime-node');
    session = await runtime.InferenceSession.create(modelFile, {
      executionProviders: ['cpu'],
      // Threads of the runtime on one text cost more than they gain; several workers share the texts instead.
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
    });
  });
  parentPort.postMessage({ ready: true });
} catch (error) {
  parentPort.postMessage({ failed: String(error?.message ?? error) });
  parentPort.close();
}
