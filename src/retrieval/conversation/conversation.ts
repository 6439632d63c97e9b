import type { GraphNode } from '../../core/model.js';
import { changesAmong } from '../change/changes.js';
import type { RetrievalParts } from '../collaborators.js';
import { asksTime, dateMatch, dayOf, isWithin, temporalExpressions } from '../dates/dates.js';
import type { ItemTexts } from '../expand/item-words.js';
import { logOdds, withMean } from '../score/answer-mean.js';
import { modelRanker } from '../score/ranker.js';
import type { Question } from '../seed/question.js';
import { dateEmphasis, type Gathered, gather } from './gather.js';
import { Leads } from './leads.js';
import { MESSAGE_FEATURES, type MessageItem } from './message-features.js';
import { Probe } from './probe.js';
import { asksQuantity, holdsQuantity } from './quantities.js';
import { repliesAmong } from './replies.js';
import { Sessions } from './sessions.js';

/**
 * Gathers the turns that may answer a question, with what each is scored by: a turn alone says little, so its neighbours,
 * its session, its speaker and its day count too. `messages`: turns that the first search found; none gives none.
 */
export async function conversationItems(
  parts: RetrievalParts,
  messages: readonly GraphNode[],
  scope: { readonly question: Question; readonly domains: readonly string[] | undefined; readonly texts: ItemTexts },
): Promise<MessageItem[]> {
  if (messages.length === 0) return [];
  const gathered = await gather(parts, messages, scope);
  return score(parts, gathered, { original: scope.question, texts: scope.texts });
}

async function score(
  parts: RetrievalParts,
  { question, turns, known, chosen, range, meant }: Gathered,
  { original, texts }: { readonly original: Question; readonly texts: ItemTexts },
): Promise<MessageItem[]> {
  const { vector } = question;
  const wanted = new Set(chosen.flatMap((node) => turns.around(node, -2, 1).map((turn) => turn.id)));
  const [vectors, sentences] = await Promise.all([
    vector === null ? new Map<string, Float32Array>() : parts.vectors.fetch(parts.indexName, [...wanted]),
    vector === null ? new Map<string, Uint8Array>() : parts.sentences(chosen.map((node) => node.id)),
  ]);
  const material = { chosen, turns, texts, vectors, sentences };
  const whole = new Probe(question, material);
  const clauses = question.clauses.map((clause) => new Probe(clause, material));
  /** How much better than the whole question (`reached`) its best part matches; 0 where it has no parts. */
  const gain = (reached: number, value: (probe: Probe) => number): number =>
    clauses.reduce((most, probe) => Math.max(most, value(probe) - reached), 0);
  const sessions = new Sessions(known.values());
  const session = sessions.scores(question.terms, texts);
  const involved = sessions.involved(question.named);
  const wantsTime = asksTime(original.text, original.language);
  const wantsQuantity = !wantsTime && asksQuantity(original.text, original.language);
  const emphasis = dateEmphasis(question);
  const leads = new Leads(chosen, { turns, texts, sentence: (node) => whole.sentence(node) });
  const items = chosen.map((node, i) => {
    const message = node.passage!.message!;
    const words = texts.of(node);
    const length = words.sentences.reduce((sum, sentence) => sum + sentence.length, 0);
    const sentence = leads.sentence(node);
    const questions = shareOfQuestions(node);
    const windowShare = whole.windowShare(i);
    const day = dayOf(message.timestamp);
    const fit = dateMatch(range, day);
    return {
      node,
      cosine: vector === null ? 0 : whole.around(node, 0, 0),
      sentence,
      around: whole.around(node, -1, 1),
      before: whole.around(node, -2, 0),
      window: whole.window(i),
      windowShare,
      session: session(node),
      speaker: question.named.size === 0 || question.named.has(message.speaker ?? '') ? 1 : 0,
      date: emphasis * fit,
      days: range !== undefined && isWithin(range, day) ? range : undefined,
      meant,
      time: wantsTime ? Math.min(1, 0.7 * temporalExpressions(node.description, original.language)) : 0,
      quantity: wantsQuantity && holdsQuantity(node.description, original.language) ? 1 : 0,
      lead: (1 - questions) * leads.lead(node),
      length: Math.min(1, Math.log1p(length) / 4),
      questions,
      text: whole.text(node),
      involved: involved(node),
      clause: gain(sentence, (probe) => probe.sentence(node)),
      clauseShare: gain(windowShare, (probe) => probe.windowShare(i)),
    };
  });
  const most = (value: (item: (typeof items)[number]) => number): number =>
    items.reduce((best, item) => Math.max(best, value(item)), 0);
  const answer = { sentence: most((item) => item.sentence), share: most((item) => item.windowShare), mean: 0 };
  const file = modelRanker(parts.ranker, parts.embedding?.name ?? null).message;
  const scored = withMean(
    items.map((item) => ({ ...item, answer })),
    { features: MESSAGE_FEATURES, weights: file.weights },
  );
  const rankers = await parts.adjustments.rankers();
  const order = (item: MessageItem): number =>
    logOdds(item, MESSAGE_FEATURES, rankers.get(item.node.domain)?.message ?? file);
  const likeness = (node: GraphNode, from: number): number => whole.behind(node, from);
  const replies = repliesAmong(scored, { question: original.text, turns, order, likeness });
  const withReplies = scored.map((item) => ({ ...item, reply: replies.get(item.node.id) }));
  if (range !== undefined) return withReplies;
  const changes = await changesAmong(
    withReplies.map((item) => ({ node: item.node, order: order(item) + (item.reply?.gain ?? 0) })),
    { question: { ...original, named: question.named }, vectors, texts },
  );
  return withReplies.map((item) => ({ ...item, change: changes.get(item.node.id) }));
}

/** Returns the share of a turn's sentences that end with a question mark. */
function shareOfQuestions(node: GraphNode): number {
  const spans = node.passage?.sentences ?? [];
  if (spans.length === 0) return /[?？]\s*$/u.test(node.description) ? 1 : 0;
  const questions = spans.filter(([start, end]) => /[?？]["'”’)]*\s*$/u.test(node.description.slice(start, end)));
  return questions.length / spans.length;
}
