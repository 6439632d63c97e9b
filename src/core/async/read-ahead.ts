/**
 * Yields the same items; the next one is read while the caller is busy with the last. When the caller stops early, what
 * is on its way is awaited, so nothing runs on after it.
 */
export async function* readAhead<T>(items: AsyncGenerator<T>): AsyncGenerator<T> {
  const advance = (): Promise<IteratorResult<T>> => {
    const next = items.next();
    // A failure is thrown when the item is taken, which may be never.
    next.catch(() => {});
    return next;
  };
  let next = advance();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done === true) return;
      next = advance();
      yield value;
    }
  } finally {
    await next.catch(() => {});
    await items.return(undefined);
  }
}
