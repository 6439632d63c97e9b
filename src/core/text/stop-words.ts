import { fold } from './fold.js';
import { elided, languagesOfElision } from './stems/elisions.js';
import type { Token } from './tokens.js';

/** Function words, about 120 per language: they carry grammar, not content. Kept as written, folded when first used. */
const LISTS: Readonly<Record<string, string>> = {
  english: `a an the this that these those some any each every both either neither all no none not nor and or but if
    then than so because as until while of at by for with about against between into through during before after above
    below to from up down in out on off over under again further once here there when where why how what which who
    whom whose i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she
    her hers herself it its itself they them their theirs themselves am is are was were be been being have has had
    having do does did doing done will would shall should can could may might must ought such only own same too very
    just also yet ever upon within without toward towards among via per though although whether
    don't doesn't didn't isn't aren't wasn't weren't won't wouldn't can't couldn't shouldn't hasn't haven't hadn't
    i'm i've i'll i'd you're you've you'll you'd he's she's it's we're we've we'll they're they've they'll that's
    there's what's who's where's let's`,
  german: `der die das den dem des ein eine einer eines einem einen kein keine keiner keines keinem keinen und oder aber
    denn weil dass daß ob wenn als wie so nicht auch noch nur schon sehr hier da dort wo wann warum was wer wen wem
    wessen welche welcher welches welchen welchem ich mich mir mein meine meinem meinen meiner du dich dir dein deine er
    ihn ihm sein seine seinem seinen seiner sie ihr ihre ihrem ihren ihrer es wir uns unser unsere euch euer eure man
    sich selbst dieser diese dieses diesem diesen jener jene jenes jeder jede jedes jedem jeden alle allem allen aller
    alles bin bist ist sind seid war waren warst wart sei gewesen habe hast hat haben hatte hatten werde wird werden
    wurde wurden worden kann können konnte konnten muss müssen soll sollen sollte will wollen darf mag zu zum zur im in
    ins an am ans auf aus bei beim bis durch für gegen mit nach ohne seit über um unter von vom vor während wegen
    zwischen dann damit doch also etwa`,
  french: `le la les un une des du de au aux ce cet cette ces mon ma mes ton ta tes son sa ses notre nos votre vos leur
    leurs je tu il elle on nous vous ils elles me te se moi toi lui eux y en que qui quoi dont où quand comment pourquoi
    quel quelle quels quelles lequel laquelle et ou mais donc or ni car si comme ne pas plus moins très aussi même tout
    toute tous toutes aucun aucune chaque autre autres à dans par pour sur sous avec sans chez vers entre depuis pendant
    avant après contre suis es est sommes êtes sont étais était étaient été être fut furent sera seront serait soit ai
    as a avons avez ont avais avait avaient avoir eu eut aura auront aurait fait faire peut peuvent doit doivent ainsi
    alors encore déjà ici là cela ceci ça c'est n'est d'un d'une qu'il qu'elle qu'un qu'une s'il l'on j'ai c d j l m n
    s t qu`,
  spanish: `el la los las lo un una unos unas de del a al en por para con sin sobre entre hasta desde hacia durante ante
    bajo contra según tras y e o u ni pero sino aunque porque pues que si como cuando donde quien quienes cual cuales
    cuyo cuya qué quién cuál cuándo dónde cómo cuánto cuánta cuántos cuántas yo tú él ella ello nosotros vosotros ellos ellas usted
    ustedes me te se nos os le les mi mis tu tus su sus nuestro nuestra nuestros nuestras este esta esto estos estas ese
    esa eso esos esas aquel aquella aquellos aquellas no sí ya muy más menos tan tanto también tampoco todo toda todos
    todas otro otra otros otras algo alguno alguna algunos algunas nada cada mismo misma ser es son era eran fue fueron
    sido siendo sea será estar está están estaba estaban ha han había habían haber hay he tiene tienen tenía tener hace
    puede pueden debe solo`,
  italian: `il lo la i gli le un uno una di del dello della dei degli delle a al allo alla ai agli alle da dal dallo
    dalla dai dagli dalle in nel nello nella nei negli nelle con su sul sullo sulla sui sugli sulle per tra fra e ed o
    ma se perché che chi cui cosa quale quali quando dove come quanto quanta quanti quante io tu lui lei noi voi loro mi ti si ci vi ne me te mio
    mia miei mie tuo tua suo sua suoi sue nostro nostra vostro vostra questo questa questi queste quello quella quelli
    quelle non più meno molto anche ancora già così poi solo tutto tutta tutti tutte ogni altro altra altri altre stesso
    stessa è sono sei siamo siete era erano fu furono stato stata stati state essere sia sarà ho hai ha abbiamo avete
    hanno aveva avevano avere può possono deve devono fa fare c'è dopo prima durante senza contro verso`,
  portuguese: `o a os as um uma uns umas de do da dos das em no na nos nas num numa por pelo pela pelos pelas para com sem
    sobre entre até desde durante contra sob ante após e ou nem mas porque pois que se como quando onde quem qual quais
    cujo cuja quanto quanta quantos quantas eu tu ele ela nós vós eles elas você vocês me te lhe lhes meu minha meus minhas teu tua seu sua
    seus suas nosso nossa nossos nossas este esta isto estes estas esse essa isso esses essas aquele aquela aquilo
    aqueles aquelas não sim já muito mais menos tão também só ainda todo toda todos todas outro outra outros outras
    algum alguma alguns algumas nada cada mesmo mesma ao aos à às ser é são era eram foi foram sido sendo seja será
    estar está estão estava estavam há havia ter tem têm tinha tinham pode podem deve fazer`,
  dutch: `de het een der des den dit dat deze die geen en of maar want omdat als dan toen wanneer terwijl dus ook niet nog
    al er hier daar waar wat wie welke welk hoe waarom ik mij me mijn jij je jou jouw u uw hij hem zijn zij ze haar het
    wij we ons onze jullie hen hun zich zelf men iets niets alles iemand niemand elk elke ieder iedere alle veel meer
    meest ander andere zulke te aan bij door in met na naar om onder op over per sinds tegen tot tussen uit van vanaf
    via voor zonder ben bent is was waren geweest wees word wordt worden werd werden heb hebt heeft hebben had hadden
    gehad kan kunnen kon konden moet moeten moest zal zullen zou zouden wil willen mag mogen doen doet deed zo zeer heel
    reeds slechts toch wel`,
};

