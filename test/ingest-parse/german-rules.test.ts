import { describe, expect, it } from '@jest/globals';
import { sentenceRule } from '../../src/ingest/extract/rules.js';
import { textManifest } from './manifests.js';

const formOf = (sentence: string, language: string): string | undefined =>
  sentenceRule(sentence, { item: false, terms: [], sections: new Set(), language })?.form;

describe('rules of German texts', () => {
  it.each([
    'Rauchen ist im Bootshaus verboten.',
    'Das Grillen ist auf dem Steg nicht gestattet.',
    'Grillen ist nur auf dem Platz am Ufer erlaubt.',
    'Für die Regatta ist eine Anmeldung bis Freitag erforderlich.',
    'Bei einer Wassertemperatur unter 10 Grad dürfen Einer nicht allein fahren.',
    'Ausgaben über 1.500 Euro darf der Vorstand nur gemeinsam beschließen.',
    'Im Hafen darf man nicht schwimmen.',
    'Hier dürfen Sie nicht parken.',
    'Sie dürfen nicht dem Vorstand angehören.',
    'Ohne ärztliches Attest darf niemand starten.',
    'Niemand darf ohne Schwimmweste aufs Wasser.',
    'Nur Mitglieder der Trainingsgruppe dürfen die Rennboote benutzen.',
    'Schäden sind sofort dem Bootswart zu melden.',
    'Schäden sind sofort dem Bootswart Henrik Pohl zu melden, Telefon 0171 5550143.',
    'Vor jeder Fahrt ist ein Eintrag ins Fahrtenbuch zu machen.',
    'Die Schlüssel sind nach der Fahrt wieder abzugeben.',
    'Satzungsänderungen bedürfen einer Mehrheit von drei Vierteln.',
    'Minderjährige brauchen die Zustimmung der Eltern.',
    'Der Nachweis muss bis zum 28. Februar 2026 bei uns eingehen.',
    'Henrik Pohl muss nach jeder Fahrt die Boote prüfen.',
    'Ausweise sind auf jeder Fahrt mitzuführen.',
    'Dem Becken sind täglich Proben zu entnehmen.',
    'Müll muss heute und jeden Tag getrennt werden.',
    'Das Boot muss vor der Fahrt trocken sein.',
    'Rauchen ist verboten und wird bestraft.',
    'Der Umbau braucht vorher die schriftliche Zustimmung.',
    'Schlüssel sind an den Bootswart zurückzugeben.',
    'Die Kasse soll nie mehr als 200 Euro enthalten.',
  ])('has an obligation: %s', (sentence) => {
    expect(formOf(sentence, 'german')).toBe('obligation');
  });

  it.each([
    'Das Haus ist vom See aus leicht zu finden.',
    'Die Ausstellung ist noch bis Mai zu sehen.',
    'Im Sommer ist mit mehr Gästen zu rechnen.',
    'Auf dem Platz ist nicht mehr viel zu machen.',
    'Das Boot war bis Freitag zurückzugeben.',
    'Das Boot ist für den Steg zu selten.',
    'Die Karten sind an der Kasse zu haben.',
    'Ziel ist es, den Sport zu fördern.',
    'Zweck des Vereins ist den Sport zu fördern.',
    'Es ist davon auszugehen.',
    'Eine Anmeldung ist für Mitglieder nicht erforderlich.',
    'Für die Fahrt ist keine Anmeldung erforderlich.',
    'Der Umbau bedarf keiner Genehmigung.',
    'Es bedarf einer Erklärung.',
    'Kinder dürfen nicht nur rudern, sondern auch schwimmen.',
    'Gäste dürfen die Küche und nicht nur den Hof nutzen.',
    'Hier darf ich nicht parken.',
    'Das darf doch nicht wahr sein.',
    'Wir brauchen die Zustimmung der Eltern.',
    'Er sagt, das Rauchen ist im Haus verboten worden und wurde bestraft.',
    'Niemand muss heute rudern.',
    'Wenn das Rauchen im Haus verboten ist, gehen wir hinaus.',
    'Wenn ein Mitglied nicht starten darf, rudert ein anderes.',
    'Mitglied kann jede natürliche Person werden.',
    'Der Verein heißt Ruderclub Weidensee.',
    'Das Rauchen ist hier nicht verboten.',
    'Vieles ist bei uns noch zu tun.',
    'Einzelheiten sind der Satzung zu entnehmen.',
    'Ein Rückgang ist vor allem auf das Wetter zurückzuführen.',
    'Das Wetter ist mit Vorsicht zu genießen.',
    'Die Boote sind unten am Steg zu mieten.',
    'Der Trend ist auch anderswo zu beobachten.',
    'Die Fahrt ist in zwei Stunden zu schaffen.',
    'Das Museum ist von Mai bis Oktober zu besuchen.',
    'Peter muss krank gewesen sein.',
    'Der Steg muss früher Planken gehabt haben.',
    'Peter muss morgen nach Berlin fahren.',
    'Ein Kaffee darf nicht fehlen.',
    'Im Sommer darf ein Eis nicht fehlen.',
    'Die Firma soll nur 10 Mitarbeiter haben.',
    'Das Team darf nun nur hoffen.',
    'Nur wenige dürfen hoffen, zu gewinnen.',
    'Die Lage ist verboten schön.',
    'Der Verein braucht dringend Geld und Zustimmung.',
  ])('has none: %s', (sentence) => {
    expect(formOf(sentence, 'german')).toBeUndefined();
  });

  it('finds every norm of a page of norms', async () => {
    const text =
      'Rauchen ist im Bootshaus verboten.\n\nDer Austritt muss dem Vorstand bis zum 30. September schriftlich erklärt werden.\n\n' +
      'Schäden sind sofort dem Bootswart zu melden.';
    const { rules } = await textManifest({ text, domain: 'd', format: 'markdown' });
    expect(rules.map((rule) => rule.text)).toEqual(text.split('\n\n'));
  });
});

describe('rules of English texts', () => {
  it.each([
    ['It is not allowed to deploy on Fridays.', 'obligation'],
    ['It is strictly forbidden to smoke in the boathouse.', 'obligation'],
    ['Deploys are not allowed on Fridays.', 'obligation'],
    ['From now on no deploys after 14:00 on Fridays.', 'imperative'],
    ['No smoking in the boathouse.', 'imperative'],
    ['At most two of the five engineers may be away at once.', 'obligation'],
    ['The report must reach the board by 28 February 2026.', 'obligation'],
    ['Merge to `main` only after a review.', 'imperative'],
    ['Connect to the network of the office.', 'imperative'],
  ])('has the rule: %s', (sentence, form) => {
    expect(formOf(sentence, 'english')).toBe(form);
  });

  it.each([
    'Merge to `main` builds an image.',
    'Push to staging starts the pipeline.',
    'No building on the island is older.',
    'No meeting in May was cancelled.',
    'It is not allowed that much attention.',
    'From now on no one was late.',
    'At most two people came.',
    'In February 2026 the team must have been tired.',
  ])('has none: %s', (sentence) => {
    expect(formOf(sentence, 'english')).toBeUndefined();
  });
});
