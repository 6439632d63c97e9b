/** Returns the HTTP status that Qdrant answered with; undefined where it did not answer. */
export function statusOf(error: unknown): number | undefined {
  const status = (error as { status?: unknown }).status;
  return typeof status === 'number' ? status : undefined;
}
