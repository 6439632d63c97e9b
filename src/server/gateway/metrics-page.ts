import { operations as op } from '../../operations/index.js';
import { invoke } from '../../operations/invoke.js';
import type { Service } from '../../service.js';
import { registry } from '../../telemetry/metrics.js';
import type { Page } from '../route.js';

/** Makes the page that Prometheus reads. */
export function metricsPage(service: Service): Page {
  return {
    method: 'GET',
    path: '/metrics',
    handle: async (ctx) => {
      const { authenticated } = ctx.state.caller;
      const { text } = (await invoke(service, op.gateway_metrics, {}, { surface: 'http', authenticated })) as {
        text: string;
      };
      ctx.set('Cache-Control', 'no-store');
      ctx.type = 'text/plain; version=0.0.4; charset=utf-8';
      ctx.body = `${text}${await registry.metrics()}`;
    },
  };
}
