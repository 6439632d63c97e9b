import { join } from 'node:path';
import { httpLearner } from '../../backends/remote-learner/http.js';
import type { Store } from '../../backends/store/scope.js';
import type { Config } from '../../config.js';
import type { Clock } from '../../core/clock.js';
import { SvcError } from '../../core/errors.js';
import { packageRoot } from '../../core/package-root.js';
import { systemRandom } from '../../core/random.js';
import type { Gateway } from '../../gateway/gateway.js';
import { Green } from '../../gateway/green/green.js';
import { localLearner } from '../../gateway/learning/gateway-learner.js';
import { GatewayLearning } from '../../gateway/learning/gateway-learning.js';
import { GATEWAY_LEARNER } from '../../gateway/learning/learning-settings.js';
import { remoteLearner } from '../../gateway/learning/remote-learner.js';
import { RunRecorder } from '../../gateway/learning/run-recorder.js';
import { gatewayMetrics } from '../../gateway/metrics.js';
import { Intake } from '../../gateway/telemetry-intake/intake.js';
import { IntakeReader } from '../../gateway/telemetry-intake/intake-reader.js';
import { describeError, type Logger } from '../../telemetry/logger.js';
import { gatewayFiles } from './gateway-files.js';
import { ownCalls } from './own-calls.js';

export interface ComposedGateway extends Gateway {
  /** Deletes expired runs and keys of the intake; a periodic job calls it. */
  prune(): Promise<unknown>;
}

/** Builds the gateway's modules over the service's store. */
export function composeGateway(parts: {
  readonly store: Store;
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Logger;
}): ComposedGateway {
  const { store, config, clock, log } = parts;
  const { url, key } = config.gateway_learning;
  if ((config.learners[GATEWAY_LEARNER]?.state_dir ?? '') !== '') {
    throw new SvcError('invalid_input', 'learners.gateway.state_dir must stay empty: runs teach in one transaction.');
  }
  const green = new Green(store, {
    clock,
    settings: config.green,
    files: gatewayFiles,
    warn: (message) => log.warn(message),
  });
  const learner =
    url === null
      ? localLearner(store)
      : remoteLearner(store, httpLearner({ url, key: key ?? undefined, learner: GATEWAY_LEARNER }), (message) =>
          log.warn(message),
        );
  const learning = new GatewayLearning(store, learner, {
    clock,
    random: systemRandom(),
    settings: config.gateway_learning,
  });
  const runs = new RunRecorder({ enabled: config.gateway_learning.enabled, remote: learner.remote });
  const intake = new Intake(store, { green, runs }, { clock });
  ownCalls(store).attach(intake);
  return {
    green,
    learning,
    intake,
    reader: new IntakeReader({
      clock,
      files: gatewayFiles,
      otlpFile: join(packageRoot(), 'schemas', 'otlp', 'otlp.json'),
      limit: 2 * config.http.max_body_bytes,
    }),
    metrics: async () => {
      // A learner elsewhere that does not answer takes its arms with it, not the figures of the model calls.
      const arms = learning.posteriors().catch((error: unknown) => {
        log.warn({ err: describeError(error) }, 'the metrics leave the arms out');
        return [];
      });
      return gatewayMetrics(await green.modelTotals(), await arms);
    },
    prepare: () => gatewayFiles.readAll(),
    prune: () => {
      const days = config.learning.retention_days;
      return Promise.all([learning.prune(days), intake.prune(days)]);
    },
  };
}
