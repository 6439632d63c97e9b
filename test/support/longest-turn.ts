/** Returns the processor time of the longest turn of the event loop during some work, as a part of that of all of it. */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  const spent = () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  };
  const start = spent();
  let last = start;
  let longest = 0;
  let isOver = false;
  const turn = (): void => {
    const now = spent();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  longest = Math.max(longest, spent() - last);
  return longest / (spent() - start);
}
