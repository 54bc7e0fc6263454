/** A word or form that the writing rules exclude, with what is written in its place. */
export interface ExcludedWord {
  readonly pattern: RegExp
  readonly write: string
}

/** Excluded in every text that a person reads. */
export const excludedWords: readonly ExcludedWord[] = [
  { pattern: /\b(?:nobody|anybody|somebody)\b/i, write: 'no one, any caller, a user' },
  { pattern: /\b(?:whoever|who asks)\b/i, write: 'the caller' },
  { pattern: /\b(?:keepers?|keeps? house|chores?|upkeep)\b/i, write: 'maintenance, cleanup job' },
  { pattern: /\b(?:movers?|desks?|shelf|shelves)\b/i, write: 'service, store, registry' },
  { pattern: /\bwish(?:es|ed)?\b/i, write: 'pending write, queue; want' },
  { pattern: /\b(?:tells|told|telling)\b/i, write: 'reports, logs, returns' },
  { pattern: /\b(?:looks|looked|looking) (?:at|up)\b|\ba look\b/i, write: 'reads, queries, looks for' },
  { pattern: /\b(?:anew|once more|again and again)\b/i, write: 'again, repeatedly' },
  { pattern: /\b(?:mend|mends|mended|mending)\b|\bputs? right\b/i, write: 'fix' },
  { pattern: /\b(?:faults?|junk)\b/i, write: 'error, invalid value' },
  { pattern: /\b(?:strikes?|struck|striking) out\b/i, write: 'redact' },
  { pattern: /\bof its own accord\b|\bby (?:itself|themselves)\b/i, write: 'automatically' },
  { pattern: /\btakes? (?:no answer|nothing)\b/i, write: 'rejects, does not accept' },
  { pattern: /\b(?:is|are) none\b|(?<!\bthere )\bis no\b(?! longer| one)/i, write: 'is not an X' },
  { pattern: /\b(?:lets?|letting) in\b|\b(?:keeps?|kept) out\b/i, write: 'authorizes, rejects' },
  { pattern: /\bpersons\b/i, write: 'users' },
  { pattern: /\b(?:dies|died|dead)\b/i, write: 'exits, crashed' },
  { pattern: /\b(?:made-up|pretends?|stand-ins?)\b/i, write: 'fake, test double, local server' },
  { pattern: /\bas (?:it was|they are|they were|it is) asked\b/i, write: 'as requested' },
  { pattern: /\bin its time\b(?! zone)|\bwhen its time comes\b/i, write: 'when due' },
  { pattern: /\b(?:goes|went|gone) by\b/i, write: 'is skipped, follows' },
  { pattern: /\bcut (?:off|short)\b/i, write: 'truncated, interrupted' },
  { pattern: /\bto be had\b/i, write: 'available' },
  { pattern: /\bwhat came of\b/i, write: 'result, outcome' },
  { pattern: /\bspellings?\b/i, write: 'form, encoding' },
  { pattern: /\barrivals?\b|\bcoming in\b/i, write: 'incoming message' },
  { pattern: /\bgoing out\b|\bgoes out\b/i, write: 'outgoing, is sent' },
  { pattern: /\barrows?\b/i, write: 'dependency' },
]

/** Also excluded in names that the sources declare, whose words are compared in lower case: `goOn` is `go on`. */
export const excludedInNames: readonly ExcludedWord[] = [
  { pattern: /\btell\b/, write: 'report, log, notify' },
  { pattern: /\b(?:say|says|said|saying)\b/, write: 'print, report, text, message' },
  { pattern: /\b(?:go|goes|went|gone) on\b/, write: 'continue' },
  { pattern: /\btak(?:e|es|en|ing) up\b/, write: 'resume' },
  { pattern: /\b(?:look|looks|looked|looking)\b(?! (?:alikes?|at|up))/, write: 'read, query, check' },
  { pattern: /\blook (?:at|up)\b/, write: 'read, query, lookup' },
  { pattern: /(?<!\bat )\bmost\b(?! recent)/, write: 'max' },
  { pattern: /\bdoors?\b/, write: 'adapter, protocol, channel' },
  { pattern: /\bstrike\b/, write: 'redact' },
]

/** Excluded at the beginning of a docstring: functions start with a verb, types with a noun. */
export const excludedBeginnings: readonly ExcludedWord[] = [
  { pattern: /^(?:What|How|Who|Whom|Whose)\b|^Whether it is\b/, write: 'a verb for a function, a noun for a type' },
]

/** Also excluded in the names of tests and of their groups. */
export const excludedInTests: readonly ExcludedWord[] = [
  { pattern: /\b(?:says|said|hears?|heard)\b/i, write: 'reports, prints, contains, receives' },
  { pattern: /\b(?:goes|go|went) on\b/i, write: 'continues' },
]

/** Excluded at the beginning of the name of a test, which states behavior with the subject or the verb first. */
export const excludedTestBeginnings: readonly ExcludedWord[] = [
  {
    pattern: /^(?:what|how|who|whom|whose|that|of|with|without|after|while|if|over|under|at|in|on|by|it|there)\b/i,
    write: 'the subject or the verb first',
  },
]

/** Phrases that keep an excluded word, each with its reason. */
export const exceptions: readonly { readonly phrase: RegExp; readonly because: string }[] = [
  { phrase: /dead[- ]letters?/gi, because: 'the term of message queues' },
  { phrase: /dead jobs?|as dead\b/gi, because: 'the term of job queues' },
  { phrase: /dead links?/gi, because: 'the term for links without a target' },
  { phrase: /fault (?:scripts?|injection)/gi, because: 'the term of reliability tests' },
  { phrase: /benchmarks\/faults\S*/g, because: 'a folder' },
  { phrase: /arrow keys?/gi, because: 'keys of a keyboard' },
  { phrase: /import[- ]arrows/gi, because: 'the name of a check in tooling/' },
  { phrase: /default(?:s|ed)?/gi, because: 'another word' },
  { phrase: /where told = 1/g, because: 'a column of the tasks plugin' },
  { phrase: /somebody something anyone anybody/g, because: 'pronouns that the offline model recognizes' },
]
