import { Type } from '@sinclair/typebox';
import { operation } from '../operation.js';
import { serviceFigures } from './service-figures.js';

export const gatewayMetricsText = operation({
  name: 'gateway_metrics',
  summary:
    'Emissions by provider and model, arms, queues, engines, graph and learners in the text format of Prometheus.',
  readOnly: true,
  input: Type.Object({}),
  output: Type.Object({ text: Type.String() }),
  run: async (service) => {
    const [gateway, figures] = await Promise.all([service.gateway.metrics(), serviceFigures(service)]);
    return { text: `${gateway}${figures}` };
  },
});
