import type { WriteScope } from '../../backends/store/scope.js';
import type { EditInput } from '../../core/edits/edit-input.js';
import { domainNotFound, SvcError } from '../../core/errors.js';
import type { JsonObject } from '../../core/model.js';
import {
  type EditBody,
  type EditFilter,
  type EditRecord,
  type EditState,
  isMessageRemoval,
} from '../../ledger/edits/edit-types.js';
import type { EditEffects } from '../../ledger/edits/edit-writer.js';
import type { GraphEdits } from '../../ledger/edits/edits.js';
import type { LoadPorts } from '../write/ports.js';
import { hideMessages, resolveRemoval, showMessages } from './hidden-messages.js';
import { resolveEdit } from './resolve-edit.js';
import { type Written, writeEffects } from './write-effects.js';

/** An edit as it is listed. */
export interface ListedEdit {
  readonly edit_id: string;
  readonly domain: string;
  readonly type: EditBody['type'];
  readonly state: EditState;
  /** What was requested, with ids in place of names. */
  readonly change: JsonObject;
  /** What was visible before. */
  readonly before: JsonObject;
  /** ISO 8601. */
  readonly created_at: string;
  readonly undone_at: string | null;
  readonly warnings?: string[];
}

/** Changes by hand: each is an assertion of the source `edits`, outranks what was extracted, and can be undone. */
export class Edits {
  constructor(private readonly ports: LoadPorts) {}

  /** Makes one edit. Errors name the member that is wrong. */
  async make(input: EditInput): Promise<ListedEdit> {
    const { graph } = this.ports;
    const { domain } = input;
    await this.checkDomain(domain);
    if (input.type === 'remove_message' || input.type === 'remove_session') {
      const removal = await resolveRemoval(graph, input);
      const before = { session_id: removal.session_id };
      return this.written(domain, async (scope) => {
        const { edit } = await this.log.make(domain, { body: removal, before }, scope);
        return { value: edit, effects: await hideMessages(graph, { domain, removal }, scope), passages: [] };
      });
    }
    const request = await resolveEdit(graph, input);
    return this.written(domain, async (scope) => alone(await this.log.make(domain, request, scope)));
  }

  /** Undoes an edit: the graph is as if it had never been made. One that was undone before is answered as it is, and in a dry run any. */
  async undo(editId: string, { dryRun = false }: { readonly dryRun?: boolean | undefined } = {}): Promise<ListedEdit> {
    const edit = await this.log.find(editId);
    if (edit === undefined) {
      throw new SvcError('not_found', `Edit ${editId} does not exist; list the edits to see which there are.`, {
        member: 'edit_id',
      });
    }
    if (dryRun || edit.undone_at !== null) return (await this.listed([edit]))[0]!;
    const { domain, body } = edit;
    const restored = isMessageRemoval(body) ? [body.source_id] : [];
    const work = async (scope: WriteScope): Promise<Written<EditRecord>> => {
      const done = await this.log.undo(editId, scope);
      if (done === null)
        throw new SvcError('conflict', `Edit ${editId} was undone by another call.`, { member: 'edit_id' });
      if (!isMessageRemoval(body)) return alone(done);
      const shown = await showMessages(this.ports.graph, { domain, removal: body }, scope);
      return { value: done.edit, ...shown };
    };
    return this.written(domain, work, restored);
  }

  /** Lists edits, the newest first. */
  async list(filter: EditFilter): Promise<{ readonly edits: ListedEdit[]; readonly total: number }> {
    if (filter.domain !== undefined) await this.checkDomain(filter.domain);
    const { edits, total } = await this.log.list(filter);
    return { edits: await this.listed(edits), total };
  }

  private get log(): GraphEdits {
    const { edits } = this.ports.graph;
    if (edits === null) throw new SvcError('disabled', 'This graph keeps no log of edits.');
    return edits;
  }

  private async listed(edits: readonly EditRecord[]): Promise<ListedEdit[]> {
    const states = await this.log.states(edits);
    return edits.map(({ edit_id, domain, body, before, created_at, undone_at }) => {
      const { type, ...change } = JSON.parse(JSON.stringify(body)) as { type: EditBody['type'] } & JsonObject;
      return { edit_id, domain, type, state: states.get(edit_id)!, change, before, created_at, undone_at };
    });
  }

  private async checkDomain(domain: string): Promise<void> {
    if ((await this.ports.graph.getDomain(domain)) !== null) return;
    throw domainNotFound(domain, { member: 'domain' });
  }

  private async written(
    domain: string,
    work: (scope: WriteScope) => Promise<Written<EditRecord>>,
    sources: readonly string[] = [],
  ): Promise<ListedEdit> {
    const { value, warnings } = await writeEffects(this.ports, { domain, sources }, work);
    const [listed] = await this.listed([value]);
    return { ...listed!, ...(warnings.length > 0 ? { warnings: [...warnings] } : {}) };
  }
}

function alone({ edit, effects }: EditEffects): Written<EditRecord> {
  return { value: edit, effects, passages: [] };
}
