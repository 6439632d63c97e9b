import type { GraphNode } from '../../core/model.js';
import { wordsOf } from '../../core/text/words.js';
import { type ItemTexts, type Shares, TermShares } from '../expand/item-words.js';
import { exactTerms } from '../seed/exact-terms.js';
import type { Question } from '../seed/question.js';

/** Tells which words of a question turns hold; who said a turn counts as one of its names. */
export class HeldTerms {
  private readonly shares: TermShares;
  private readonly turns = new Map<string, Pick<Shares, 'open' | 'names'>>();
  private readonly speakers = new Map<string, number>();

  constructor(
    private readonly question: Question,
    private readonly texts: ItemTexts,
  ) {
    const { terms, open } = question;
    this.shares = new TermShares(terms, open.size === 0 ? terms : open, exactTerms(question));
  }

  /** Returns the idf share of names and numbers that some turns together lack, and of the other words what one of them holds at most. */
  by(turns: readonly GraphNode[]): { readonly unheld: number; readonly open: number } {
    const found = turns.map((node) => this.of(node));
    return {
      unheld: this.shares.without(found.reduce((bits, { names }) => bits | names, 0)),
      open: found.reduce((most, { open }) => Math.max(most, open), 0),
    };
  }

  private of(node: GraphNode): Pick<Shares, 'open' | 'names'> {
    let found = this.turns.get(node.id);
    if (found === undefined) {
      const { open, names } = this.shares.of(this.texts.of(node));
      found = { open, names: names | this.namesOf(node.passage?.message?.speaker ?? '') };
      this.turns.set(node.id, found);
    }
    return found;
  }

  private namesOf(speaker: string): number {
    let names = this.speakers.get(speaker);
    if (names === undefined) {
      names = this.shares.of({ title: wordsOf(speaker, this.question.language), sentences: [] }).names;
      this.speakers.set(speaker, names);
    }
    return names;
  }
}
