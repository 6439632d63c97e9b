import type { Green } from './green/green.js';
import type { GatewayLearning } from './learning/gateway-learning.js';
import type { Intake } from './telemetry-intake/intake.js';
import type { IntakeReader } from './telemetry-intake/intake-reader.js';

/** The gateway's modules: what its operations call. */
export interface Gateway {
  readonly learning: GatewayLearning;
  readonly green: Green;
  readonly intake: Intake;
  readonly reader: IntakeReader;
  /** Reads the package's files for it now, so that no request waits for them. Throws `invalid_input` for one that is wrong. */
  readonly prepare: () => void;
  /** Returns the gateway's figures in the text format of Prometheus. */
  readonly metrics: () => Promise<string>;
}
