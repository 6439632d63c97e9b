import type { GraphNode } from '../../core/model.js';
import { bounded } from '../dates/dates.js';

/** What people come together for. All languages together: a turn is too short to tell its own. */
const MEETING = bounded(
  [
    'meetings?|get-together|appointment',
    'sitzung(?:en)?|treffen|besprechung|versammlung|probe|termin',
    'r(?:é|e)unions?|rendez-vous|rencontre|assembl(?:é|e)e|r(?:é|e)p(?:é|e)tition',
    'reuni(?:ó|o)n|reuni(?:ã|a)o|encuentro|encontro|cita|ensayo|ensaio|junta',
    'riunione|incontro|appuntamento|assemblea|prove',
    'vergadering|bijeenkomst|afspraak|repetitie',
  ].join('|'),
  'iu',
);

/** Says that the speaker and others come together. */
const WE_MEET = bounded(
  [
    "(?:we|let['’]?s|let us) (?:\\p{L}+ )?(?:meet|get together|see each other)|(?:we are|we['’]re) meeting",
    '(?:wir (?:\\p{L}+ )?(?:treffen|sehen)|(?:treffen|sehen) wir) (?:uns)?',
    '(?:on|nous|nous nous) (?:se |nous )?(?:retrouv|voi[ty]|voy|rencontr|r(?:é|e)uni)\\p{L}*',
    'nos (?:vemos|encontramos|reunimos|juntamos)|quedamos|(?:encontram|vem|reunim)o-nos|a gente se (?:encontra|v(?:ê|e))',
    'ci (?:vediamo|troviamo|incontriamo|riuniamo)',
    '(?:spreken|komen) we (?:\\S+ ){0,4}(?:af|samen)|we (?:spreken|komen) (?:\\S+ ){0,4}(?:af|samen)|(?:zien|treffen) we elkaar|we (?:zien|treffen) elkaar',
  ].join('|'),
  'iu',
);

/** Words of a turn that says no more than that: longer ones tell what they are about. */
const SHORT = 12;

/**
 * Returns whether a later turn moves the meeting of an earlier one without naming it: "in the end we meet at 7 pm" after "the meeting is at 6 pm", where the
 * question asks for the meeting.
 */
export function movesMeeting(question: string): (earlier: GraphNode, later: GraphNode) => boolean {
  const wantsMeeting = MEETING.test(question);
  return ({ description: earlier }, { description: later }) =>
    wantsMeeting &&
    MEETING.test(earlier) &&
    WE_MEET.test(later) &&
    later.trim().split(/\s+/u, SHORT + 1).length <= SHORT;
}
