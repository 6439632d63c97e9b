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
    // While the store is away the figures of the process still count most: a part that does not answer is left out.
    const emissions = service.gateway.metrics().catch(() => '');
    const [gateway, figures] = await Promise.all([emissions, serviceFigures(service)]);
    return { text: `${gateway}${figures}` };
  },
});
