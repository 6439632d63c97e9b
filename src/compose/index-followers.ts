import { LentVectors } from '../ingest/follow/lent-vectors.js';
import { VectorFollower } from '../ingest/follow/vector-follower.js';
import type { LoadPorts } from '../ingest/write/ports.js';
import type { Followers } from '../ledger/followers/followers.js';

/** Returns the ports of ingest, with the indexes outside the store among the engines that follow the ledger. */
export function followedPorts(given: Omit<LoadPorts, 'followers' | 'lent'>, followers: Followers): LoadPorts {
  const { text, vectors } = given;
  const lent = new LentVectors();
  const ports: LoadPorts = { ...given, followers, ...(vectors.joinsStore ? {} : { lent }) };
  if (text.follower != null) followers.add(text.follower);
  if (!vectors.joinsStore) followers.add(new VectorFollower(ports, lent));
  return ports;
}
