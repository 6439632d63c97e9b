import { describe, expect, it } from '@jest/globals';
import { sentenceRule } from '../../src/ingest/extract/rules.js';

const formOf = (sentence: string, language?: string): string | undefined =>
  sentenceRule(sentence, { item: false, terms: [], sections: new Set(), language })?.form;

/** The form that the sentence has in a text of one of these languages, where it has one in any. */
const formAbroad = (sentence: string): string | undefined =>
  ['spanish', 'french', 'german', 'italian', 'portuguese']
    .map((language) => formOf(sentence, language))
    .find((form) => form !== undefined);

describe('rules of texts in other languages', () => {
  it.each([
    'Nunca entregues una bicicleta a una persona menor de 16 años.',
    'No usar agua a presión en los motores.',
    'No la alquiléis hasta el viernes.',
    'Prohibido fumar en el taller.',
    'Ne laissez jamais la batterie au soleil.',
    'Ne pas ouvrir la porte pendant la charge.',
    'N’oubliez pas de fermer le magasin.',
    'Veuillez rendre le vélo propre.',
    'Immer die Bremsen vor der Übergabe prüfen.',
    'Bitte nicht mit nassen Schuhen eintreten.',
    'Non lasciare la batteria al sole.',
    'Nunca deixar a bateria ao sol.',
  ])('has an instruction: %s', (sentence) => {
    expect(formAbroad(sentence)).toBe('imperative');
  });

  it.each([
    'Los grupos de más de ocho personas deben cancelar con siete días de antelación.',
    'Debe guardarse el efectivo en la caja fuerte.',
    'La camiseta azul es obligatoria en los tours.',
    'El lavado a presión está prohibido en los motores.',
    'Hay que pedirlas antes del 15 de marzo.',
    'No se admiten devoluciones de alimentos.',
    'I cani non sono ammessi.',
    "L'accès n'est pas autorisé la nuit.",
    'Os cães não são permitidos.',
    'Los billetes de 500 euros no se aceptan en la caja, y no se permiten cheques.',
    'En cas de vol, le Locataire doit déposer plainte dans les 24 heures.',
    "L'antivol fourni doit toujours être utilisé.",
    'Il est strictement interdit de fumer.',
    'Il faut rendre la clé avant midi.',
    'Der Kunde muss einen Ausweis vorlegen.',
    'Kinder dürfen nicht ohne Helm fahren.',
    'Il cliente deve restituire la bici entro le 19.',
    'O cliente deve devolver a bicicleta limpa.',
  ])('has an obligation: %s', (sentence) => {
    expect(formAbroad(sentence)).toBe('obligation');
  });

  it.each([
    'La ville doit son nom à une rivière.',
    'El puerto debe su nombre a un santo.',
    'El retraso se debe a la lluvia.',
    'Nunca antes llovió tanto en Bilbao.',
    'No todas las bicis llevan luz.',
    'Il doit avoir été fatigué ce jour.',
    'Él debe pagar mañana.',
    'El dinero que debe pagar el cliente es poco.',
    'Der Betrag, den der Kunde zahlen muss.',
    'Nie war der Sommer so warm.',
    'Evita Perón nació en Los Toldos.',
    'El turno de mañana empieza a las nueve.',
    'Der Kunde musste lange warten.',
    "Répondez oui s'il faut vraiment supprimer la clé.",
    'Indique que le fichier ne doit pas être renommé.',
    'Implementar una estructura donde los elementos deben ser ordenados es complicado.',
    'Diese Option kann nicht aktiviert werden.',
    'Veuillez noter que les versions anciennes ne marchent plus.',
    'Le Loueur dit que le client doit payer.',
  ])('has none: %s', (sentence) => {
    expect(formAbroad(sentence)).toBeUndefined();
  });

  it.each([
    'No longer used by the team since the move.',
    'No matter how hard you try, the valve stays shut.',
    'No other kettle has a copper base.',
    'No answer is older.',
    'Veuillez rendre le vélo propre.',
  ])('has none in an English text: %s', (sentence) => {
    expect(formOf(sentence, 'english')).toBeUndefined();
    expect(formOf(sentence)).toBeUndefined();
  });

  it.each([
    ['spanish', 'Si un cliente debe cancelar, le devolvemos el dinero.'],
    ['spanish', 'Cuando el grupo debe esperar, abrimos la sala.'],
    ['spanish', 'Si la entrada está prohibida, usamos la otra puerta.'],
    ['french', 'Si le client doit payer, nous appelons.'],
    ['french', 'Quand un client doit attendre, nous appelons.'],
    ['french', 'Lorsque le client doit attendre, nous appelons.'],
    ['italian', 'Se il cliente deve pagare, chiamiamo.'],
    ['portuguese', 'Se o cliente deve pagar, chamamos.'],
    ['german', 'Ich muss morgen zum Arzt gehen.'],
    ['german', 'Es muss gestern geregnet haben.'],
    ['german', 'Wir müssen leider absagen.'],
    ['german', 'Leider müssen wir den Kurs absagen.'],
    ['french', 'Toujours plus de touristes viennent.'],
    ['french', 'Merci de votre visite.'],
    ['french', 'Merci d’avance de votre réponse.'],
    ['french', 'Veuillez agréer mes salutations.'],
    ['german', 'Immer alle Kinder spielen im Garten.'],
    ['german', 'Bitte alle mal lachen.'],
    ['german', 'Immer die gleichen Leute kommen.'],
    ['german', 'Immer die gleichen Leute warten.'],
    ['german', 'Nie alle Kinder auf den Bus warten.'],
    ['german', 'Gäste kommen regelmäßig wieder.'],
    ['german', 'Wir jährlich alles vergessen.'],
    ['german', 'Die Schrauben immer fehlen.'],
    ['german', 'Die Kinder, die täglich warten.'],
    ['german', 'Preise wie im Vorjahr.'],
    ['german', 'Nie die Schrauben fehlen, immer die Muttern fehlen.'],
    ['spanish', 'Nunca llegas a tiempo.'],
    ['spanish', 'Nunca sabes lo que pasa.'],
    ['spanish', 'Nunca sigues las normas.'],
    ['spanish', 'No sabéis nada de esto.'],
    ['spanish', 'Recuerda que mañana es fiesta.'],
  ])('has none that is a condition, a statement or a greeting: %s: %s', (language, sentence) => {
    expect(formOf(sentence, language)).toBeUndefined();
  });

  it.each([
    ['spanish', 'Nunca pongas la batería al sol.', 'imperative'],
    ['spanish', 'Nunca dejes la llave puesta.', 'imperative'],
    ['spanish', 'Recuerda cerrar la puerta del taller.', 'imperative'],
    ['french', 'Merci de ne pas fumer ici.', 'imperative'],
    ['french', 'Toujours fermer la porte du local.', 'imperative'],
    ['german', 'Bitte alle nassen Schuhe ausziehen.', 'imperative'],
    ['german', 'Immer die gleichen Schrauben verwenden.', 'imperative'],
    ['german', 'Pumpe jährlich warten.', 'imperative'],
    ['german', 'Die Pumpe jährlich warten.', 'imperative'],
    ['german', 'Filter und Pumpe alle sechs Monate warten.', 'imperative'],
    ['german', 'Immer die Pumpe vor dem Winter warten.', 'imperative'],
    ['german', 'Türen nie offen lassen.', 'imperative'],
    ['german', 'Alle neuen Filter zweimal im Jahr reinigen.', 'imperative'],
    ['german', 'Bitte die Heizung regelmäßig warten.', 'imperative'],
    ['german', 'Bitte die Antwort nicht sofort bekommen wollen.', 'imperative'],
    ['spanish', 'Si llueve, el cliente debe cancelar el tour.', 'obligation'],
    ['spanish', 'Se debe cerrar la puerta cada noche.', 'obligation'],
    ['italian', 'Si deve chiudere la porta ogni sera.', 'obligation'],
  ])('has the rule beside them: %s: %s', (language, sentence, form) => {
    expect(formOf(sentence, language)).toBe(form);
  });
});
