import { describe, expect, it } from '@jest/globals';
import { sentenceRule } from '../../src/ingest/extract/rules.js';

const formOf = (sentence: string): string | undefined =>
  sentenceRule(sentence, { item: false, terms: [], sections: new Set() })?.form;

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
    expect(formOf(sentence)).toBe('imperative');
  });

  it.each([
    'Los grupos de más de ocho personas deben cancelar con siete días de antelación.',
    'Debe guardarse el efectivo en la caja fuerte.',
    'La camiseta azul es obligatoria en los tours.',
    'El lavado a presión está prohibido en los motores.',
    'Hay que pedirlas antes del 15 de marzo.',
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
    expect(formOf(sentence)).toBe('obligation');
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
    expect(formOf(sentence)).toBeUndefined();
  });
});
