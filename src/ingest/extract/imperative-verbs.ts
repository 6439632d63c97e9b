/** Base forms that open an instruction. The next word decides where a verb has the form of a noun ("use of", "set in"). */
export const IMPERATIVE_VERBS: ReadonlySet<string> = new Set(
  (
    'add agree allow announce answer append apply approve archive aim ask assign assume attach authenticate backup begin book ' +
    'build bring calibrate call cancel change check choose clean clear close collect commit compare complete compress configure ' +
    'confirm connect consider contact copy count create cut deactivate declare define delete deliver deploy describe dial ' +
    'disable disconnect discard dispose divide dry document download drain drop edit email enable encrypt end ensure enter escalate establish ' +
    'evaluate examine execute exclude explain export fetch file fill fix flush follow generate get give go handle hand hold ' +
    'identify ignore implement import include increase inform initialize insert inspect install investigate invite isolate ' +
    'keep label leave limit link list load lock log look make mark measure merge minimize mention migrate mix monitor mount ' +
    'move name notify obtain offer open order page pause pay perform phone pin place plan pour post prefer prepare press prevent ' +
    'print prioritize protect provide prune publish pull purge push put quote raise read reboot rebuild recalculate recheck ' +
    'reconcile record redact reduce refer refuse register reject release reload remove rename renew repeat replace reply ' +
    'report request require reserve reset resolve respond restart restore restrict return reuse review revoke rewrite ring ' +
    'roll rollback rotate route run save scan schedule seal secure select send separate set share shut sign split start ' +
    'state stir stop store submit subscribe switch take tag telephone tell terminate test throttle track transfer treat trigger turn ' +
    'undo unlock unmount update upgrade upload use validate verify wait warn wash watch wear wipe withdraw write'
  ).split(' '),
);

/** Of these, the ones that are nouns before another noun too: "Order forms lie in the drawer." */
export const NOUN_MODIFIERS: ReadonlySet<string> = new Set(
  (
    'archive backup book call change check contact copy cut design dial document download email end export fetch file fix gift hand increase ' +
    'insert label limit link list load lock log look mark measure mix monitor move name notice offer order page pay phone pin place plan ' +
    'post press print publish pull purge push quote record release report request reserve reset return review ring roll route run ' +
    'scan schedule seal set share shut sign split start state stop store switch tag telephone test track transfer trigger turn update upgrade ' +
    'upload use wash watch water wear'
  ).split(' '),
);

/** After a first word these show a noun or a participle: "Use of force", "Set in London". */
export const NO_OBJECT: ReadonlySet<string> = new Set(
  (
    'of in on at by from during between among is was are were has had have will would may might can could and or as ' +
    'than into which who'
  ).split(' '),
);

/** Past forms that are no participles: what stands before one is a subject. "Run time grew." */
export const PAST: ReadonlySet<string> = new Set(
  (
    'arose ate became began blew broke came chose did drew drove fell flew froze gave grew knew ran rang rose sang sank saw ' +
    'shook shrank spoke stole swam took threw went woke wore'
  ).split(' '),
);

/** Verbs that no plural of a noun looks like: what stands before one is a subject of one thing. "Set work goes to the office." */
export const SAYS_WHAT: ReadonlySet<string> = new Set(
  'becomes begins belongs comes consists contains costs depends ends exists goes happens includes requires'.split(' '),
);

/** Instructions that may lead to a sentence without "that": "Check water stays below the mark." */
export const TAKES_CLAUSE: ReadonlySet<string> = new Set(
  'check confirm mention note notice record report state'.split(' '),
);
