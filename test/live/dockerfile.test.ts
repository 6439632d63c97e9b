import { spawnSync } from 'node:child_process';
import { expect, it } from '@jest/globals';

it('the steps of the Dockerfile run in order in an empty folder, and what they make serves', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/dockerfile-steps.js'], { encoding: 'utf8' });
  expect([status, status === 0 ? '' : `${stdout.slice(-2000)}\n${stderr.slice(-2000)}`]).toEqual([0, '']);
  expect(stdout).toContain('answers its health check and stops');
}, 1_200_000);
