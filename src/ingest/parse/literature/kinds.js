/** What people call the types of entries: of BibTeX, of RIS, and of CSL. */
const ROWS = [
  ['journal article', 'article JOUR EJOUR JFULL article-journal'],
  ['magazine article', 'MGZN article-magazine'],
  ['newspaper article', 'NEWS article-newspaper'],
  ['preprint', 'unpublished UNPB manuscript'],
  ['book', 'book mvbook BOOK EBOOK book'],
  ['edited book', 'collection mvcollection EDBOOK'],
  ['chapter', 'inbook incollection suppbook suppcollection bookinbook CHAP ECHAP chapter'],
  ['conference paper', 'inproceedings conference CONF CPAPER paper-conference'],
  ['proceedings', 'proceedings mvproceedings'],
  ['thesis', 'thesis THES'],
  ['doctoral thesis', 'phdthesis'],
  ["master's thesis", 'mastersthesis'],
  ['report', 'report techreport RPRT GOVDOC'],
  ['web page', 'online electronic www ELEC BLOG ICOMM webpage post post-weblog'],
  ['encyclopedia entry', 'inreference ENCYC DICT entry-encyclopedia entry-dictionary entry'],
  ['presentation', 'SLIDE speech'],
  ['patent', 'patent PAT'],
  ['standard', 'standard STAND'],
  ['software', 'software COMP'],
  ['data set', 'dataset DATA AGGR'],
  ['film', 'movie video MPCT VIDEO motion_picture'],
  ['recording', 'audio music SOUND MUSIC song broadcast'],
  ['law', 'legislation jurisdiction legal STAT CASE BILL legal_case bill'],
  ['interview', 'interview'],
  ['letter', 'letter PCOMM personal_communication'],
  ['map', 'map MAP'],
  ['review', 'review review-book'],
  ['booklet', 'booklet pamphlet PAMP'],
  ['manual', 'manual'],
  ['entry', 'misc GEN graphic figure document classic ART'],
];
const KINDS = new Map(
  ROWS.toReversed().flatMap(([kind = '', types = '']) => types.split(' ').map((type) => [type, kind])),
);

/** Returns what people call a type; empty for one that says nothing, or is not known. @param {string} type */
export function kindOf(type) {
  const kind = KINDS.get(type) ?? '';
  return kind === 'entry' ? '' : kind;
}
