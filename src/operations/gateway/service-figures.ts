import type { Service } from '../../service.js';

const MOST_JOBS = 1000;

interface Figure {
  readonly name: string;
  readonly help: string;
  /** Label → value; the empty text without a label. */
  readonly values: ReadonlyArray<readonly [labels: string, value: number]>;
}

/**
 * Returns queue depths, lag of the engines, size of the graph and activity of the learners in the text format of
 * Prometheus. A part that does not answer is left out. No name of a domain, learner or document stands in a label.
 */
export async function serviceFigures(service: Service): Promise<string> {
  const parts = await Promise.all(
    [queueFigures, engineFigures, graphFigures, learnerFigures].map((figures) =>
      figures(service).catch((): Figure[] => []),
    ),
  );
  return parts
    .flat()
    .flatMap(({ name, help, values }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} gauge`,
      ...values.map(([labels, value]) => `${name}${labels === '' ? '' : `{${labels}}`} ${value}`),
    ])
    .map((line) => `${line}\n`)
    .join('');
}

async function queueFigures({ gateway, jobs }: Service): Promise<Figure[]> {
  const depth = async (state: 'queued' | 'running') => (await jobs.list({ state, limit: MOST_JOBS })).jobs.length;
  const [{ queued }, waiting, running] = await Promise.all([
    gateway.intake.counts(),
    depth('queued'),
    depth('running'),
  ]);
  return [
    {
      name: 'svc_queue_depth',
      help: 'Work that waits: records of telemetry, jobs (1,000 at most are counted).',
      values: [
        ['queue="intake"', queued],
        ['queue="jobs"', waiting],
      ],
    },
    { name: 'svc_jobs_running', help: 'Jobs that run.', values: [['', running]] },
  ];
}

async function engineFigures({ followers }: Service): Promise<Figure[]> {
  const engines = await followers.status();
  const known = engines.filter(({ behind }) => behind !== null);
  return [
    {
      name: 'svc_engine_lag',
      help: 'Changes of the ledger that an engine has not applied yet.',
      values: known.map(({ engine, behind }) => [`engine="${engine}"`, behind!] as const),
    },
    {
      name: 'svc_engine_degraded',
      help: '1 where the last step of an engine failed.',
      values: engines.map(({ engine, state }) => [`engine="${engine}"`, state === 'degraded' ? 1 : 0] as const),
    },
  ];
}

async function graphFigures({ graph }: Service): Promise<Figure[]> {
  const { domains, concepts, passages, edges, rules } = await graph.statistics();
  const values = Object.entries({ domains, concepts, passages, edges, rules });
  return [
    {
      name: 'svc_graph_size',
      help: 'Records of the graph by kind.',
      values: values.map(([kind, count]) => [`kind="${kind}"`, count] as const),
    },
  ];
}

async function learnerFigures({ learning }: Service): Promise<Figure[]> {
  const { learners, total_observations, learner_breakdown } = await learning.summary();
  const selections = Object.values(learner_breakdown).reduce((sum, one) => sum + one.selections, 0);
  return [
    { name: 'svc_learners', help: 'Learners.', values: [['', learners]] },
    { name: 'svc_learner_observations', help: 'Observations of all learners.', values: [['', total_observations]] },
    { name: 'svc_learner_selections', help: 'Selections of all learners.', values: [['', selections]] },
  ];
}
