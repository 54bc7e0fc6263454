import { element, given, identifier } from './elements.js'
import { entityHash } from './hash-route.js'
import { nameOf, shortId, timeText, valueText } from './words.js'
/** @import { EntityRecord, JsonValue } from '@sibyl/protocol' */
/** @import { Api } from './api.js' */
/** @import { Child } from './elements.js' */

/**
 * A part of a page under a heading.
 *
 * @param {string} title
 * @param {...Child} children
 */
export const section = (title, ...children) => element('section', {}, element('h2', {}, title), ...children)

/**
 * A list of names with their values; rows that are false are left out.
 *
 * @param {readonly (readonly [string, Child | Child[]] | false)[]} rows
 */
export const facts = rows => {
  const given = rows.filter(row => row !== false)
  return element(
    'dl',
    { class: 'facts' },
    ...given.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, ...[value].flat()))),
  )
}

/**
 * Properties of an entity or a claim, each with its value.
 *
 * @param {Readonly<Record<string, JsonValue>>} properties
 */
export const valueList = properties =>
  element(
    'dl',
    { class: 'facts' },
    ...Object.entries(properties).map(([name, value]) =>
      element('div', {}, element('dt', {}, given(name)), element('dd', {}, shownValue(value))),
    ),
  )

/** @param {JsonValue} value */
export const shownValue = value =>
  typeof value === 'object' && value !== null
    ? element('pre', { tabindex: 0 }, given(valueText(value)))
    : given(valueText(value))

/**
 * A link to an entity of this oracle, or the DID alone where it is of another method or oracle.
 *
 * @param {string} did
 */
export const didLink = did =>
  /^did:web:.+:entities:[^:]+$/.test(did)
    ? element('a', { href: entityHash(did) }, identifier(did, shortId(did)))
    : identifier(did, shortId(did))

/**
 * A link to an entity, under its DID until its name was read.
 *
 * @param {Api} api
 * @param {string} did
 * @param {AbortSignal} signal
 */
export const namedLink = (api, did, signal) => {
  const link = didLink(did)
  const named = (/** @type {EntityRecord} */ entity) => link.replaceChildren(given(nameOf(entity)))
  if (link instanceof HTMLAnchorElement) {
    api.get(`v1/entities/${encodeURIComponent(did)}`, { signal }).then(named, () => undefined)
  }
  return link
}

/**
 * A badge for a state.
 *
 * @param {string} state
 * @param {'good' | 'bad' | 'waiting' | 'plain'} kind
 */
export const badge = (state, kind) => element('span', { class: `badge ${kind}` }, state)

/** @param {string} iso */
export const time = iso => element('time', { datetime: iso }, timeText(iso))

/**
 * A button that copies a text, where the browser lets it.
 *
 * @param {string} text
 * @param {string} what Of what, for those who hear it.
 */
export const copyButton = (text, what) => {
  const button = element('button', { type: 'button', class: 'plain small', 'aria-label': `Copy ${what}` }, 'Copy')
  button.addEventListener('click', async () => {
    const done = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    )
    button.textContent = done ? 'Copied' : 'Not copied'
  })
  return button
}
