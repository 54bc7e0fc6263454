import type { SigningFacts } from '../signing-protocol.ts'
import { type Child, element, given } from './elements.ts'
import { abilityWords, momentWords, spanWords } from './plain-words.ts'

/**
 * What is asked for, in plain words that are made from what is signed.
 *
 * @param did Of the key that would sign, where it is known.
 */
export const factsList = (facts: SigningFacts, did?: string): HTMLElement => {
  const { about, registry, audience, abilities, from, until } = facts
  return element(
    'dl',
    { class: 'facts' },
    about !== undefined && row('For', given(about)),
    row('Who may', 'The computer with the QR code', given(audience, 'id')),
    row('do what', ...abilities.flatMap(abilityParts)),
    row('where', given(registry.title), given(registry.did, 'id')),
    row('until', momentWords(until), element('small', {}, spanWords(until - from))),
    did !== undefined && row('as', 'You, with your key', given(did, 'id')),
  )
}

const row = (name: string, ...values: readonly Child[]): HTMLElement =>
  element(
    'div',
    {},
    element('dt', {}, name),
    element('dd', {}, ...values.map(value => (typeof value === 'string' ? element('span', {}, value) : value))),
  )

const abilityParts = (ability: string): Child[] => {
  const words = abilityWords(ability)
  return [words, given(ability, 'id')]
}
