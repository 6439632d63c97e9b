import { editsSuite } from '../edits/edits.suite.js';
import { describeLive, liveUrl } from '../vector/live-engine.js';
import { emptyQdrant } from './empty-qdrant.js';

describeLive('edits on Qdrant', liveUrl('QDRANT_URL', 'Qdrant'), (url) => {
  editsSuite('Qdrant', () => emptyQdrant(url));
});
