import { element, given } from './elements.js'
import { copyButton, section } from './parts.js'
import { filled } from './states.js'
/** @import { EntityRecord, JsonValue } from '@sibyl/protocol' */
/** @import { Api } from './api.js' */

/**
 * The DID document of an entity, as the public resolver returns it.
 *
 * @param {Api} api
 * @param {EntityRecord} entity
 * @param {AbortSignal} signal
 */
export const documentSection = (api, { did, status }, signal) =>
  section(
    'DID document',
    status === 'deactivated'
      ? element('p', { class: 'quiet' }, 'Its DID is deactivated: it resolves to nothing any more.')
      : filled(
          'Resolving the DID',
          () => api.get(`1.0/identifiers/${encodeURIComponent(did)}`, { accept: 'application/did', signal }),
          document => shownDocument(document),
          signal,
        ),
  )

/** @param {JsonValue} document */
const shownDocument = document => {
  const text = JSON.stringify(document, undefined, 2)
  return element(
    'details',
    {},
    element('summary', {}, 'Show the document'),
    element('p', {}, copyButton(text, 'the document')),
    element('pre', { tabindex: 0 }, given(text)),
  )
}
