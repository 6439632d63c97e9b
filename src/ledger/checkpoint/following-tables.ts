/**
 * Tables of the store that say what the graph holds: turns of sessions, how far rows of connected databases were read.
 * A checkpoint keeps them with the graph, so that a message or a row that a restore took away is loaded again.
 */
export const FOLLOWING = {
  session_message: {
    by: ['source_id', 'identity'],
    columns: { source_id: 'text', identity: 'text', turn: 'int' },
  },
  source_sync: {
    by: ['source_id', 'table_name'],
    columns: {
      source_id: 'text',
      table_name: 'text',
      run: 'int',
      mode: 'text',
      domain: 'text',
      signature: 'text',
      position: 'text',
      rows_done: 'int',
      finished: 'int',
      high_water: 'text',
    },
  },
  source_row: {
    by: ['source_id', 'table_name', 'row_key'],
    columns: { source_id: 'text', table_name: 'text', row_key: 'text', hash: 'text', run: 'int' },
  },
} as const;
