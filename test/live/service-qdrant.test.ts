import { describe } from '@jest/globals';
import { vectorBadInputSuite } from '../service/vector-bad-input.suite.js';
import { describeLive, liveUrl } from '../vector/live-engine.js';
import { ownCollections } from './empty-qdrant.js';

describeLive('the service on Qdrant', liveUrl('QDRANT_URL', 'Qdrant'), (url) => {
  describe('the service on Qdrant', () => {
    vectorBadInputSuite('Qdrant', { SVC_VEC: 'qdrant', ...ownCollections(url) });
  });
});
