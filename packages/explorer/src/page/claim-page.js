import { claimActions } from './claim-actions.js'
import { stateBadge } from './claim-list.js'
import { element, given, identifier } from './elements.js'
import { claimsHash } from './hash-route.js'
import { badge, copyButton, didLink, facts, namedLink, section, time, valueList } from './parts.js'
import { filled } from './states.js'
import { ending, shortId } from './words.js'
/** @import { ClaimAction, ClaimDetails, ClaimVerdict } from '@sibyl/protocol' */
/** @import { Api } from './api.js' */

/**
 * One claim: what it says, what was found, what happened, and what can be decided now.
 *
 * @param {Api} api
 * @param {string} id
 * @param {AbortSignal} signal
 * @param {(words: string) => void} say Announces a text to screen readers.
 * @returns {HTMLElement[]}
 */
export const claimPage = (api, id, signal, say) => {
  const path = `v1/claims/${encodeURIComponent(id)}`
  const place = element('div')
  const show = () => {
    /** @param {string} words */
    const changed = words => {
      say(words)
      show()
    }
    const read = () => api.get(path, { signal })
    const shown = (/** @type {ClaimDetails} */ claim) => shownClaim(api, claim, path, changed, signal)
    place.replaceChildren(filled('Reading the claim', read, shown, signal, 'Claim'))
  }
  show()
  return [element('p', { class: 'trail' }, element('a', { href: claimsHash() }, 'Claims')), place]
}

/**
 * @param {Api} api
 * @param {ClaimDetails} claim
 * @param {string} path
 * @param {(words: string) => void} changed
 * @param {AbortSignal} signal
 */
const shownClaim = (api, claim, path, changed, signal) => [
  element('h1', { tabindex: -1 }, given(claim.type), ` ${ending(claim.id)}`),
  element(
    'p',
    { class: 'subtitle' },
    stateBadge(claim),
    element('span', {}, 'submitted ', time(claim.createdAt)),
    element('span', {}, 'by ', identifier(claim.submitter, shortId(claim.submitter))),
    element('span', {}, `through ${claim.channel}`),
  ),
  element('p', { class: 'did' }, identifier(claim.uri, claim.uri), copyButton(claim.uri, 'the URI')),
  claimActions(api, claim, path, changed),
  element(
    'div',
    { class: 'columns' },
    section('What it says', dataOf(claim), ...evidenceOf(claim)),
    element(
      'div',
      {},
      section('Record', recordOf(claim, api, signal)),
      section('Verdict', ...verdictOf(claim.verdict)),
    ),
  ),
  section('What happened', stepsOf(claim)),
]

/** @param {ClaimDetails} claim */
const dataOf = ({ data }) =>
  Object.keys(data).length === 0 ? element('p', { class: 'quiet' }, 'It has no data.') : valueList(data)

/** @param {ClaimDetails} claim */
const evidenceOf = ({ evidence }) =>
  evidence.length === 0
    ? []
    : [
        element('h3', { class: 'sub' }, 'Evidence'),
        element(
          'ul',
          { class: 'plain' },
          ...evidence.map(({ hash, mediaType, name, url }) =>
            element(
              'li',
              {},
              element('span', { class: 'strong' }, given(name ?? mediaType)),
              element('small', {}, identifier(hash, shortId(hash))),
              url !== undefined && element('small', {}, given(url)),
            ),
          ),
        ),
      ]

/**
 * @param {ClaimDetails} claim
 * @param {Api} api
 * @param {AbortSignal} signal
 */
const recordOf = ({ asset, collection, protocol, protocolVersion, decision, credential }, api, signal) =>
  facts([
    ['About', asset === undefined ? 'no entity' : namedLink(api, asset, signal)],
    ['Collection', given(collection)],
    protocol !== undefined && ['Protocol', [didLink(protocol), ` version ${protocolVersion}`]],
    decision !== undefined && [
      decision.overruled ? 'Overruled' : 'Decided',
      [time(decision.at), ' by ', identifier(decision.by, shortId(decision.by))],
    ],
    credential !== undefined && [
      'Credential',
      [credential.status, ' ', credential.id !== undefined && identifier(credential.id, shortId(credential.id))],
    ],
  ])

/** @param {ClaimVerdict | undefined} verdict */
const verdictOf = verdict => {
  if (!verdict) return [element('p', { class: 'quiet' }, 'It was not judged yet.')]
  const { decision, method, reasons, checks, at } = verdict
  const kind = decision === 'approve' ? 'good' : decision === 'reject' ? 'bad' : 'waiting'
  return [
    element('p', {}, badge(decision, kind), ` by ${methodWords[method]}, `, time(at)),
    reasons.length > 0 && element('ul', {}, ...reasons.map(reason => element('li', {}, given(reason)))),
    checks.length > 0 &&
      element(
        'ul',
        { class: 'checks' },
        ...checks.map(({ id, of, passed, reason }) =>
          element(
            'li',
            { class: passed ? 'passed' : 'missed' },
            element('span', { class: 'strong' }, passed ? 'met: ' : 'not met: ', given(id)),
            element('small', {}, `of the ${of}`, reason !== undefined && !passed && ': ', !passed && reason),
          ),
        ),
      ),
  ]
}

const methodWords = { rules: 'the rules', agent: 'the agent', person: 'a person' }

/** @type {Readonly<Record<ClaimAction, string>>} */
const actionWords = {
  submit: 'submitted',
  evaluate: 'evaluation began',
  judge: 'judged',
  'give-up': 'evaluation given up',
  approve: 'approved',
  reject: 'rejected',
  dispute: 'disputed',
  uphold: 'upheld',
  invalidate: 'invalidated',
}

/** @param {ClaimDetails} claim */
const stepsOf = ({ transitions }) =>
  element(
    'ol',
    { class: 'steps' },
    ...transitions.map(({ action, by, at, why }) =>
      element(
        'li',
        {},
        element('span', { class: 'strong' }, actionWords[action]),
        element('small', {}, time(at), ' by ', identifier(by, shortId(by))),
        why !== undefined && element('small', {}, given(why)),
      ),
    ),
  )
