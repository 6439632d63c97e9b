import type { GraphNode } from '../../core/model.js';
import type { Change } from '../change/versions.js';
import type { DateRange, MeantTime } from '../dates/dates.js';
import type { Feature } from '../score/document-features.js';

/** What a turn gains or loses because somebody asked in the conversation what the question asks. */
export interface Reply {
  /** The turn that asked it; absent on that turn itself. */
  readonly to?: GraphNode;
  /** Log odds: above 0 for turns behind it, which may answer, below for the turn that asks. */
  readonly gain: number;
}

/** What a turn of a conversation is scored by. */
export interface MessageItem {
  readonly node: GraphNode;
  /** Cosine of the rewritten question with the turn, and with its best sentence. */
  readonly cosine: number;
  readonly sentence: number;
  /** Cosine with the mean vector of turns −1..+1, and of turns −2..0. */
  readonly around: number;
  readonly before: number;
  /** BM25 over turns −2..+1: as a share of the best window's, and of what the question could attain. */
  readonly window: number;
  readonly windowShare: number;
  /** BM25 over the whole session as a share of the best session's. */
  readonly session: number;
  /** 1 where the turn is by one whom the question names, or the question names nobody. */
  readonly speaker: number;
  /** How well the turn's day fits a date in the question. */
  readonly date: number;
  /** The days that the question speaks of, where the turn is of one of them. */
  readonly days?: DateRange | undefined;
  /** What a time such as "last week" in the question is taken as. */
  readonly meant?: MeantTime | undefined;
  /** Expressions of time in the turn, up to 1, where the question wants to know a time. */
  readonly time: number;
  /** 1 for a number in the turn, where the question wants to know one that is no time. */
  readonly quantity: number;
  /** How much better one of the three turns before it matches than its own best sentence, as far as it tells something. */
  readonly lead: number;
  /** Length of the turn, 0..1. */
  readonly length: number;
  /** Share of the turn that is questions. */
  readonly questions: number;
  /** BM25 of the turn alone as a share of what the question could attain. */
  readonly text: number;
  /** Share of the people whom the question names who speak in the session or are named there; 1 for nobody. */
  readonly involved: number;
  /** How much better than the whole question its best part matches: cosine of the best sentence, share of BM25. */
  readonly clause: number;
  readonly clauseShare: number;
  /**
   * The best that the turns of the answer reach: they tell whether anybody spoke of it at all. What they reach on average,
   * in log odds; 0 until all are known.
   */
  readonly answer: { readonly sentence: number; readonly share: number; readonly mean: number };
  /** Set where the turn says what holds since another one. */
  readonly change?: Change | undefined;
  /** Set where the turn asks what the question asks, or answers a turn that does. */
  readonly reply?: Reply | undefined;
}

/**
 * The recipe for dialogues, then what it lacks where many people talk and where a question asks about two things, then what
 * makes answers comparable with each other; weights in `config/ranker.yaml`.
 */
export const MESSAGE_FEATURES: ReadonlyArray<Feature<MessageItem>> = [
  term(
    'sentence',
    'cosine of the question, put to the participants, and best sentence of the turn',
    (item) => item.sentence,
  ),
  term('around', 'cosine with the mean of turns -1 to +1', (item) => item.around),
  term('before', 'cosine with the mean of turns -2 to 0', (item) => item.before),
  term('window', "BM25 over turns -2 to +1, as a share of the best window's", (item) => item.window),
  term('session', "BM25 over the session, as a share of the best session's", (item) => item.session),
  {
    ...term('speaker', 'the turn is by one whom the question names, or it names nobody', (item) => item.speaker),
    nothing: 1,
  },
  term('date', "how well the turn's day fits a date in the question", (item) => item.date),
  term('time', 'expressions of time, where the question wants to know one', (item) => item.time),
  term('quantity', 'a number, where the question wants to know one that is no time', (item) => item.quantity),
  term(
    'lead',
    'how much better one of the three turns before matches than its best sentence, as far as it tells something',
    (item) => item.lead,
  ),
  term('length', 'length of the turn', (item) => item.length),
  term('questions', 'share of the turn that is questions', (item) => item.questions),
  term(
    'window_share',
    'BM25 over turns -2 to +1 as a share of what the question could attain',
    (item) => item.windowShare,
  ),
  {
    ...term(
      'involved',
      'share of the people named who speak in the session or are named there',
      (item) => item.involved,
    ),
    nothing: 1,
  },
  term('clause', 'how much better a part of the question matches the best sentence', (item) => item.clause),
  term('clause_share', 'how much larger the BM25 share is for a part of the question', (item) => item.clauseShare),
  ofAnswer(
    'answer_sentence',
    "the answer's best cosine of a sentence, the same for all its turns",
    ({ answer }) => answer.sentence,
  ),
  ofAnswer('answer_share', "the answer's best BM25 share, the same for all its turns", ({ answer }) => answer.share),
  ofAnswer('answer_mean', 'what the turns reach on average, in log odds', ({ answer }) => answer.mean),
];

function ofAnswer(...given: Parameters<typeof term>): Feature<MessageItem> {
  return { ...term(...given), group: 'answer' };
}

function term(name: string, meaning: string, value: (item: MessageItem) => number): Feature<MessageItem> {
  return { name, group: 'direct', meaning, value };
}
