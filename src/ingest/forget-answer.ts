/** Returns what a call that forgot something answers. */
export function forgotten<Counts extends { readonly removed: number }>(result: Counts) {
  return { status: 'forgotten' as const, ...result };
}

/** Returns what a dry run answers. Nodes are counted of a whole domain alone: which of them others share is not worked out, and no count is said. */
export function planned<Counts extends object>(result: Counts) {
  return { status: 'dry_run' as const, ...result };
}
