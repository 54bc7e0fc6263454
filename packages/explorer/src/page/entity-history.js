import { element, given, identifier } from './elements.js'
import { badge, section, time, valueList } from './parts.js'
import { filled } from './states.js'
import { counted, shortId } from './words.js'

/** @import { EntityEventRecord, EntityRecord, JsonValue } from '@sibyl/protocol' */
/** @import { Api } from './api.js' */

/**
 * Result of `GET /v1/entities/:did/proof`.
 *
 * @typedef {object} Proof
 * @property {boolean} verified
 * @property {{ version: number, check: string }} [fault]
 * @property {readonly { signer: string }[]} links
 * @property {readonly string[]} checks
 * @property {number} [next] There are more links than were verified.
 */

/** @type {Readonly<Record<EntityEventRecord['kind'], string>>} */
const kinds = {
  created: 'created',
  updated: 'changed',
  deactivated: 'taken out of use',
  related: 'related',
  unrelated: 'no longer related',
  'credential-added': 'a credential was issued',
  'credential-removed': 'a credential was revoked',
}

/**
 * The changes of an entity, and whether the chain of their hashes holds.
 *
 * @param {Api} api
 * @param {EntityRecord} entity
 * @param {AbortSignal} signal
 */
export const historySection = (api, { did }, signal) => {
  const path = `v1/entities/${encodeURIComponent(did)}`
  return section(
    'History',
    filled('Verifying the chain', () => api.get(`${path}/proof`, { signal }), shownProof, signal),
    eventPages(api, `${path}/history?limit=20`, signal),
  )
}

/** @param {Proof} proof */
const shownProof = ({ verified, fault, links, checks, next }) => {
  const signers = [...new Set(links.map(({ signer }) => signer))]
  const words = verified
    ? `${counted(links.length, 'link')} of ${next === undefined ? 'the chain' : 'a longer chain'} hold, signed by `
    : `${faultWords(fault)} Signed by `
  return [
    element(
      'p',
      { class: 'verdict' },
      badge(verified ? 'verified' : 'broken', verified ? 'good' : 'bad'),
      element('span', {}, words, ...signers.map(signer => identifier(signer, `${shortId(signer)} `))),
    ),
    element(
      'details',
      {},
      element('summary', {}, 'What was verified'),
      element('ul', {}, ...checks.map(check => element('li', {}, check))),
    ),
  ]
}

/** @param {Proof['fault']} fault */
const faultWords = fault =>
  fault?.check === 'entity'
    ? 'The links hold, but the entity is not what they say.'
    : `Link ${fault?.version} does not hold: its ${fault?.check} is not what it must be.`

/**
 * @param {Api} api
 * @param {string} path
 * @param {AbortSignal} signal
 */
const eventPages = (api, path, signal) => {
  const list = element('ol', { class: 'steps', 'aria-label': 'Changes, the newest first' })
  const rest = element('div')
  /** @param {string} from */
  const read = from =>
    rest.replaceChildren(
      filled(
        'Reading the changes',
        () => api.get(from, { signal }),
        (/** @type {{ events: readonly EntityEventRecord[], next?: number }} */ { events, next }) => {
          list.append(...events.map(shownEvent))
          if (next === undefined) return undefined
          return element(
            'button',
            { type: 'button', class: 'plain', click: () => read(`${path}&before=${next}`) },
            'Older changes',
          )
        },
        signal,
      ),
    )
  read(path)
  return element('div', {}, list, rest)
}

/** @param {EntityEventRecord} event */
const shownEvent = ({ version, kind, at, by, change, hash }) =>
  element(
    'li',
    {},
    element(
      'details',
      {},
      element(
        'summary',
        {},
        element('span', { class: 'strong' }, `${version}. ${kinds[kind]}`),
        element('small', {}, time(at), ' by ', identifier(by, shortId(by))),
      ),
      element('p', {}, 'Hash ', given(hash, 'id')),
      shownChange(change),
    ),
  )

/** @param {JsonValue} change */
const shownChange = change =>
  typeof change === 'object' && change !== null && !Array.isArray(change) ? valueList(change) : valueList({ change })