const NONE: ReadonlySet<string> = new Set();
const folded = new Map<string, ReadonlySet<string>>();

/** Returns the folded stop words of a language; empty for one without a list. */
export function stopWords(language = 'english'): ReadonlySet<string> {
  const known = folded.get(language);
  if (known !== undefined) return known;
  const list = LISTS[language];
  const words = list === undefined ? NONE : new Set(list.trim().split(/\s+/u).map(fold));
  folded.set(language, words);
  return words;
}

let owners: Map<string, readonly string[]> | undefined;

/** Returns the languages that have a folded word among their function words, or begin a word so that lost its vowel; undefined where there is none. */
export function languagesWith(norm: string): readonly string[] | undefined {
  owners ??= ownersOf();
  return owners.get(norm) ?? languagesOfElision(norm);
}

/** Function word → the languages that have it. */
function ownersOf(): Map<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const language of Object.keys(LISTS)) {
    for (const word of stopWords(language)) found.set(word, [...(found.get(word) ?? []), language]);
  }
  return found;
}

/** Returns true where a folded word (`Token.norm`) is a function word of the language, or two of which the first lost its vowel: "n'ont", "dov'è". */
export function isStopWord(norm: string, language = 'english'): boolean {
  const words = stopWords(language);
  if (words.has(norm)) return true;
  const rest = elided(norm, language);
  return rest !== undefined && words.has(rest);
}

/** Labels of the lines in the head of a mail, and what mail programs set before the subject of an answer. */
const LABELS =
  'from|sent|to|cc|bcc|date|subject|reply-to|in-reply-to|references|message-id|mime-version|content-type|content-transfer-encoding|x-mailer|return-path|' +
  'delivered-to|received|von|an|gesendet|datum|betreff|de|à|envoyé|objet|para|enviado|fecha|asunto';
const ANSWERS = 're|fwd?|aw|wg|antw|tr|sv';
const HEAD = new RegExp(
  `^[ \\t>*]{0,20}(?:(?:${LABELS}):[ \\t*]{0,20})?(?:(?:${ANSWERS})(?:\\[\\d{1,3}\\])?:[ \\t]{0,20})*`,
  'gimu',
);

/** How a line in the head of a mail begins. */
const HEAD_LINE = new RegExp(`^[ \\t>*]{0,20}(?:${LABELS}):`, 'iu');

/** Which tokens of a text are no beginning of a name. */
export interface StopTokens {
  /** Function words, and labels in the head of a mail: no name begins with them, even one that is known. */
  readonly stop: readonly boolean[];
  /** Labels on a line alone too, which may also be names ("CC: Creative Commons …"): they are where these are known. */
  readonly unknown: readonly boolean[];
}

/** Marks the tokens of a text that are function words of the language, or labels in the head of a mail. */
export function stopTokens(text: string, tokens: readonly Token[], language?: string): StopTokens {
  const words = stopWords(language);
  const stop = tokens.map((token) => words.has(token.norm));
  if (!text.includes(':')) return { stop, unknown: stop };
  const unknown = [...stop];
  const heads = [...text.matchAll(HEAD)].filter(([label]) => label.includes(':'));
  let at = 0;
  for (const { 0: label, index } of heads) {
    while (at < tokens.length && tokens[at]!.start < index) at += 1;
    const inHead = standsInHead(text, index);
    for (; at < tokens.length && tokens[at]!.start < index + label.length; at += 1) {
      unknown[at] = true;
      if (inHead) stop[at] = true;
    }
  }
  return { stop, unknown };
}

/** Returns true for a line with a label beside another one with a label: the head of a mail has several. */
function standsInHead(text: string, start: number): boolean {
  const labelled = (at: number): boolean => HEAD_LINE.test(text.slice(at, at + 60));
  if (!labelled(start)) return false;
  const end = text.indexOf('\n', start);
  if (end !== -1 && labelled(end + 1)) return true;
  return start > 0 && labelled(start < 2 ? 0 : text.lastIndexOf('\n', start - 2) + 1);
}
