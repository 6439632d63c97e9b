/** Base forms that open an instruction. The next word decides where a verb has the form of a noun ("use of", "set in"). */
export const IMPERATIVE_VERBS: ReadonlySet<string> = new Set(
  (
    'add agree allow announce answer append apply approve archive aim ask assign assume attach authenticate backup begin book ' +
    'build bring call cancel change check choose clean clear close collect commit compare complete compress configure ' +
    'confirm connect consider contact copy count create cut deactivate declare define delete deliver deploy describe ' +
    'disable disconnect discard dispose divide dry document download drain drop edit email enable encrypt end ensure enter escalate establish ' +
    'evaluate examine execute exclude explain export file fill fix flush follow generate get give go handle hand hold ' +
    'identify ignore implement import include increase inform initialize insert inspect install investigate invite isolate ' +
    'keep label leave limit link list load lock log look make mark measure merge minimize mention migrate mix monitor mount ' +
    'move name notify obtain offer open order page pause pay perform pin place plan pour post prefer prepare press prevent ' +
    'print prioritize protect provide prune publish pull purge push put quote raise read reboot rebuild recalculate recheck ' +
    'reconcile record redact reduce refer refuse register reject release reload remove rename renew repeat replace reply ' +
    'report request require reserve reset resolve respond restart restore restrict return reuse review revoke rewrite ' +
    'roll rollback rotate route run save scan schedule seal secure select send separate set share shut sign split start ' +
    'state stir stop store submit subscribe switch take tag tell terminate test throttle track transfer treat trigger turn ' +
    'undo unlock unmount update upgrade upload use validate verify wait warn wash watch wear wipe withdraw write'
  ).split(' '),
);

/** After a first word these show a noun or a participle: "Use of force", "Set in London". */
export const NO_OBJECT: ReadonlySet<string> = new Set(
  (
    'of in on at by from during between among is was are were has had have will would may might can could and or as ' +
    'than into which who'
  ).split(' '),
);
