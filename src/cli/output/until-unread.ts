/**
 * Resolves when a line could not be written since nobody reads standard output any more, as behind `| head -1`: for what
 * prints for as long as it runs. A pipe tells it with the first line that is written after its reader has ended.
 */
export function untilUnread(): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') resolve();
    });
  });
}
