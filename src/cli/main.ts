#!/usr/bin/env node
import { run } from './run.js';

// Where nobody reads on, as behind `| head -1`, the rest of the output is dropped: the command does its work.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

process.exitCode = await run(process.argv);
