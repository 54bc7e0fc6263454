import { actions, button, element, paragraph, quiet, submitButton, typed, violation } from './elements.ts'
import { newWords, readWords } from './mnemonic-key.ts'
import type { PageScreen } from './screen.ts'

/** Shows new backup words, and continues only after the user has typed three of them. */
export const createWords = async (screen: PageScreen): Promise<readonly string[]> => {
  let words = newWords(12)
  let isRepeated = replacesShown()
  for (;;) {
    const done = await showWords(screen, words, isRepeated)
    if (done === 'another-count') {
      words = newWords(words.length === 12 ? 24 : 12)
      isRepeated = replacesShown()
    } else if (await checkWords(screen, words)) return words
  }
}

const shownMark = 'words-shown'

/** Marks that this tab shows words; returns whether it has shown others before, including before a reload. */
const replacesShown = (): boolean => {
  const isRepeated = history.state === shownMark
  history.replaceState(shownMark, '')
  return isRepeated
}

const showWords = (
  screen: PageScreen,
  words: readonly string[],
  isRepeated: boolean,
): Promise<'written' | 'another-count'> =>
  new Promise(resolve => {
    const other = words.length === 12 ? 24 : 12
    screen.show(
      `Write down these ${words.length} words`,
      isRepeated && violation('These words are new. Start your paper again: earlier words do not belong to them.'),
      paragraph(
        'Write them on paper, in this order. They are your key: you need them on another phone, or if this browser loses the key. Anyone else who has them can sign as you.',
      ),
      element(
        'ol',
        { class: 'words' },
        ...words.map(word => element('li', {}, element('span', { translate: 'no' }, word))),
      ),
      actions(
        button('I have written them down', () => resolve('written')),
        button(`Use ${other} words`, () => resolve('another-count'), 'plain'),
      ),
    )
  })

/** Asks for three of the words; false if the user wants to see them again. */
const checkWords = (screen: PageScreen, words: readonly string[]): Promise<boolean> =>
  new Promise(resolve => {
    const places = threePlaces(words.length)
    const wrong = element('div')
    const inputs = places.map(place =>
      element('input', {
        id: `word-${place}`,
        ...typed,
        maxlength: 20,
      }),
    )
    const submit = (event: Event) => {
      event.preventDefault()
      const index = places.findIndex((place, at) => inputs[at]?.value.trim().toLowerCase() !== words[place - 1])
      if (index < 0) return resolve(true)
      wrong.replaceChildren(violation(`Word ${places[index]} is wrong. Check your paper.`))
      inputs[index]?.focus()
      inputs[index]?.select()
    }
    screen.show(
      'Check your paper',
      paragraph('Type these three of the words.'),
      element(
        'form',
        { submit },
        ...inputs.map((input, index) => element('label', { for: input.id }, `Word ${places[index]}`, input)),
        wrong,
        actions(
          submitButton('Go on'),
          button('Show the words again', () => resolve(false), 'plain'),
        ),
      ),
    )
  })

/** Returns three different positions, in order. */
const threePlaces = (count: number): number[] => {
  const places = new Set<number>()
  // Both counts divide 2^32 unevenly by less than one in a hundred million.
  for (const random of crypto.getRandomValues(new Uint32Array(64)))
    if (places.size < 3) places.add((random % count) + 1)
  return [...places].toSorted((one, other) => one - other)
}

/**
 * Asks for backup words.
 *
 * @param isOther Whether the browser already has a key.
 * @param check Returns the error of valid words, if any.
 */
export const askForWords = (
  screen: PageScreen,
  isOther: boolean,
  check: (words: readonly string[]) => Promise<string | undefined>,
): Promise<readonly string[] | 'back'> =>
  new Promise(resolve => {
    const wrong = element('div')
    const input = element('textarea', {
      id: 'words',
      ...typed,
      rows: 5,
      maxlength: 1_000,
    })
    const submit = async (event: Event) => {
      event.preventDefault()
      const read = readWords(input.value)
      const fail = 'wrong' in read ? read.wrong : await check(read.words)
      if ('words' in read && fail === undefined) return resolve(read.words)
      wrong.replaceChildren(violation(fail ?? ''))
      input.focus()
    }
    screen.show(
      'Type your backup words',
      paragraph('All 12 or 24 words, in order, separated by spaces.'),
      element(
        'form',
        { submit: event => void submit(event) },
        element('label', { for: 'words' }, 'Backup words', input),
        wrong,
        actions(
          submitButton('Go on'),
          button('Back', () => resolve('back'), 'plain'),
        ),
      ),
      isOther && paragraph('Words of another key replace the key of this browser.'),
      quiet('They stay in this browser, and are removed from memory once the key is encrypted.'),
    )
  })
