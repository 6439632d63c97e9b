import {
  type CallOptions,
  Neo4jConnection,
  type Neo4jTransaction,
  type Params,
  type Row,
} from '../../src/backends/neo4j-connection.js';
import { SvcError } from '../../src/core/errors.js';
import { neo4jOptions } from './neo4j.js';

type Work<T> = (tx: Neo4jTransaction) => Promise<T>;

/** Loses the answer to every first commit, and does the transaction again, as the driver does. */
export class LosesAnswers extends Neo4jConnection {
  constructor() {
    super(neo4jOptions());
  }

  override async write<T>(work: Work<T>, options?: CallOptions): Promise<T> {
    await super.write(work, options);
    return super.write(work, options);
  }
}

/** Does not reach the server any more after so many writing transactions. */
export class BreaksOff extends Neo4jConnection {
  constructor(private left: number) {
    super(neo4jOptions());
  }

  override write<T>(work: Work<T>, options?: CallOptions): Promise<T> {
    this.left -= 1;
    if (this.left < 0) throw new SvcError('unavailable', 'The server does not answer.');
    return super.write(work, options);
  }
}

/** Lets something happen once, right after the first reading statement that fits. */
export class WhileReading extends Neo4jConnection {
  private happened = false;

  constructor(
    private readonly fits: RegExp,
    private readonly happens: () => Promise<unknown>,
  ) {
    super(neo4jOptions());
  }

  override async read<T extends Row = Row>(cypher: string, params?: Params, options?: CallOptions): Promise<T[]> {
    const rows = await super.read<T>(cypher, params, options);
    if (!this.happened && this.fits.test(cypher)) {
      this.happened = true;
      await this.happens();
    }
    return rows;
  }
}
