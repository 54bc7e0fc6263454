import { politeForms } from './polite-forms.ts'
import { readWords } from './read-words.ts'

const greetings = new Set(
  'hello hi hey howdy greetings hallo good morning afternoon evening day there oracle everyone all'.split(' '),
)
const opening = new Set('hello hi hey howdy greetings hallo good'.split(' '))

const whoItIs = new Set([
  'who are you',
  'what are you',
  'what is this',
  'what is your name',
  'introduce yourself',
  'are you there',
])

const aboutItself = new Set([
  'help',
  'help me',
  'what can you do',
  'what can you do for me',
  'what can i do',
  'what can i ask',
  'what can i ask you',
  'what can i say',
  'what do you do',
  'what do you know',
  'how can you help',
  'how can you help me',
  'how do you work',
  'how does this work',
  'what are your capabilities',
  'what capabilities do you have',
  'what plugins do you have',
  'list your capabilities',
  'list capabilities',
  'test',
  'start',
])

const gratitude = new Set([
  'thanks',
  'thank you',
  'thanks a lot',
  'thank you very much',
  'many thanks',
  'ok thanks',
  'okay thanks',
  'ok thank you',
  'thx',
  'great thanks',
])

const refusals = new Set([
  'no',
  'nope',
  'no thanks',
  'no thank you',
  'cancel',
  'stop',
  'never mind',
  'nevermind',
  'forget it',
  'none',
  'neither',
])

const agreement = new Set([
  'yes',
  'y',
  'yes please',
  'yeah',
  'yep',
  'yup',
  'sure',
  'ok',
  'okay',
  'right',
  'correct',
  'exactly',
  'please do',
  'do it',
  'that is right',
  'that is correct',
  'yes that is right',
  'yes do it',
  'go ahead',
  'yes go ahead',
  'i do',
  'yes i do',
])

const phraseOf = (text: string): string =>
  text.length > 200
    ? ''
    : readWords(text)
        .words.map(word => word.norm)
        .join(' ')

/** Whether a text is a greeting, a question about the model or what it can do, or thanks. */
export const smallTalk = (text: string): 'greet' | 'identify' | 'introduce' | 'thanks' | undefined => {
  if (text.length > 200) return undefined
  const read = readWords(text)
  const norms = read.words.map(word => word.norm)
  if (norms.length === 0) return 'introduce'
  if (opening.has(norms[0]!) && norms.every(norm => greetings.has(norm))) return 'greet'
  const phrases = politeForms(read).map(form => form.words.map(word => word.norm).join(' '))
  if (phrases.some(phrase => gratitude.has(phrase))) return 'thanks'
  if (phrases.some(phrase => whoItIs.has(phrase))) return 'identify'
  return phrases.some(phrase => aboutItself.has(phrase)) ? 'introduce' : undefined
}

/** Whether a text calls the question off. */
export const isRefusal = (text: string): boolean => refusals.has(phraseOf(text))

/** Whether a text says yes. */
export const isAgreement = (text: string): boolean => agreement.has(phraseOf(text))
