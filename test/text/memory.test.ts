import { MemoryTextIndex } from '../../src/backends/text/memory.js';
import { textContract } from '../contracts/text.contract.js';

textContract({ name: 'memory', open: async () => new MemoryTextIndex() });
