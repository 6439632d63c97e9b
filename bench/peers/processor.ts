import { existsSync, readFileSync } from 'node:fs';

/** The kernel counts in hundredths of a second (`USER_HZ`) on every architecture that Node runs on. */
const TICKS_A_SECOND = 100;

/** Processor seconds of a process since its start, all threads; undefined where there is no `/proc`. */
export function processorSeconds(pid: number): number | undefined {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return undefined;
  // The name of the program, in brackets, may hold blanks: fields 14 and 15 are counted after it.
  const fields = readFileSync(file, 'utf8').split(') ').at(-1)!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}
