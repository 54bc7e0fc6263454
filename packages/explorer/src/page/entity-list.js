import { element, given, identifier } from './elements.js'
import { entitiesHash, entityHash } from './hash-route.js'
import { badge, time } from './parts.js'
import { empty, filled } from './states.js'
import { counted, nameOf, shortId } from './words.js'

/** @import { EntityRecord } from '@sibyl/protocol' */
/** @import { Api } from './api.js' */
/** @import { EntityQuery } from './hash-route.js' */

/** Number of entities on a page. */
const pageSize = 25

const domainClasses = ['Physical Twins', 'Cognitive Twins', 'Twin Systems', 'Oracle Twins']

/**
 * The list of entities, with its filters.
 *
 * @param {Api} api
 * @param {EntityQuery} query
 * @param {AbortSignal} signal
 * @returns {HTMLElement[]}
 */
export const entityList = (api, query, signal) => [
  element('h1', { tabindex: -1 }, 'Entities'),
  filterForm(query),
  filled(
    'Reading the entities',
    () => readPage(api, query, signal),
    page => shownPage(page, query),
    signal,
  ),
]

/**
 * Something in the list: an entity of this oracle, or what a remote index knows of one elsewhere.
 *
 * @typedef {{ readonly source: string, readonly did: string, readonly type: string, readonly entity?: EntityRecord }} Hit
 */

/**
 * @typedef {{ readonly hits: readonly Hit[], readonly next?: string, readonly incomplete?: string }} Page
 */

/**
 * @param {Api} api
 * @param {EntityQuery} query
 * @param {AbortSignal} signal
 * @returns {Promise<Page>}
 */
const readPage = async (api, query, signal) => {
  const { words, type, domainClass, status, protocol, controller, property, after } = query
  if (words !== '') {
    const path = `v1/search${searchOf({ q: words, type, protocol, limit: '50' })}`
    /** @type {Page} */
    const page = await api.get(path, { signal })
    /** @param {EntityRecord} entity */
    const fits = entity =>
      (domainClass === '' || entity.domainClass === domainClass) &&
      (status === '' || entity.status === status) &&
      (controller === '' || entity.controller === controller)
    return { ...page, hits: page.hits.filter(({ entity }) => !entity || fits(entity)) }
  }
  const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(property) ?? []
  const own = name === '' ? {} : { [`property.${name.trim()}`]: value.trim() }
  const given = { type, class: domainClass, status, protocol, controller, cursor: after, limit: String(pageSize) }
  const { entities, next } = await api.get(`v1/entities${searchOf({ ...given, ...own })}`, { signal })
  return { hits: entities.map(asHit), next }
}

/** @param {EntityRecord} entity @returns {Hit} */
const asHit = entity => ({ source: 'local', did: entity.did, type: entity.type, entity })

/** @param {Readonly<Record<string, string>>} values */
const searchOf = values => `?${new URLSearchParams(Object.entries(values).filter(([, value]) => value !== ''))}`

/** @param {EntityQuery} query */
const filterForm = query => {
  /** @param {keyof EntityQuery} name @param {string} label @param {string} hint @param {string} [pattern] */
  const field = (name, label, hint, pattern) =>
    element(
      'label',
      {},
      label,
      element('input', {
        name,
        value: query[name],
        placeholder: hint,
        pattern,
        title: hint,
        autocomplete: 'off',
        spellcheck: 'false',
      }),
    )
  /** @param {keyof EntityQuery} name @param {string} label @param {readonly string[]} values */
  const choice = (name, label, values) =>
    element(
      'label',
      {},
      label,
      element(
        'select',
        { name },
        element('option', { value: '' }, 'any'),
        ...values.map(value => element('option', { value, selected: query[name] === value }, value)),
      ),
    )
  const further = ['protocol', 'controller', 'property'].some(name => query[/** @type {keyof EntityQuery} */ (name)])
  const form = element(
    'form',
    { class: 'filters', role: 'search' },
    element(
      'label',
      { class: 'wide' },
      'Search',
      element('input', { name: 'words', type: 'search', value: query.words, placeholder: 'words, or a DID' }),
    ),
    field('type', 'Type', 'CookStove'),
    choice('domainClass', 'Class', domainClasses),
    choice('status', 'Status', ['active', 'deactivated']),
    element('button', { type: 'submit' }, 'Show'),
    element(
      'details',
      { open: further },
      element('summary', {}, 'More filters'),
      element(
        'div',
        { class: 'filters' },
        field('protocol', 'Protocol', 'its DID'),
        field('controller', 'Controller', 'a DID'),
        field('property', 'Property', 'fuel=wood', '[^=]+=.*'),
      ),
    ),
    isNarrowed(query) && element('a', { class: 'all', href: entitiesHash() }, 'Show all'),
  )
  form.addEventListener('submit', event => {
    event.preventDefault()
    const given = Object.fromEntries(
      [...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value.trim() : '']),
    )
    location.hash = /^did:/.test(given.words ?? '') ? entityHash(given.words ?? '') : entitiesHash(given)
  })
  return form
}

/** @param {EntityQuery} query */
const isNarrowed = query => Object.entries(query).some(([name, value]) => name !== 'after' && value !== '')

/**
 * @param {Page} page
 * @param {EntityQuery} query
 */
const shownPage = ({ hits, next, incomplete }, query) => {
  const gap = incomplete !== undefined && element('p', { class: 'quiet' }, incomplete)
  if (hits.length === 0) return [gap, nothing(query)]
  return [
    gap,
    element('ul', { class: 'rows', 'aria-label': counted(hits.length, 'entity', 'entities') }, ...hits.map(row)),
    element(
      'p',
      { class: 'pages' },
      query.after !== '' && element('a', { href: entitiesHash({ ...query, after: '' }) }, '← Newest'),
      next !== undefined && element('a', { href: entitiesHash({ ...query, after: next }), rel: 'next' }, 'Older →'),
    ),
  ]
}

/** @param {EntityQuery} query */
const nothing = query =>
  isNarrowed(query)
    ? empty('Nothing fits.', 'Take a filter away, or ', element('a', { href: entitiesHash() }, 'show all'), '.')
    : empty(
        'There are no entities yet.',
        'Register the first one with ',
        element('code', {}, 'POST /v1/entities'),
        '; it shows up here at once.',
      )

/** @param {Hit} hit */
const row = ({ source, did, type, entity }) =>
  entity
    ? element(
        'li',
        {},
        element(
          'div',
          { class: 'main' },
          element('a', { href: entityHash(did) }, given(nameOf(entity))),
          identifier(did, shortId(did)),
        ),
        element('div', {}, given(type), element('small', {}, entity.domainClass)),
        element('div', {}, badge(entity.status, entity.status === 'active' ? 'good' : 'plain')),
        element('div', { class: 'when' }, time(entity.updatedAt)),
      )
    : element(
        'li',
        {},
        element('div', { class: 'main' }, identifier(did, shortId(did))),
        element('div', {}, given(type), element('small', {}, 'at ', given(source))),
      )
