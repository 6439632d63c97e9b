import { Type } from '@sinclair/typebox';
import { operation } from '../operation.js';

export const gatewayMetricsText = operation({
  name: 'gateway_metrics',
  summary: 'Emissions by provider and model, and the arms with the most pulls, in the text format of Prometheus.',
  readOnly: true,
  input: Type.Object({}),
  output: Type.Object({ text: Type.String() }),
  run: async ({ gateway }) => ({ text: await gateway.metrics() }),
});
