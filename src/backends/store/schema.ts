import type { Kysely } from 'kysely';
import type { ConceptIndexTables } from './schema/concept-index.js';
import type { EmbeddingTables } from './schema/embedding.js';
import type { GatewayTables } from './schema/gateway.js';
import type { EditTables } from './schema/graph/edits.js';
import type { EntityMergeTables } from './schema/graph/entity-merges.js';
import type { GraphTables } from './schema/graph.js';
import type { InteroceptionTables } from './schema/interoception.js';
import type { JobTables } from './schema/jobs.js';
import type { LearningTables } from './schema/learning.js';
import type { ModelAnswerTables } from './schema/model-answers.js';
import type { OperationsTables } from './schema/operations.js';
import type { PendingLoadTables, RefusalTables } from './schema/pending-loads.js';
import type { QuerylogTables } from './schema/querylog.js';
import type { SourcesTables } from './schema/sources.js';
import type { TextTables } from './schema/text.js';
import type { VectorTables } from './schema/vector.js';

/** Every table of the store; one file per group beside this one. JSON is kept as text, bytes as blobs. */
export type Database = GraphTables &
  TextTables &
  VectorTables &
  EmbeddingTables &
  LearningTables &
  InteroceptionTables &
  QuerylogTables &
  OperationsTables &
  SourcesTables &
  ConceptIndexTables &
  GatewayTables &
  ModelAnswerTables &
  EntityMergeTables &
  EditTables &
  PendingLoadTables &
  JobTables &
  RefusalTables;

/** What runs statements on these tables: the store for reading, or a transaction. */
export type Db = Kysely<Database>;
