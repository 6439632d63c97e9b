import type { Service } from '../../src/service.js';
import { type Chat, type ChatQuestion, chatTime, lihua } from './data.js';

const DOMAIN = 'chat';
const TOP_K = 100;

/**
 * Recall@5 of conversations by kind of question, in percent: every turn is a message, a conversation ranks by its best.
 */
export async function measureChat(
  service: Pick<Service, 'retrieval' | 'graph' | 'ingest'>,
  limit: number,
): Promise<Record<string, number>> {
  const { chats, questions } = lihua();
  for (const chat of chats) await addChat(service, chat);
  const sums = new Map<string, { recall: number; count: number }>();
  const answerable = questions.filter((question) => question.gold.length > 0).slice(0, limit);
  for (const question of answerable) {
    const sum = sums.get(question.type) ?? { recall: 0, count: 0 };
    sums.set(question.type, sum);
    sum.recall += await recall(service, question);
    sum.count += 1;
  }
  return Object.fromEntries([...sums].map(([type, { recall, count }]) => [type, (100 * recall) / count]));
}

async function addChat({ ingest }: Pick<Service, 'ingest'>, { id, turns }: Chat): Promise<void> {
  for (const [i, { speaker, text }] of turns.entries()) {
    const message = { text, speaker, session_id: id, domain: DOMAIN, role: 'user', message_id: String(i) };
    await ingest.message({ ...message, timestamp: chatTime(id) });
  }
}

async function recall(
  { retrieval, graph }: Pick<Service, 'retrieval' | 'graph'>,
  { question, gold }: ChatQuestion,
): Promise<number> {
  const { items } = await retrieval.query({ context: question, domains: [DOMAIN], top_k: TOP_K });
  const nodes = await graph.getNodes(items.map((item) => item.id));
  const sessions = new Set(nodes.map((node) => node.passage?.message?.session_id ?? ''));
  const first = [...sessions].slice(0, 5);
  return gold.filter((id) => first.includes(id)).length / gold.length;
}
