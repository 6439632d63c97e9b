import { operations as op } from '../../operations/index.js';
import type { RouteRow } from './row.js';

/** The nine vector operations over HTTP, beyond the specification: the same members as the tools. */
export const vectorRows: readonly RouteRow[] = [
  { method: 'GET', path: '/v1/vectors', operation: op.vector_list_indexes },
  { method: 'POST', path: '/v1/vectors', operation: op.vector_create_index },
  { method: 'GET', path: '/v1/vectors/{index_name}', operation: op.vector_describe_index },
  { method: 'DELETE', path: '/v1/vectors/{index_name}', operation: op.vector_delete_index },
  { method: 'POST', path: '/v1/vectors/{index_name}/upsert', operation: op.vector_upsert },
  { method: 'POST', path: '/v1/vectors/{index_name}/query', operation: op.vector_query },
  { method: 'POST', path: '/v1/vectors/{index_name}/update', operation: op.vector_update },
  { method: 'POST', path: '/v1/vectors/{index_name}/delete', operation: op.vector_delete },
  { method: 'POST', path: '/v1/vectors/{index_name}/delete-many', operation: op.vector_delete_many },
];
