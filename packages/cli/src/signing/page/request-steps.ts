import { actions, button, element, given, paragraph, quiet, submitButton, violation } from './elements.ts'
import type { PageScreen } from './screen.ts'

/** Asks for the source of the key: new or backup words. @param facts The request. */
export const chooseStart = (screen: PageScreen, facts: HTMLElement, mayBeNew: boolean): Promise<'make' | 'use-words'> =>
  new Promise(resolve => {
    const make = button('Create a key', () => resolve('make'))
    const words = button('I have backup words', () => resolve('use-words'), mayBeNew ? 'plain' : '')
    screen.show(
      'A computer asks for your signature',
      facts,
      paragraph(
        mayBeNew
          ? 'This browser has no signing key yet. Create one; it is stored in this browser, encrypted with a passphrase.'
          : 'This browser has no signing key, and a specific key has to sign. Import it with its backup words, or open the link on the phone that has it.',
      ),
      actions(mayBeNew && make, words),
    )
  })

/** Explains that this browser has another key than the required one. */
export const explainOtherKey = (
  screen: PageScreen,
  did: string,
  expectedDid: string,
): Promise<'use-words' | 'give-up'> =>
  new Promise(resolve => {
    screen.show(
      'Another key is required',
      element(
        'dl',
        { class: 'facts' },
        element('div', {}, element('dt', {}, 'needed'), element('dd', {}, given(expectedDid, 'id'))),
        element('div', {}, element('dt', {}, 'here'), element('dd', {}, given(did, 'id'))),
      ),
      paragraph('Import it with its backup words; it replaces the key of this browser.'),
      actions(
        button('Type its backup words', () => resolve('use-words')),
        button('This is the wrong phone', () => resolve('give-up'), 'plain'),
      ),
    )
  })

/**
 * Shows the complete request again, and waits for the user to sign. The user types the end of the number that the computer shows, so that
 * a link from a stranger is not signed by a tap. Refusing is possible below all steps.
 *
 * @param isKept Whether the browser stores the key that signs.
 */
export const review = (screen: PageScreen, facts: HTMLElement, fingerprint: string, isKept: boolean): Promise<void> =>
  new Promise(resolve => {
    const parts = fingerprint.split(' ')
    const last = parts.pop()
    const digits = element('input', {
      inputmode: 'numeric',
      autocomplete: 'off',
      maxlength: 4,
      required: true,
    })
    const wrong = element('div')
    const submit = (event: Event) => {
      event.preventDefault()
      if (digits.value.trim() === last) resolve()
      else
        wrong.replaceChildren(
          violation('These are not the last four digits on the computer. If it shows another number, or none, refuse.'),
        )
    }
    screen.show(
      'Sign this?',
      facts,
      !isKept && violation('This browser did not store the key. You will need the backup words next time.'),
      element(
        'form',
        { submit },
        element(
          'div',
          { class: 'panel' },
          paragraph('The number on the computer must begin with:'),
          element('p', { class: 'fingerprint' }, ...parts.flatMap(part => [element('span', {}, part), ' '])),
          element('label', {}, 'The last four digits on the computer', digits),
          quiet('If it shows another number, or none, refuse.'),
        ),
        wrong,
        actions(submitButton('The numbers match: sign')),
      ),
    )
  })

/** Shows a progress message. */
export const showBusy = (screen: PageScreen, title: string): void =>
  screen.show(title, element('p', { class: 'quiet', role: 'status' }, 'One moment…'))
