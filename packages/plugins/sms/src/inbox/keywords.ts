/** What a word on its own means. */
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

/** Reads a message that is one word with a meaning: `STOP`, `Acha.`, `arrêt`. */
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
