import { impersonationAbility } from '@sibyl/identity/browser'
import type { SigningFacts } from '../signing-protocol.ts'
import { type Child, element, given, violation } from './elements.ts'
import { abilityWords, clockProblem, momentWords, shortDid, spanWords } from './plain-words.ts'

/**
 * Returns the signed facts in plain words, and their complete identifiers in a collapsed section.
 *
 * @param did Of the key that would sign, if known.
 */
export const factsList = (facts: SigningFacts, did?: string): HTMLElement => {
  const { about, registry, audience, abilities, from, until } = facts
  const wrongClock = clockProblem(from, until, Date.now() / 1000)
  const words = element(
    'dl',
    { class: 'facts' },
    about !== undefined && row('For', given(about)),
    row('Who', 'The computer with the QR code', given(shortDid(audience), 'id')),
    row('May', ...abilities.flatMap(ability => [mayWords(ability, registry), given(ability, 'id')])),
    row(
      'Where',
      given(registry.title),
      element('small', {}, 'as reported by that computer'),
      given(shortDid(registry.did), 'id'),
    ),
    row('Until', momentWords(until), element('small', {}, spanWords(until - from))),
    did !== undefined && row('As', 'You, with your key', given(shortDid(did), 'id')),
  )
  const whole = element(
    'dl',
    { class: 'facts' },
    row('Who', given(audience, 'id')),
    row('Where', given(registry.did, 'id')),
    did !== undefined && row('As', given(did, 'id')),
  )
  return element(
    'div',
    {},
    words,
    wrongClock !== undefined && violation(wrongClock),
    element('details', {}, element('summary', {}, 'Identifiers in full'), whole),
  )
}

const mayWords = (ability: string, { title }: SigningFacts['registry']): Child =>
  ability === impersonationAbility
    ? element('span', {}, `${abilityWords(ability)} `, given(title))
    : abilityWords(ability)

const row = (name: string, ...values: readonly Child[]): HTMLElement =>
  element(
    'div',
    {},
    element('dt', {}, name),
    element('dd', {}, ...values.map(value => (typeof value === 'string' ? element('span', {}, value) : value))),
  )
