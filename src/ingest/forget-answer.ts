/** Returns what a call that forgot something answers. */
export function forgotten<Counts extends { readonly removed: number }>(result: Counts) {
  return { status: 'forgotten' as const, ...result };
}

/** Returns what a dry run answers: it removes no node. */
export function planned<Counts extends object>(result: Counts) {
  return { status: 'dry_run' as const, ...result, removed: 0 };
}
