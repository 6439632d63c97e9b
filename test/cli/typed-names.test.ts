import { describe, expect, it } from '@jest/globals';
import { Command } from 'commander';
import { asIngested, asTyped } from '../../src/cli/typed-names.js';

const ingest = new Command('ingest').argument('<paths...>').option('--type <type>').option('--domain <name>');

describe('members of operations in errors', () => {
  it('are named as the command has them, and stay where it has none of them', () => {
    expect(asTyped('source_type must be one of text.', 'source_type', ingest)).toBe('--type must be one of text.');
    expect(asTyped('source_path is a directory.', 'source_path', ingest)).toBe('<paths> is a directory.');
    expect(asTyped('source_id names no source.', 'source_id', ingest)).toBe('source_id names no source.');
    expect(asTyped('The file is empty.', '', ingest)).toBe('The file is empty.');
  });

  it('are named alike by every command that shows the error of a file of a job', () => {
    const sentence = 'source_path names no file; see source_type and source_id.';
    expect(asIngested(sentence)).toBe('<paths> names no file; see --type and source_id.');
    expect(asTyped(sentence, 'source_path', ingest)).toBe(asIngested(sentence));
  });
});
