/**
 * Returns the processor time that this process spends on work, in ms. Other processes lengthen it little, so that a bound
 * some ten times above the usual figure tells a pattern of the wrong order from a busy machine.
 */
export async function processorTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
