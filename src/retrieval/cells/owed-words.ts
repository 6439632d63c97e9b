import { fold } from '../../core/text/fold.js';
import { stem } from '../../core/text/stems/stem.js';
import { byLanguage } from '../dates/by-language.js';
import { bounded } from '../dates/date-patterns.js';

/** How a language says of what is owed that it has not been paid. */
interface Owed {
  /** Words that say it of something that is owed. */
  readonly open: string;
  /** What is owed. */
  readonly things: string;
  /** What tables call the payment of it. */
  readonly paid: readonly string[];
}

const OWED: Readonly<Record<string, Owed>> = {
  english: {
    open: 'open|outstanding|pending|unsettled',
    things: 'invoices?|bills?|payments?|dues|fees?|rents?|debts?|amounts?|balances?|subscriptions?',
    paid: ['paid', 'payment'],
  },
  german: {
    open: 'offene?[nmrs]?|ausstehende?[nmrs]?|ausstehen',
    things:
      '\\p{L}*(?:rechnung(?:en)?|zahlung(?:en)?|beitr[aä]ge?s?|betr[aä]ge?n?|mieten?|gebühr(?:en)?|forderung(?:en)?|posten|schuld(?:en)?)',
    paid: ['bezahlt', 'gezahlt', 'zahlung'],
  },
  french: {
    open: 'ouverte?s?|en attente|en souffrance|à payer',
    things: 'factures?|paiements?|cotisations?|loyers?|montants?|frais|dettes?',
    paid: ['payé', 'payée', 'réglée', 'paiement'],
  },
  spanish: {
    open: 'abiert[oa]s?|pendientes?|por pagar',
    things: 'facturas?|pagos?|cuotas?|alquiler(?:es)?|importes?|recibos?|deudas?',
    paid: ['pagado', 'pagada', 'pago'],
  },
  italian: {
    open: 'apert[aeio]|in sospeso|in attesa|da pagare',
    things: 'fattur[ae]|pagament[oi]|quot[ae]|affitt[oi]|import[oi]|bollett[ae]|debit[oi]',
    paid: ['pagato', 'pagata', 'pagamento'],
  },
  portuguese: {
    open: 'abert[oa]s?|pendentes?|por pagar|a pagar',
    things: 'faturas?|pagamentos?|cotas?|quotas?|alugu[eé]is|aluguel|montantes?|contas?|dívidas?',
    paid: ['pago', 'paga', 'pagamento'],
  },
  dutch: {
    open: 'open|openstaande?|uitstaande?',
    things:
      '\\p{L}*(?:facturen|factuur|rekening(?:en)?|betaling(?:en)?|contributies?|huur|bedrag(?:en)?|schuld(?:en)?)',
    paid: ['betaald', 'betaling'],
  },
};

const patternsOf = byLanguage((language) => {
  const { open, things, paid } = OWED[language] ?? OWED.english!;
  return { open: bounded(open, 'iu'), things: bounded(things, 'iu'), paid };
});

/** Characters of a question that may be too few to tell its language: "offene Rechnungen". */
const SHORT = 40;

/**
 * Returns where a text says of what is owed that it has not been paid ("open invoices", "offene Rechnungen"), and the stems of how tables
 * call the payment; undefined where it does not. Shops are open, too. Pure.
 */
export function owedIn(
  text: string,
  language: string,
): { readonly at: number; readonly paid: readonly string[] } | undefined {
  for (const one of text.length > SHORT ? [language] : [language, ...Object.keys(OWED)]) {
    const { open, things, paid } = patternsOf(one);
    const at = text.search(open);
    if (at >= 0 && things.test(text)) return { at, paid: [...new Set(paid.map((word) => stem(fold(word), language)))] };
  }
  return undefined;
}
