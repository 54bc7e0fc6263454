import { ApiError } from './api.js'
import { element, given, identifier } from './elements.js'
import { claimHash, claimsHash } from './hash-route.js'
import { badge, didLink, time } from './parts.js'
import { empty, filled } from './states.js'
import { counted, ending, shortId } from './words.js'

/** @import { ClaimRecord, ClaimState } from '@sibyl/protocol' */
/** @import { Api } from './api.js' */

/** Number of claims on a page. */
const pageSize = 25

/** Filters of the list: waiting claims first, then every state. @type {readonly (ClaimState | 'waiting' | 'all')[]} */
const choices = [
  'waiting',
  'all',
  'submitted',
  'evaluating',
  'approved',
  'rejected',
  'disputed',
  'upheld',
  'invalidated',
]

/**
 * The claims, the queue of those that wait among them.
 *
 * @param {Api} api
 * @param {{ readonly state: string, readonly after: string }} query
 * @param {AbortSignal} signal
 * @returns {HTMLElement[]}
 */
export const claimList = (api, query, signal) => {
  const search = new URLSearchParams({ limit: String(pageSize) })
  const chosen = query.state || 'waiting'
  if (chosen !== 'all') search.set('state', chosen)
  if (query.after !== '') search.set('cursor', query.after)
  return [
    element('h1', { tabindex: -1 }, 'Claims'),
    element(
      'nav',
      { class: 'choices', 'aria-label': 'State' },
      ...choices.map(state =>
        element('a', { href: claimsHash({ state }), ...(state === chosen ? { 'aria-current': 'true' } : {}) }, state),
      ),
    ),
    filled(
      'Reading the claims',
      () => api.get(`v1/claims?${search}`, { signal }).catch(explain),
      page => shownPage(page, query),
      signal,
    ),
  ]
}

/** @param {unknown} error */
const explain = error => {
  if (!(error instanceof ApiError) || error.code !== 'route_not_found') throw error
  throw new ApiError('This oracle takes no claims: it runs without the plugin claims.', error)
}

/**
 * @param {{ readonly claims: readonly ClaimRecord[], readonly next?: string }} page
 * @param {{ readonly state: string, readonly after: string }} query
 */
const shownPage = ({ claims, next }, query) =>
  claims.length === 0
    ? nothing(query.state || 'waiting')
    : [
        element('ul', { class: 'rows', 'aria-label': counted(claims.length, 'claim') }, ...claims.map(row)),
        element(
          'p',
          { class: 'pages' },
          query.after !== '' && element('a', { href: claimsHash({ state: query.state }) }, '← Newest'),
          next !== undefined && element('a', { href: claimsHash({ state: query.state, after: next }) }, 'Older →'),
        ),
      ]

/** @param {string} chosen */
const nothing = chosen => {
  const post = element('code', {}, 'POST /v1/claims')
  if (chosen === 'all') return empty('There are no claims yet.', 'Submit the first one with ', post, '.')
  const all = element('a', { href: claimsHash({ state: 'all' }) }, 'Show all claims')
  return empty(chosen === 'waiting' ? 'No claim waits for anything.' : `No claim is ${chosen}.`, all, '.')
}

/** @param {ClaimRecord} claim */
const row = claim =>
  element(
    'li',
    {},
    element(
      'div',
      { class: 'main' },
      element('a', { href: claimHash(claim.id) }, given(claim.type), ` ${ending(claim.id)}`),
      claim.asset === undefined
        ? element('small', {}, 'about no entity')
        : element('small', {}, 'about ', didLink(claim.asset)),
    ),
    element(
      'div',
      {},
      'by ',
      identifier(claim.submitter, shortId(claim.submitter)),
      element('small', {}, `through ${claim.channel}`),
    ),
    element('div', {}, stateBadge(claim)),
    element('div', { class: 'when' }, time(claim.updatedAt)),
  )

/** @param {Pick<ClaimRecord, 'state' | 'verdict'>} claim */
export const stateBadge = ({ state, verdict }) => {
  if (state === 'evaluating' && verdict) return badge('waits for a person', 'waiting')
  const good = state === 'approved' || state === 'upheld'
  const bad = state === 'rejected' || state === 'invalidated'
  return badge(state, good ? 'good' : bad ? 'bad' : 'waiting')
}
