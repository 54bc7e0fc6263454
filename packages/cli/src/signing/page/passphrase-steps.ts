import type { SigningKey } from '@sibyl/identity/browser'
import { actions, button, element, paragraph, quiet, submitButton, violation } from './elements.ts'
import type { PageScreen } from './screen.ts'
import { openKey, type SealedKey, sealKey } from './sealed-key.ts'

/** Asks for a new passphrase, twice, and encrypts the key with it. */
export const choosePassphrase = (screen: PageScreen, key: SigningKey): Promise<SealedKey> =>
  new Promise(resolve => {
    const first = passphraseField('passphrase', 'Passphrase', 'new-password')
    const second = passphraseField('again', 'Type it again', 'new-password')
    const wrong = element('div')
    const form = formOf(
      'Encrypt the key',
      [first.field, second.field, shownBox(first.input, second.input), wrong],
      async busy => {
        const passphrase = first.input.value
        const error = passphraseViolation(passphrase)
        if (error !== undefined) return print(wrong, error, first.input)
        if (passphrase !== second.input.value) return print(wrong, 'The two passphrases differ.', second.input)
        wrong.replaceChildren()
        await busy('Encrypting the key')
        resolve(sealKey(key, passphrase))
      },
    )
    screen.show(
      'Choose a passphrase',
      paragraph(
        'It encrypts your key in this browser, and you type it for each signature. Use at least 10 characters: four unrelated words are easy to type and hard to guess.',
      ),
      form,
      quiet('It is not sent anywhere. If you forget it, use your backup words.'),
    )
  })

/** Asks for the passphrase of the stored key; the user can choose backup words instead. */
export const unlock = (screen: PageScreen, sealed: SealedKey, facts: HTMLElement): Promise<SigningKey | 'use-words'> =>
  new Promise(resolve => {
    const { field, input } = passphraseField('passphrase', 'Passphrase of your key', 'current-password')
    const wrong = element('div')
    const form = formOf('Unlock', [field, shownBox(input), wrong], async busy => {
      wrong.replaceChildren()
      await busy('Unlocking the key')
      const key = openKey(sealed, input.value)
      if (key) resolve(key)
      else print(wrong, 'The passphrase is wrong.', input)
    })
    const words = button('Use backup words instead', () => resolve('use-words'), 'plain')
    screen.show('A computer asks for your signature', facts, form, actions(words))
  })

const passphraseField = (id: string, label: string, autocomplete: string) => {
  const attributes = { id, type: 'password', required: true, autocomplete, autocapitalize: 'off', spellcheck: 'false' }
  const input = element('input', { ...attributes, maxlength: 1_000 })
  return { input, field: element('label', { for: id }, label, input) }
}

const shownBox = (...inputs: readonly HTMLInputElement[]): HTMLElement => {
  const box = element('input', { type: 'checkbox' })
  box.addEventListener('change', () => {
    for (const input of inputs) input.type = box.checked ? 'text' : 'password'
  })
  return element('label', { class: 'choice' }, box, 'Show what I type')
}

const print = (place: HTMLElement, words: string, input: HTMLInputElement): void => {
  place.replaceChildren(violation(words))
  input.focus()
  input.select()
}

/** Creates a form for work that blocks the page for seconds: it shows a message first, and cannot be sent twice. */
const formOf = (
  action: string,
  fields: readonly HTMLElement[],
  work: (busy: (what: string) => Promise<void>) => Promise<unknown>,
): HTMLFormElement => {
  const send = submitButton(action)
  const place = element('div')
  const busy = async (what: string) => {
    place.replaceChildren(element('p', { class: 'quiet', role: 'status' }, `${what}; this takes a moment…`))
    await painted()
  }
  const submit = async (event: Event) => {
    event.preventDefault()
    if (send.disabled) return
    send.disabled = true
    await work(busy)
    place.replaceChildren()
    send.disabled = false
  }
  return element('form', { submit: event => void submit(event) }, ...fields, place, actions(send))
}

/** Waits until the screen is painted. */
const painted = (): Promise<void> => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve, 50)))

const shortest = 10

/** Common words of weak passphrases, anywhere in them. */
const guessed =
  /pass(word|wort|phrase)?|kennwort|qwert[yz]uiop|qwert[yz]|asdfghjkl|i?loveyou|letmein|welcome|sibyl|oracle|1234567890|0123456789|123456789|1234567?8?|abcdefghij|abcdef/g

/**
 * Returns the error of a new passphrase: too short, or easy to guess. This is not a measure of strength; it rejects
 * only trivial passphrases.
 */
export const passphraseViolation = (passphrase: string): string | undefined => {
  if (passphrase.length < shortest) return `Use at least ${shortest} characters.`
  const left = passphrase.normalize('NFKC').toLowerCase().replace(guessed, '')
  if (new Set(left).size >= 5) return undefined
  return 'That is easy to guess. Use several unrelated words.'
}
