import type { ReadText } from './read-words.ts'

const openings = [
  'please',
  'hey',
  'hi',
  'hello',
  'ok',
  'okay',
  'so',
  'and',
  'then',
  'well',
  'just',
  'kindly',
  'can you',
  'could you',
  'would you',
  'will you',
  'can i',
  'i want you to',
  'i would like you to',
  'i would like to know',
  'i want to know',
  'i want to',
  'i would like to',
  'do you know',
  'tell me',
  'let me know',
  'good morning',
  'good evening',
].map(phrase => phrase.split(' '))
const endings = ['please', 'thanks', 'thank you', 'for me', 'thanks a lot'].map(phrase => phrase.split(' '))

const startsWith = (norms: readonly string[], phrase: readonly string[]) =>
  phrase.every((word, at) => norms[at] === word)

/** Returns the text with and without polite phrases around it, longest first. */
export const politeForms = (read: ReadText): readonly ReadText[] => {
  const forms: ReadText[] = [read]
  let { text, words } = read
  for (let round = 0; round < 12; round += 1) {
    const norms = words.slice(0, 6).map(word => word.norm)
    const tail = words.slice(-3).map(word => word.norm)
    const opening = openings.find(phrase => phrase.length < words.length && startsWith(norms, phrase))
    const ending = endings.find(
      phrase =>
        phrase.length < words.length && startsWith(tail.slice(-phrase.length), phrase) && tail.length >= phrase.length,
    )
    if (ending) {
      text = text.slice(0, words.at(-ending.length)!.start)
      words = words.slice(0, -ending.length)
    } else if (opening) words = words.slice(opening.length)
    else break
    forms.push({ text, words })
  }
  return forms
}
