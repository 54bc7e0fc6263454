import { element } from './elements.js'
import { failed } from './states.js'

/** @import { ClaimDetails } from '@sibyl/protocol' */
/** @import { Api } from './api.js' */

/**
 * A decision that a claim is open to.
 *
 * @typedef {object} Decision
 * @property {string} label
 * @property {string} route Below the claim's.
 * @property {(reason: string) => object} body
 * @property {string} done What is said when it is made.
 * @property {boolean} [plain] Not the usual way on.
 */

/** @type {Decision} */
const evaluate = { label: 'Evaluate', route: 'evaluate', body: () => ({}), done: 'The claim was evaluated.' }

/** @param {string} reason */
const because = reason => (reason === '' ? {} : { reason })

/** @type {readonly Decision[]} */
const confirmations = [
  {
    label: 'Approve',
    route: 'confirm',
    body: reason => ({ decision: 'approve', ...because(reason) }),
    done: 'The claim is approved.',
  },
  {
    label: 'Reject',
    route: 'confirm',
    body: reason => ({ decision: 'reject', ...because(reason) }),
    done: 'The claim is rejected.',
    plain: true,
  },
]

/** @type {Decision} */
const dispute = { label: 'Dispute', route: 'dispute', body: because, done: 'The decision is disputed.', plain: true }

/** @type {readonly Decision[]} */
const resolutions = [
  {
    label: 'Uphold the decision',
    route: 'resolve',
    body: reason => ({ resolution: 'uphold', ...because(reason) }),
    done: 'The decision stands.',
  },
  {
    label: 'Invalidate it',
    route: 'resolve',
    body: reason => ({ resolution: 'invalidate', ...because(reason) }),
    done: 'The decision is invalidated.',
    plain: true,
  },
]

/**
 * Returns the decisions that the state of a claim permits, and whether they need a reason.
 *
 * @param {Pick<ClaimDetails, 'state' | 'verdict'>} claim
 * @returns {{ readonly title: string, readonly decisions: readonly Decision[], readonly reason: 'none' | 'optional' | 'needed' } | undefined}
 */
export const openTo = ({ state, verdict }) => {
  if (state === 'submitted') return { title: 'It waits to be evaluated.', decisions: [evaluate], reason: 'none' }
  if (state === 'evaluating') {
    return verdict
      ? { title: 'A person decides now.', decisions: confirmations, reason: 'optional' }
      : { title: 'It is being evaluated.', decisions: [{ ...evaluate, label: 'Evaluate again' }], reason: 'none' }
  }
  if (state === 'approved' || state === 'rejected') {
    return { title: 'It is decided.', decisions: [dispute], reason: 'needed' }
  }
  if (state === 'disputed') return { title: 'The decision is disputed.', decisions: resolutions, reason: 'needed' }
  return undefined
}

/**
 * The buttons that move a claim on. Whether the key may, the oracle says when one is pressed.
 *
 * @param {Api} api
 * @param {ClaimDetails} claim
 * @param {string} path Of the claim.
 * @param {(words: string) => void} changed
 */
export const claimActions = (api, claim, path, changed) => {
  const open = openTo(claim)
  if (!open) return undefined
  const fault = element('div')
  const reason = element('input', { id: 'reason', maxlength: 1000, autocomplete: 'off' })
  const buttons = open.decisions.map(({ label, route, body, done, plain }) => {
    const button = element('button', { type: 'button', class: plain ? 'plain' : undefined }, label)
    button.addEventListener('click', async () => {
      const why = reason.value.trim()
      if (open.reason === 'needed' && why.length < 3) {
        fault.replaceChildren(element('p', { class: 'failed', role: 'alert' }, 'Say why, in a few words.'))
        return reason.focus()
      }
      for (const one of buttons) one.disabled = true
      try {
        await api.post(`${path}/${route}`, body(why))
        changed(done)
      } catch (error) {
        fault.replaceChildren(failed(error))
      } finally {
        for (const one of buttons) one.disabled = false
      }
    })
    return button
  })
  return element(
    'section',
    { class: 'panel', 'aria-label': 'Decide' },
    element('p', { class: 'strong' }, open.title),
    open.reason !== 'none' &&
      element(
        'label',
        { for: 'reason' },
        open.reason === 'needed' ? 'Why' : 'Why (needed where you decide otherwise than the verdict)',
        reason,
      ),
    element('p', { class: 'actions' }, ...buttons),
    fault,
  )
}
