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
    const sentence = 'It is of no type; see source_type and source_id.';
    expect(asIngested(sentence)).toBe('It is of no type; see --type and source_id.');
    expect(asTyped(sentence, 'source_path', ingest)).toBe(asIngested(sentence));
  });

  it.each([
    ['source_path names no file; check the path.', 'The file is not there; check the path.'],
    ['source_path is a link; see source_type.', 'The file is a link; see --type.'],
    ['The file is empty.', 'The file is empty.'],
  ])('are the file where its path stands beside the error: %s', (sentence, shown) => {
    expect(asIngested(sentence)).toBe(shown);
  });
});
