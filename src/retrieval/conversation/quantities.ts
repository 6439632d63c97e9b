import { byLanguage } from '../dates/by-language.js';
import { bounded } from '../dates/date-patterns.js';
import { dateWords } from '../dates/date-words.js';

/** How one language asks for a number, and writes numbers that are too large for the words of dates. */
interface QuantityWords {
  readonly asks: string;
  readonly large: string;
}

const QUANTITIES: Readonly<Record<string, QuantityWords>> = {
  english: {
    asks: 'how (?:much|many|long|old|far|big|tall|high|heavy|large|deep|wide|fast|often)|costs?|prices?',
    large:
      '(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|eleven|twelve|hundreds?|thousands?|millions?|dozens?|half|twice|couple',
  },
  german: {
    asks: 'wie ?(?:viele?n?|lange|alt|weit|groß|hoch|schwer|tief|breit|schnell|oft|teuer)|kostete?n?|preise?',
    large: '\\p{L}*(?:zehn|zig|hundert|tausend)|elf|zwölf|millionen?|dutzend|halbe[nrs]?|hälfte|einmal|zweimal|dreimal',
  },
  french: {
    asks: 'combien|(?:coût|prix|coûten?t)|quel(?:le)? (?:âge|taille|longueur|hauteur|distance)',
    large:
      'onze|douze|treize|quatorze|quinze|seize|vingts?|trente|quarante|cinquante|soixante|cents?|mille|millions?|douzaine|moitié|demie?',
  },
  spanish: {
    asks: 'cu[áa]nt[oa]s?|cuestan?|costó|precios?',
    large:
      'once|doce|trece|catorce|quince|veinte|treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa|cien(?:to|tos)?|mil|millones|docena|mitad|medi[oa]',
  },
  italian: {
    asks: 'quant[oaie]|costa(?:no)?|costato|prezz[oi]',
    large:
      'undici|dodici|tredici|quattordici|quindici|venti|trenta|quaranta|cinquanta|sessanta|settanta|ottanta|novanta|cento|mille|mila|milioni|dozzina|metà|mezz[oa]',
  },
  portuguese: {
    asks: 'quant[oa]s?|custa(?:m|va|ram)?|custou|preços?',
    large:
      'onze|doze|treze|catorze|quinze|vinte|trinta|quarenta|cinquenta|sessenta|setenta|oitenta|noventa|cem|cento|mil|milhões|dúzia|metade|mei[oa]',
  },
  dutch: {
    asks: 'hoe ?(?:veel|lang|oud|ver|groot|hoog|zwaar|diep|breed|snel|vaak|duur)|kost(?:te)?n?|prijs',
    large: '\\p{L}*(?:tien|tig|honderd|duizend)|elf|twaalf|miljoen|dozijn|halve?|helft',
  },
};

/** Letters of a question that are read. */
const READ = 1000;

const patternsOf = byLanguage((language) => {
  const { asks, large } = QUANTITIES[language] ?? QUANTITIES.english!;
  const [, , ...small] = dateWords(language).numbers;
  return { asks: bounded(asks, 'iu'), numbers: bounded([...small, large].join('|'), 'iu') };
});

/** Returns whether a question wants to know a number: "how many", "how old", "what does it cost". */
export function asksQuantity(question: string, language: string): boolean {
  return patternsOf(language).asks.test(question.slice(0, READ));
}

/** Returns whether a text holds a number, in digits or in words. The words for one do not count: most of them are articles. */
export function holdsQuantity(text: string, language: string): boolean {
  return /\p{N}/u.test(text) || patternsOf(language).numbers.test(text);
}
