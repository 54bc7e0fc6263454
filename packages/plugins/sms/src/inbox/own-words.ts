/** Meaning of a keyword. */
export type Keyword = 'stop' | 'start' | 'help'

export type WordLanguage = 'en' | 'fr' | 'sw'

const words: Readonly<Record<string, readonly [Keyword, WordLanguage]>> = {
  stop: ['stop', 'en'],
  stopall: ['stop', 'en'],
  unsubscribe: ['stop', 'en'],
  optout: ['stop', 'en'],
  acha: ['stop', 'sw'],
  arret: ['stop', 'fr'],
  start: ['start', 'en'],
  unstop: ['start', 'en'],
  anza: ['start', 'sw'],
  reprendre: ['start', 'fr'],
  help: ['help', 'en'],
  msaada: ['help', 'sw'],
  aide: ['help', 'fr'],
}

/** Returns the keyword of a message that consists of one: `STOP`, `Acha.`, `arrêt`. */
export const readKeyword = (
  text: string,
): { readonly keyword: Keyword; readonly language: WordLanguage } | undefined => {
  if (text.length > 40) return undefined
  const plain = text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()
  const found = Object.hasOwn(words, plain) ? words[plain] : undefined
  return found && { keyword: found[0], language: found[1] }
}

/** Texts of the plugin itself. */
export type OwnWord =
  | 'stopped'
  | 'started'
  | 'help'
  | 'unavailable'
  | 'credit'
  | 'limit'
  | 'failed'
  | 'interrupted'
  | 'acted'

const texts: Readonly<Record<WordLanguage, Readonly<Record<OwnWord, (name: string) => string>>>> = {
  en: {
    stopped: name => `${name}: you get no more SMS from here. Write START to get them again.`,
    started: name => `${name}: you get SMS from here again. Write STOP to end them.`,
    help: name => `${name} answers questions by SMS: just write one. STOP ends all SMS from here.`,
    unavailable: () => 'I cannot answer just now. Please try again later.',
    credit: () => 'I cannot answer: there is no credit left for you.',
    limit: () => 'You have had as many SMS as one can in a day. Please try again tomorrow.',
    failed: () => 'I could not answer that. Please say it in other words.',
    interrupted: () => 'I was interrupted. Please send your message again.',
    acted: () => 'I could not finish. Some of it may be done: check before you send it again.',
  },
  fr: {
    stopped: name => `${name} : vous ne recevrez plus de SMS d'ici. Écrivez START pour en recevoir de nouveau.`,
    started: name => `${name} : vous recevez de nouveau les SMS d'ici. Écrivez STOP pour les arrêter.`,
    help: name => `${name} répond aux questions par SMS : écrivez-en une. STOP arrête tous les SMS d'ici.`,
    unavailable: () => 'Je ne peux pas répondre maintenant. Réessayez plus tard.',
    credit: () => "Je ne peux pas répondre : vous n'avez plus de crédit.",
    limit: () => "Vous avez eu autant de SMS qu'on peut en un jour. Réessayez demain.",
    failed: () => "Je n'ai pas pu répondre. Dites-le autrement, s'il vous plait.",
    interrupted: () => "J'ai été interrompu. Renvoyez votre message, s'il vous plait.",
    acted: () => "Je n'ai pas pu finir. Une partie a pu se faire : vérifiez avant de renvoyer.",
  },
  sw: {
    stopped: name => `${name}: hutapata SMS tena kutoka hapa. Andika ANZA ili uzipate tena.`,
    started: name => `${name}: utapata SMS tena kutoka hapa. Andika ACHA ili kuzizuia.`,
    help: name => `${name} hujibu maswali kwa SMS: andika swali lako. ACHA huzuia SMS zote kutoka hapa.`,
    unavailable: () => 'Siwezi kujibu sasa. Tafadhali jaribu tena baadaye.',
    credit: () => 'Siwezi kujibu: huna salio lililobaki.',
    limit: () => 'Umepata SMS zote unazoweza kupata kwa siku. Tafadhali jaribu tena kesho.',
    failed: () => 'Sikuweza kujibu hilo. Tafadhali sema kwa maneno mengine.',
    interrupted: () => 'Nimekatizwa. Tafadhali tuma ujumbe wako tena.',
    acted: () => 'Sikuweza kumaliza. Huenda sehemu imefanyika: angalia kabla ya kutuma tena.',
  },
}

/** Returns a text of the plugin, in the given language if available, else in English. @param name the oracle's name */
export const ownWord = (word: OwnWord, language: string | undefined, name: string): string => {
  const [code = ''] = (language ?? '').toLowerCase().split('-')
  return (isWordLanguage(code) ? texts[code] : texts.en)[word](name.slice(0, 40))
}

const isWordLanguage = (code: string): code is WordLanguage => Object.hasOwn(texts, code)
