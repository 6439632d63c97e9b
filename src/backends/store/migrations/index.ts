import type { Migration } from '../engine/migration.js';
import { graphTables } from './001-graph.js';
import { textTables } from './002-text.js';
import { vector } from './003-vector.js';
import { learningTables } from './004-learning.js';
import { embeddingTables } from './005-embedding.js';
import { queryLogTables } from './006-querylog.js';
import { sentencesTables } from './007-sentences.js';
import { operationsTables } from './008-operations.js';
import { sourcesTables } from './009-sources.js';
import { graphCopies } from './010-graph-copies.js';
import { conceptIndexTables } from './011-concept-index.js';
import { ratedTexts } from './012-rated-texts.js';
import { ledgerTables } from './013-ledger.js';
import { gatewayTables } from './014-gateway.js';
import { modelTables } from './015-models.js';

/** In order; a name that was released keeps its place and its content. */
export const migrations: readonly Migration[] = [
  graphTables,
  textTables,
  vector,
  learningTables,
  embeddingTables,
  queryLogTables,
  sentencesTables,
  operationsTables,
  sourcesTables,
  graphCopies,
  conceptIndexTables,
  ratedTexts,
  ledgerTables,
  gatewayTables,
  modelTables,
];
